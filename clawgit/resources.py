"""Finds shipped templates and hooks."""

from pathlib import Path

from clawgit.errors import Command, package_damaged

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """Return the folder `name` ("templates" or "hooks"), in a wheel or in a checkout.

    Raises ClawgitError when the installation is incomplete.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise package_damaged(f"the package lacks its {name} folder", fix=Command("pip install --force-reinstall clawgit"))
