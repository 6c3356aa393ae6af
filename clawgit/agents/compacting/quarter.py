"""The archive of a quarter."""

import re
from collections.abc import Sequence
from datetime import date

from clawgit.agents.compacting import sources
from clawgit.agents.compacting.journals import Journal
from clawgit.text.document import parse
from clawgit.workspace.guard import cleaned

AGE = 90
"""Days after which a journal may go into the archive of its quarter."""
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def path(day: date) -> str:
    """Return the file that a day belongs to."""
    return f"memory/archive/{day.year:04}-Q{(day.month + 2) // 3}.md"


def add(text: str | None, some: Sequence[Journal]) -> str:
    """Return the archive with more journals at its end, each below a heading of its day."""
    parts = [] if text is None else [text if text.endswith("\n") else text + "\n"]
    parts += [_part(one) for one in some]
    return "\n".join(parts)


def _part(one: Journal) -> str:
    """Return a journal word for word; secrets are named, and what is left open is closed."""
    plain = cleaned(one.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    body = f"{_closed(plain)}\n\n" if plain.strip() else ""
    return f"# {one.day.isoformat()}\n\n{body}{sources.line(one)}\n"


def _closed(text: str) -> str:
    """Return a text after which others can stand: no code block and no comment is open at its end."""
    probe = parse(f"{text}\n\n# end of it\n")
    last = next((block for block in reversed(probe.blocks) if block.kind != "blank"), None)
    if last is None or last.kind == "heading":
        return text
    if text.rfind("<!--") > text.rfind("-->"):
        return f"{text}\n-->"
    fences = _FENCE.findall(text)
    return f"{text}\n{fences[-1]}" if fences else text
