"""The printed fixes that a test ran as printed.

`pytest tests/promises tests/cli/test_fixes.py --write-fixes` lists them.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from tests.ratchets.measures import list_fixes

RUN = Path(__file__).parent / "fixes_run.txt"
_ran: set[str] = set()


def note(line: str) -> None:
    """Note that a line was run, and did what it says."""
    _ran.add(line.partition("   # ")[0])


def templates(lines: Iterable[str]) -> set[str]:
    """Return the templates whose printed form these lines are, each by the most exact one."""
    known = {template: _pattern(template) for template in list_fixes()}
    found = ([name for name, pattern in known.items() if pattern.fullmatch(line)] for line in lines)
    return {min(names, key=lambda name: name.count("{}")) for names in found if names}


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, template.split("{}"))), re.DOTALL)


def take() -> list[str]:
    """Return what was run in this process."""
    return sorted(_ran)


def write(lines: Iterable[str]) -> None:
    """Add to the list what was run, and take off it what is printed no more."""
    before = set(RUN.read_text("utf-8").splitlines()) if RUN.exists() else set()
    kept = (before & set(list_fixes())) | templates(lines)
    RUN.write_text("".join(f"{template}\n" for template in sorted(kept)), "utf-8")
