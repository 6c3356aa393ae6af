"""Cuts a release: the version, the changelog, a commit, a tag, the packages.

    python docs/release.py [VERSION] [--apply]

Without --apply it says what it would do. VERSION is the one that clawgit/__init__.py names, without its `.dev0`, unless
it is given. Nothing is pushed.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG, VERSION = ROOT / "CHANGELOG.md", ROOT / "clawgit/__init__.py"
HEAD = "## [Unreleased]\n"
SAID = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
FORM = re.compile(r"\d+\.\d+\.\d+")


class RefusedError(Exception):
    """No release can be cut."""


def main(arguments: list[str]) -> int:
    """Cut it, or tell what would be done; return the exit code."""
    given = [word for word in arguments if not word.startswith("-")]
    try:
        version = given[0] if given else present().removesuffix(".dev0")
        text = cut(CHANGELOG.read_text("utf-8"), version, datetime.now(UTC).date().isoformat())
        require(version)
    except RefusedError as exc:
        print(f"error: {exc}", file=sys.stderr)
        return 1
    if "--apply" not in arguments:
        print(f"would release {version}: its entries are {entries(text, version)} lines of CHANGELOG.md")
        print(f"  clawgit/__init__.py  {present()} becomes {version}")
        print(f"  git                  commit “release: {version}”, tag v{version}; nothing is pushed")
        print("  dist/                the wheel and the source archive")
        print(f"do it: make release VERSION={version} APPLY=1")
        return 0
    CHANGELOG.write_text(text, "utf-8")
    VERSION.write_text(SAID.sub(f'__version__ = "{version}"', VERSION.read_text("utf-8")), "utf-8")
    for words in (
        [sys.executable, "docs/generate.py"],
        ["git", "commit", "--quiet", "--all", "--message", f"release: {version}"],
        ["git", "tag", "--annotate", f"v{version}", "--message", f"clawgit {version}"],
        [sys.executable, "-m", "build", "--no-isolation"],
    ):
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    print(f"released {version} here; push it: git push origin HEAD v{version}")
    return 0


def present() -> str:
    """Return the version that the code names."""
    found = SAID.search(VERSION.read_text("utf-8"))
    assert found is not None
    return found[1]


def cut(text: str, version: str, day: str) -> str:
    """Return the changelog with what is unreleased under `version`. Raises RefusedError where nothing is."""
    if not FORM.fullmatch(version):
        raise RefusedError(f"{version} is no version such as 0.2.0")
    if f"## [{version}]" in text:
        raise RefusedError(f"CHANGELOG.md has a section of {version} already")
    before, head, after = text.partition(HEAD)
    if not re.match(r"\n*(?:### .*\n+)*- ", after):
        raise RefusedError("CHANGELOG.md has nothing under [Unreleased]")
    return f"{before}{head}\n## [{version}] - {day}\n{after}"


def entries(text: str, version: str) -> int:
    """Return how many entries the section of a version has."""
    section = text.partition(f"## [{version}]")[2].partition("\n## [")[0]
    return len(re.findall(r"^- ", section, re.MULTILINE))


def require(version: str) -> None:
    """Raise RefusedError where git stands in the way: something is not committed, or the tag is taken."""
    if git("status", "--porcelain"):
        raise RefusedError("something is not committed\n  fix: git status")
    if git("tag", "--list", f"v{version}"):
        raise RefusedError(f"the tag v{version} is there already\n  fix: git tag --list")


def git(*words: str) -> str:
    """Return what git says."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
