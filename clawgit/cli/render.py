"""Shows a document to people, whichever command made it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

from clawgit.errors import Fix

_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003ffff"
_PIECE = rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+"
"""White space, a wide letter, a word: compiled by the first line that is too long, for that is slow."""


class Span(NamedTuple):
    """Text in one style: the name of a colour, "bold", "dim" or "" for plain; one that is `whole` is never broken."""

    text: str
    style: str = ""
    whole: bool = False


Line = tuple[Span, ...]
HANG = Span("", "hang")
"""Marks the start of the last column of a line: its continuation is printed below that."""
_ROOM = 24
"""The least width of the last column for such a continuation."""


def line(*parts: str | Span) -> Line:
    """Return a line from spans and plain text."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def measure_width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return len(text) if text.isascii() else sum(map(_count_columns, text))


def _count_columns(letter: str) -> int:
    import unicodedata  # noqa: PLC0415 - the help does without

    # These characters take no column of their own.
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrap(row: Line, columns: int) -> Iterator[Line]:
    """Yield a row in lines of at most `columns`, broken between words; a word that is longer is left whole."""
    text = "".join(span.text for span in row)
    if measure_width(text) <= columns:
        yield row
        return
    indent, column, current = len(text) - len(text.lstrip()) + 2, 0, list[Span]()
    for span in row:
        if span is HANG and columns - column >= _ROOM:
            indent = column
        for piece in (span,) if span.whole else (Span(word, span.style) for word in re.findall(_PIECE, span.text)):
            size = measure_width(piece.text)
            # A command to paste is never broken.
            if column + size > columns and column > indent and not span.whole:
                while current and current[-1].text.isspace():
                    current.pop()
                yield tuple(current)
                current, column = [Span(" " * indent)], indent
                if piece.text.isspace():
                    continue
            current.append(piece)
            column += size
    yield tuple(current)


def render_fix(indent: int, fix: Fix | str, label: str = "fix: ") -> Line:
    """Return the line with the fix for the message above, in a form to paste."""
    return line(" " * indent, Span(label, "cyan"), Span(str(fix), whole=True))


def count_noun(number: int, word: str) -> str:
    """Return "1 file", "2 files"."""
    return f"{number:,} {word if number == 1 else f'{word}s'}"


def format_minute(moment: str) -> str:
    """Return a moment in ISO 8601 as people read it, to the minute."""
    return moment[:16].replace("T", " ")


_MAX_ROWS, _MAX_WORDS = 40, 6
"""Of a list within a record, and of a list in one cell; `--json` has the others."""
_COMMANDS = {
    **{name: f"{name}: " for name in ("fix", "undo", "accept", "reject", "approve")},
    "command": "do it: ",
    "review": "see: ",
    "restore": "back: ",
}
_PREFIXED_KEYS = ("used", "says", "from", "to", "since", "until", "first", "last")
"""Words of a record within another that do not speak for themselves."""
_LONG_WORD = 8
"""Characters of what is not said again where a longer text has it."""
_CONFLICTS, _SIDE = 2, 5
"""So many conflicts are shown, and lines of each side: a screen in all."""
_STYLES = {"id": "cyan", "change": "cyan", "path": "cyan", "commit": "yellow", "text": "bold", "title": "bold"}
_LEVELS = {
    **dict.fromkeys(("alarm", "failed", "killed"), "red"),
    **dict.fromkeys(("warning", "edited", "missing"), "yellow"),
}
_COMMIT = re.compile(r"[0-9a-f]{40}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_LINE_STYLES = {"+": "green", "-": "red", " ": "dim"}
_WORD_STYLES = {"+": "came", "-": "went", " ": ""}


def draw_document(document: object, names: str = "") -> Iterator[Line]:
    """Yield a document: of a record a row for each field, of a list a row for each record.

    `names` names the fields in their order, as `fields` takes them: `label=key`, and `key.inner` for a field of a
    record within, `label?` leaves out a number that is 0; "" is all of them. A field that is empty is left out.
    """
    if isinstance(document, Mapping):
        yield from draw_record(document, names)
    elif isinstance(document, list):
        yield from draw_table(document, names)


def draw_record(document: Mapping[str, Any], names: str = "") -> Iterator[Line]:
    """Yield the fields of a record, a label before each."""
    values = {label: value for label, value in _choose_fields(document, names).items() if not _is_empty(value)}
    size = max(map(len, values), default=0) + 3
    for label, value in values.items():
        if label == "hunks":
            yield from draw_hunks(value)
            continue
        name = f"{label}:" if label in _COMMANDS else label.replace("_", " ")
        for row in _draw_value(label, value):
            yield line(Span(f"{name:<{size}}", "dim"), HANG, *row)
            name = ""


def draw_table(documents: Sequence[Mapping[str, Any]], names: str = "") -> Iterator[Line]:
    """Yield records as a table: a head, a row of cells for each, below it their lists and commands."""
    rows = [_choose_fields(document, names) for document in documents]
    labels = dict.fromkeys(key for row in rows for key in row)
    columns = [
        label
        for label in labels
        if label not in _COMMANDS
        and not any(_is_nested(row.get(label)) for row in rows)
        and not all(_is_empty(row.get(label)) for row in rows)
    ]
    cells = [[_make_cell(label, row.get(label)) for label in columns] for row in rows]
    # One row or one column needs no head.
    if len(columns) > 1 and len(cells) > 1:
        rows.insert(0, {})
        cells.insert(0, [Span(label.replace("_", " "), "dim") for label in columns])
    sizes = [max(measure_width(cell.text) for cell in column) for column in zip(*cells, strict=True)]
    for row, record in zip(cells, rows, strict=True):
        parts = list[Span]()
        for cell, size in zip(row, sizes, strict=True):
            parts += (cell, Span(" " * (size - measure_width(cell.text) + 2)))
        yield (*parts[:-2], HANG, *parts[-2:-1])
        yield from _draw_rest({label: record.get(label) for label in labels if label not in columns})


def _choose_fields(document: Mapping[str, Any], names: str) -> dict[str, Any]:
    """Return the fields that `names` names, under their labels."""
    record = dict(document) if not names else {}
    for word in names.split():
        label, _, place = word.rstrip("?").partition("=")
        value: Any = document
        for key in (place or label).split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        record[label] = (value or None) if word.endswith("?") else value
    return record


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], (), {}) or (isinstance(value, Fix) and not value)


def _is_nested(value: object) -> bool:
    """Return whether a value has records in it."""
    return isinstance(value, Mapping) or (isinstance(value, list | tuple) and any(map(_is_nested, value)))


def _draw_value(label: str, value: object) -> Iterator[Line]:
    """Yield the rows of a value."""
    if label in _COMMANDS:
        commands = value if isinstance(value, list | tuple) else [value]
        yield from (line(Span(str(command), whole=True)) for command in commands)
    elif label == "hunks" and isinstance(value, list | tuple):
        yield from draw_hunks(value)
    elif isinstance(value, Mapping):
        yield from _draw_inner_record(value)
    elif isinstance(value, list | tuple):
        yield from _draw_list(label, value)
    elif isinstance(value, str):
        yield from (line(_make_cell(label, text)) for text in value.strip("\n").splitlines())
    else:
        yield line(_make_cell(label, value))


def _draw_list(label: str, values: Sequence[object]) -> Iterator[Line]:
    if not _is_nested(values) and not any(isinstance(value, str) for value in values):
        yield line(_make_cell(label, values))
        return
    for value in values[:_MAX_ROWS]:
        if isinstance(value, str):  # a name stands on one line, whatever is in it
            name = value if value.isprintable() else value.encode("unicode_escape").decode("ascii")
            yield line(_make_cell(label, name))
        else:
            yield from _draw_value(label, value)
    if len(values) > _MAX_ROWS:
        yield line(Span(f"… and {len(values) - _MAX_ROWS:,} more (--json lists all)", "dim"))


def _draw_inner_record(document: Mapping[str, Any]) -> Iterator[Line]:
    """Yield an inner record: its fields in one row, below that its commands and its own inner records.

    Of a record with a message only that is shown.
    """
    if message := document.get("message"):
        yield line(Span(reveal_text(str(message)), _LEVELS.get(str(document.get("level")), "")))
        yield from _draw_rest({key: value for key, value in document.items() if key in _COMMANDS})
        return
    if after := document.get("becomes"):
        document = {**document, "text": f"{document['text']} → {after}", "becomes": None}
    rest, parts = dict[str, Any](), list[Span]()
    for key, value in document.items():
        if key in _COMMANDS or _is_nested(value) or (isinstance(value, str) and "\n" in value.strip()):
            rest[key] = value
            continue
        part = _describe_briefly(key, value)
        # A long text that another field already has is not repeated.
        is_said = len(part.text) >= _LONG_WORD and any(part.text in other.text for other in parts)
        if part.text and not is_said:
            parts += (Span(", "), part)
    if parts:
        yield tuple(parts[1:])
    yield from _draw_rest(rest)


def _draw_rest(rest: Mapping[str, Any]) -> Iterator[Line]:
    for key, value in rest.items():
        if not _is_empty(value):
            head = _COMMANDS.get(key) or ("" if isinstance(value, list | tuple) else f"{key.replace('_', ' ')}: ")
            for row in _draw_value(key, value):
                yield line("  ", Span(head, "cyan" if key in _COMMANDS else "dim"), *row)
                head = ""


def _describe_briefly(key: str, value: object) -> Span:
    """Return a field of a record within another: words as they are, a number with its name, True as its name."""
    name = key.replace("_", " ")
    if value is True or not value:
        return Span(name if value else "")
    if isinstance(value, str | list | tuple) and key.isidentifier() and key not in _PREFIXED_KEYS:
        return _make_cell(key, value)
    return Span(f"{name} {_make_cell(key, value).text}")


def _make_cell(key: str, value: object) -> Span:
    """Return a value on one line, with characters that nobody sees written out as their numbers."""
    if isinstance(value, list | tuple):
        suffix = f" and {len(value) - _MAX_WORDS:,} more" if len(value) > _MAX_WORDS else ""
        return Span(", ".join(_make_cell(key, item).text for item in value[:_MAX_WORDS]) + suffix)
    if not isinstance(value, str | Fix | PathLike):
        return Span(_format_plain(value))
    text = str(value)
    text = " ".join(text.split()) if "\n" in text else text
    if _COMMIT.fullmatch(text):
        return Span(text[:10], "yellow")
    if _MOMENT.match(text):
        return Span(text[:16].replace("T", " "))
    return Span(reveal_text(text), _LEVELS.get(text) or _STYLES.get(key, ""))


def _format_plain(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def reveal_text(text: str) -> str:
    """Return a text in which characters that nobody sees are written out as their numbers."""
    if text.isascii():
        return text
    from clawgit.safety import hidden_text  # noqa: PLC0415 - few texts need it

    # From the end, so that the earlier positions stay valid.
    for run in reversed(hidden_text.find_hidden_text(text)):
        codes = "".join(f"<U+{ord(letter):04X}>" for letter in text[run.start : run.end])
        text = f"{text[: run.start]}{codes}{text[run.end :]}"
    return text


def draw_hunks(documents: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    """Yield changed lines, each group under its section."""
    for index, document in enumerate(documents):
        if index:
            yield line("")
        first = next((row for row, changed in enumerate(document["lines"]) if changed["op"] != " "), 0)
        number = f"({document['number']}) " if "number" in document else ""
        path = f"{document['path']} · " if "path" in document else ""
        place = f"{document['section'] or 'above the first heading'} · line {document['new_start'] + first}"
        yield line(Span(f"@@ {number}{path}{place} @@", "cyan"))
        yield from map(_draw_changed_line, document["lines"])


def _draw_changed_line(row: Mapping[str, Any]) -> Line:
    op, style = row["op"], _LINE_STYLES[row["op"]]
    if not row["words"]:
        return line(Span(f"{op} {reveal_text(row['text'])}" if row["text"] else op.strip(), style))
    words = (Span(reveal_text(word["text"]), _WORD_STYLES[word["op"]]) for word in row["words"])
    return line(Span(f"{op} ", style), *words)


def draw_conflicts(documents: Sequence[Mapping[str, Any]], sides: Sequence[str], whole: str) -> Iterator[Line]:
    """Yield the sides of each conflict, no more than a screen of them; `whole` is the command that shows everything.

    `sides` name the base, ours and theirs.
    """
    for document in documents[:_CONFLICTS]:
        for title, key in zip(sides, ("base", "ours", "theirs"), strict=True):
            texts = document[key].strip("\r\n").splitlines() or ["(nothing)"]
            yield line(f"  {title}:")
            yield from (line("    ", reveal_text(text)) for text in texts[:_SIDE])
            if len(texts) > _SIDE:
                yield line(Span(f"    … and {len(texts) - _SIDE:,} more lines", "dim"))
    yield line("  all of it: ", Span(whole, "cyan"))
    yield line("  choose: leave it as it stands, take the later change back first, or edit the file by hand")
