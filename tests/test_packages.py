"""What is handed on: the same bytes from the same files, with all that belongs in it."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from clawgit import __version__
from tests.test_house import ROOT, name, repository_files


def built(folder: Path, umask: str, moment: int) -> dict[str, bytes]:
    """The wheel and the source archive of a copy that was made under this mask, its files of this moment."""
    for path in repository_files():
        place = folder / name(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        os.utime(place, (moment, moment))
    build = [sys.executable, "-m", "build", "--no-isolation"]
    done = subprocess.run(
        ["sh", "-c", f'umask {umask}; exec "$@"', "sh", *build], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {place.name: place.read_bytes() for place in sorted((folder / "dist").iterdir())}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which both were built."""
    folder = tmp_path_factory.mktemp("packages")
    built(folder, "022", 1_700_000_000)
    return folder / "dist"


def test_two_builds_are_the_same_to_the_byte(packages: Path, tmp_path: Path) -> None:
    again = built(tmp_path, "077", 1_500_000_000)
    assert again == {place.name: place.read_bytes() for place in sorted(packages.iterdir())}
    assert [key.rpartition(__version__)[2] for key in again] == ["-py3-none-any.whl", ".tar.gz"]


def test_the_wheel_has_what_a_shell_and_man_look_for(packages: Path) -> None:
    with zipfile.ZipFile(next(packages.glob("*.whl"))) as wheel:
        names = {place.partition(".data/data/")[2] for place in wheel.namelist()}
    assert names >= {
        "share/man/man1/clawgit.1",
        "share/bash-completion/completions/clawgit",
        "share/zsh/site-functions/_clawgit",
        "share/fish/vendor_completions.d/clawgit.fish",
    }


def test_the_source_archive_has_what_its_readme_names(packages: Path) -> None:
    with tarfile.open(next(packages.glob("*.tar.gz"))) as archive:
        names = {place.partition("/")[2] for place in archive.getnames()}
    assert names >= {"README.md", "LICENSE", "Makefile", "CONTRIBUTING.md", "SECURITY.md", "docs/demo/screen.svg"}


def test_the_version_stands_in_one_place() -> None:
    listed = [path for path in repository_files() if path.suffix in (".py", ".toml", ".cfg")]
    said = f'"{__version__}"'
    assert [name(path) for path in listed if said in path.read_text("utf-8")] == ["clawgit/__init__.py"]


@pytest.mark.skipif(shutil.which("man") is None, reason="man; get it: apt-get install man-db groff")
def test_the_manual_page_is_read_without_a_complaint() -> None:
    page = ROOT / "docs/share/man/man1/clawgit.1"
    done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "clawgit soul diff [OPTIONS] [A] [B]" in done.stdout
