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
    """Return a text in which what nobody sees is spelled out, as `⟨U+202E⟩`; it can be sent as UTF-8.

    What steers, hides or has no shape is spelled out; what a script, an emoji or a line end needs stays.
    """
    return "".join(f"⟨{number}⟩" if number else kept for kept, number in _parts(text))


def drawn(text: object) -> Markup:
    """Return a text as HTML, each hidden character as a small box with its number."""
    box = Markup('<span class="hidden-char" title="a character that nobody sees">{}</span>')
    return Markup("").join(box.format(number) if number else escape(kept) for kept, number in _parts(str(text)))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield parts of a text that stay, and numbers of characters that are to be spelled out."""
    if text.isprintable() and text.isascii():
        yield text, ""
        return
    bad = {at for run in hidden_text.scan(text) for at in range(run.start, run.end)}
    bad |= {found.start() for pattern in (_CONTROL, _AWAY) for found in pattern.finditer(text)}
    start = 0
    for at in sorted(bad):
        yield text[start:at], ""
        yield "", f"U+{ord(text[at]):04X}"
        start = at + 1
    yield text[start:], ""


def moment(said: object) -> str:
    """Return a moment in ISO 8601 to the minute, as people read it; anything else as it is."""
    text = said.isoformat() if isinstance(said, (date, datetime)) else str(said or "")
    return text[:16].replace("T", " ")


def short(said: object) -> str:
    """Return a commit, or the day of a moment, as people read it."""
    return str(said or "")[:10]


def grade(origin: object) -> str:
    """Return the class of whose words it is, for a colour."""
    return f"of-{origin}" if origin in _GRADES else "of-unknown"


def thousands(number: object) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,}" if isinstance(number, (int, float)) else str(number)


def environment() -> Environment:
    """Return what renders the templates: all is escaped, and what is undefined is an error."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        # No hidden character leaves by any expression.
        finalize=lambda value: plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "drawn": drawn,
        "moment": moment,
        "short": short,
        "grade": grade,
        "n": thousands,
    }
    return made


def cut_difference(hunks: Iterable[Mapping[str, Any]], most: int = MAX_ROWS) -> dict[str, Any]:
    """Return the first rows of some hunks, each no longer than four thousand letters, and how many are `left`.

    `come` and `gone` count the lines of all of it.
    """
    shown, room, left, come, gone = [], most, 0, 0, 0
    for one in hunks:
        lines = one["lines"]
        come += sum(row["op"] == "+" for row in lines)
        gone += sum(row["op"] == "-" for row in lines)
        kept = [_row(row) for row in lines[:room]]
        left += len(lines) - len(kept)
        room -= len(kept)
        if kept:
            first = next((at for at, row in enumerate(lines) if row["op"] != " "), 0)
            shown.append({"section": one["section"] or "", "start": one["new_start"] + first, "rows": kept})
    return {"hunks": shown, "left": left, "come": come, "gone": gone}


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    words = [(one["op"], one["text"]) for one in row["words"]] or [(" ", row["text"])]
    kept, room = [], _MAX_ROW_CHARS
    for op, text in words:
        if len(text) > room:
            kept.append((op, f"{text[:room]} … {len(text) - room:,} more letters"))
            break
        kept.append((op, text))
        room -= len(text)
    return {"op": row["op"], "words": kept}
