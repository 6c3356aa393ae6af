"""Brings what the stories in a browser need: Playwright for this Python, axe-core from npm; finds Chromium.

Prints the path of Chromium and of axe.min.js, with a colon between them. Exits with 3, and says why on stderr, where
they cannot be had; with `--optional` that is fine, and nothing is printed.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

AXE = "4.14.1"
PLAYWRIGHT = "playwright>=1.65,<2"
NAMES = ("chromium", "chromium-browser", "google-chrome")
CANNOT = 3
PATIENCE = 300


class CannotBeHadError(Exception):
    """A program is missing; the message has the fix."""


def run(*command: str, cwd: Path | None = None) -> None:
    try:
        result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CannotBeHadError(f"{command[0]} did not do it: {problem}") from problem
    if result.returncode:
        words = "\n".join((result.stdout + result.stderr).strip().splitlines()[-6:])
        raise CannotBeHadError(f"{' '.join(command[:3])} failed with {result.returncode}\n{words}")


def chromium() -> str:
    """Return the path of a Chromium that this machine has."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise CannotBeHadError("there is no Chromium; get it: apt-get install chromium")
    return program


def axe() -> Path:
    """Return the file of axe-core, which npm brings once."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute()
    place = caches / "clawgit-browser" / f"axe-{AXE}.min.js"
    if place.is_file():
        return place
    if shutil.which("npm") is None:
        raise CannotBeHadError("npm is missing; get it: apt-get install npm")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        run("npm", "pack", "--silent", f"axe-core@{AXE}", cwd=Path(folder))
        run("tar", "xzf", f"axe-core-{AXE}.tgz", "package/axe.min.js", cwd=Path(folder))
        (Path(folder) / "package/axe.min.js").replace(place)
    return place


def main() -> int:
    try:
        browser = chromium()
        if importlib.util.find_spec("playwright") is None:
            run(sys.executable, "-m", "pip", "install", "--quiet", PLAYWRIGHT)
        print(f"{browser}:{axe()}")
    except CannotBeHadError as problem:
        print(f"stories in a browser: {problem}", file=sys.stderr)
        return 0 if "--optional" in sys.argv else CANNOT
    return 0


if __name__ == "__main__":
    sys.exit(main())
