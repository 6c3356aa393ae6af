"""Makes text of others fit to be shown, nothing hidden."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from clawgit.safety import hidden_text

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_AWAY = re.compile("[\ud800-\udfff]")
_GRADES = ("operator", "agent", "untrusted", "unknown")
MAX_ROWS, _MAX_ROW_CHARS = 400, 4000


def plain(text: str) -> str:
    """Return a text with invisible characters spelled out, as `⟨U+202E⟩`; it can be sent as UTF-8.

    Characters that steer, hide or have no shape are spelled out; those that a script, an emoji or a line end needs
    stay.
    """
    return "".join(f"⟨{number}⟩" if number else part for part, number in _parts(text))


def draw_text(text: object) -> Markup:
    """Return a text as HTML, each hidden character as a small box with its number."""
    box = Markup('<span class="hidden-char" title="a character that nobody sees">{}</span>')
    return Markup("").join(box.format(number) if number else escape(part) for part, number in _parts(str(text)))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield parts of a text that stay, and numbers of characters that are to be spelled out."""
    if text.isprintable() and text.isascii():
        yield text, ""
        return
    bad = {index for run in hidden_text.scan(text) for index in range(run.start, run.end)}
    bad |= {match.start() for pattern in (_CONTROL, _AWAY) for match in pattern.finditer(text)}
    start = 0
    for index in sorted(bad):
        yield text[start:index], ""
        yield "", f"U+{ord(text[index]):04X}"
        start = index + 1
    yield text[start:], ""


def moment(said: object) -> str:
    """Return a moment in ISO 8601 to the minute, as people read it; anything else as it is."""
    text = said.isoformat() if isinstance(said, (date, datetime)) else str(said or "")
    return text[:16].replace("T", " ")


def short(said: object) -> str:
    """Return a commit, or the day of a moment, as people read it."""
    return str(said or "")[:10]


def grade(origin: object) -> str:
    """Return the CSS class of an origin, for its colour."""
    return f"of-{origin}" if origin in _GRADES else "of-unknown"


def thousands(number: object) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,}" if isinstance(number, (int, float)) else str(number)


def environment() -> Environment:
    """Return the environment of the templates: all is escaped, and an undefined value is an error."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        # No hidden character leaves by any expression.
        finalize=lambda value: plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "drawn": draw_text,
        "moment": moment,
        "short": short,
        "grade": grade,
        "n": thousands,
    }
    return templates


def cut_difference(hunks: Iterable[Mapping[str, Any]], most: int = MAX_ROWS) -> dict[str, Any]:
    """Return the first rows of some hunks, each no longer than four thousand letters, and how many are `left`.

    `come` and `gone` count the lines of all of it.
    """
    parts, room, left, additions, removals = [], most, 0, 0, 0
    for hunk in hunks:
        lines = hunk["lines"]
        additions += sum(row["op"] == "+" for row in lines)
        removals += sum(row["op"] == "-" for row in lines)
        rows = [_row(row) for row in lines[:room]]
        left += len(lines) - len(rows)
        room -= len(rows)
        if rows:
            first = next((index for index, row in enumerate(lines) if row["op"] != " "), 0)
            parts.append({"section": hunk["section"] or "", "start": hunk["new_start"] + first, "rows": rows})
    return {"hunks": parts, "left": left, "come": additions, "gone": removals}


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    words = [(word["op"], word["text"]) for word in row["words"]] or [(" ", row["text"])]
    parts, room = [], _MAX_ROW_CHARS
    for op, text in words:
        if len(text) > room:
            parts.append((op, f"{text[:room]} … {len(text) - room:,} more letters"))
            break
        parts.append((op, text))
        room -= len(text)
    return {"op": row["op"], "words": parts}
