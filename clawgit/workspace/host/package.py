"""The OpenClaw that is installed, read and never run."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from clawgit.workspace.host import files as host_files

_NAMES = ("openclaw", "moltbot", "clawdbot")
_HEIGHT = 6
_WRAPPER = 16 << 10
_INSIDE = re.compile(rf"""([^\s"'=]*node_modules/(?:{"|".join(_NAMES)}))(?=[/"'\s])""")
_FRONT = re.compile(r"\A---\n.*?\n---[ \t]*(?:\n|\Z)\s*", re.DOTALL)
_TEMPLATES = "docs/reference/templates"


def find(environ: Mapping[str, str]) -> Path | None:
    """Return the folder of the package whose command is on PATH, None where there is none."""
    for name in _NAMES:
        command = shutil.which(name, path=environ.get("PATH", ""))
        if command and (folder := next(filter(_is_package, _near(Path(command))), None)):
            return folder
    return None


def _near(command: Path) -> Iterator[Path]:
    """Yield where a package may lie: around the file behind a link, where a wrapper leads to, beside the command."""
    try:
        real = command.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return
    yield from list(real.parents)[:_HEIGHT]
    try:
        text = host_files.read(real, _WRAPPER)
    except OSError:
        text = ""
    for found in _INSIDE.findall(text):
        below = re.sub(r"^\$\{?basedir\}?/|^\$\(dirname \S+\)/|^%~?dp0%?[\\/]", "", found)
        yield real.parent / below
    for name in _NAMES:
        yield real.parent.parent / "lib/node_modules" / name
        yield real.parent / "node_modules" / name


def _is_package(folder: Path) -> bool:
    return _manifest(folder).get("name") in _NAMES


def _manifest(folder: Path) -> Mapping[str, object]:
    import json  # noqa: PLC0415 - where nothing is installed, nothing is read

    try:
        found = json.loads(host_files.read(folder / "package.json"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def version(folder: Path) -> object:
    """Return what the package calls its version."""
    return _manifest(folder).get("version")


def templates(folder: Path) -> Mapping[str, str]:
    """Return the texts that a new workspace is given, by name of file, without their front matter."""
    found = {}
    for place in sorted((folder / _TEMPLATES).glob("*.md")):
        try:
            text = host_files.read(place)
        except OSError:
            continue
        found[place.name] = _FRONT.sub("", text.replace("\r\n", "\n"), count=1)
    return found
