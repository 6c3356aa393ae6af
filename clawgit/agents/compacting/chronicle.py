"""Archives of journals: their own text, day after day."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from clawgit.agents.compacting import sources
from clawgit.agents.compacting.journals import Journal
from clawgit.search.boilerplate import CHRONICLE
from clawgit.text import lines, outline
from clawgit.text.document import parse
from clawgit.workspace.guard import cleaned

Form = Literal["chronicle", "quarterly"]
FOLDER = "memory/archive/chronicles"
MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
QUARTERLY = 90
"""Days after which a journal may go into the archive of its quarter."""
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)

Told = Mapping[str, str]
"""What a voice made of some journals, by path: the text of the day."""


def path(day: date, form: Form = "chronicle") -> str:
    """Return the archive of a day: of its month (spec §5.5, below memory/ where OpenClaw searches), or its quarter."""
    if form == "quarterly":
        return f"memory/archive/{day.year:04}-Q{(day.month + 2) // 3}.md"
    return f"{FOLDER}/{day.year:04}-{MONTHS[day.month - 1]}.md"


def title(place: str) -> str:
    """Return the words for the chronicle at `place`, or of its month."""
    year, _, month = place.rpartition("/")[2].removesuffix(".md").partition("-")
    return f"{month} {year}"


def add(text: str | None, place: str, some: Sequence[Journal], told: Told | None = None) -> str:
    """Return an archive with more journals at its end, each below a heading of its day; no line that stood there goes.

    They stand there in their own words (a voice may have told some), and each is named as its source. That is an
    archive and no summary, which a chronicle says at its beginning.
    """
    known = told or {}
    parts = [text if text.endswith("\n") else text + "\n"] if text is not None else []
    if text is None and place.startswith(FOLDER):
        parts.append(f"# Chronicle of {title(place)}\n\n{CHRONICLE}")
    parts += [_part(one, known.get(one.path)) for one in some]
    return "\n".join(parts)


def words(one: Journal) -> str:
    """Return a journal as an archive holds it: word for word, secrets named instead of shown."""
    plain = cleaned(one.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    return plain.strip("\n")


def _part(one: Journal, told: str | None) -> str:
    text = _below(words(one) if told is None else told, one.day)
    body = f"{_closed(text)}\n\n" if text.strip() else ""
    return f"# {one.day.isoformat()}\n\n{body}{sources.line(one)}\n"


def _below(text: str, day: date) -> str:
    """Return a text whose headings stand below that of its day, else a search would not know of which day a line is.

    Where one is as high and does not name the day, each gets a `#` more; nothing else changes.
    """
    heads = list(outline.sections(text))
    if not any(one.level == 1 and day.isoformat() not in one.title for one in heads):
        return text
    rows = lines.split(text)
    for one in heads:
        row = rows[one.line - 1]
        if row.startswith("#") and one.level < 6:  # noqa: PLR2004 - the deepest
            rows[one.line - 1] = f"#{row}"
    return "".join(rows)


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
