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
    """Note that a line was run, and worked."""
    _ran.add(line.partition("   # ")[0])


def templates(lines: Iterable[str]) -> set[str]:
    """Return the templates of these printed lines, each by the most exact one."""
    patterns = {template: _pattern(template) for template in list_fixes()}
    matches = ([name for name, pattern in patterns.items() if pattern.fullmatch(line)] for line in lines)
    return {min(names, key=lambda name: name.count("{}")) for names in matches if names}


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, template.split("{}"))), re.DOTALL)


def take() -> list[str]:
    """Return the lines that were run in this process."""
    return sorted(_ran)


def write(lines: Iterable[str]) -> None:
    """Add the lines that were run to the list, and remove those that are printed no more."""
    before = set(RUN.read_text("utf-8").splitlines()) if RUN.exists() else set()
    all_fixes = (before & set(list_fixes())) | templates(lines)
    RUN.write_text("".join(f"{template}\n" for template in sorted(all_fixes)), "utf-8")
