"""Reads tables of patterns from TOML."""

import re
from pathlib import Path
from typing import Any

# A line of TOML whose strings are literal, as patterns are written: '…' or, with quotes inside, '''…'''.
_ITEM = r"(?:'''.*?'''|'[^']*')"
_LIST = rf"\[{_ITEM}(?:, {_ITEM})*\]"
_LINE = re.compile(
    rf"(?P<key>\w+) = (?:(?P<one>{_ITEM})|(?P<row>{_LIST})|(?P<true>true)|(?P<open>\[))"
    rf"|  (?P<item>{_ITEM}|{_LIST}),|(?P<close>\])"
    r"|(?:\[(?P<table>[\w.]+)\]|\[\[(?P<tables>[\w.]+)\]\])(?: +#.*)?|(?P<said> *(?:#.*)?)"
)
_ITEMS = re.compile(_ITEM)
_PART = re.compile(r"\{([a-z][a-z_]*)\}")
_QUOTES = 3


def read(file: Path, name: str = "") -> dict[str, Any]:
    """Return a TOML file, or one table of it, where its `parts` stand in for their `{name}`; {} without the table.

    A part that is a list stands for one of its patterns. Literal strings, lists of them and `true` are read line by
    line; TOML's own parser takes 5 ms to load, and is asked for the rest.
    """
    text = file.read_text(encoding="utf-8")
    cut = _cut(text, name) if name else text
    if name and not cut:
        return {}
    found = _lines(cut)
    if found is None:
        import tomllib  # noqa: PLC0415 - costs 5 ms that most commands need not pay

        found = tomllib.loads(cut)
    for word in name.split(".") if name else ():
        found = found[word]
    parts = _parts(found.pop("parts", {}))
    return {key: _whole(one, parts) for key, one in found.items()}


def _cut(text: str, name: str) -> str:
    """Return the lines of a table and of those within it."""
    headers = re.finditer(r"^\[+([\w.]+)\]+", text, re.MULTILINE)
    places = [(header.start(), f"{header[1]}.".startswith(f"{name}.")) for header in headers]
    ends = [*(start for start, _ in places[1:]), len(text)]
    return "".join(text[start:end] for (start, within), end in zip(places, ends, strict=True) if within)


def _lines(text: str) -> dict[str, Any] | None:
    """Return what the lines say, None where one is no such line."""
    found: dict[str, Any] = {}
    table, listed = found, None
    for line in text.split("\n"):
        if not (read := _LINE.fullmatch(line)):
            return None
        match read.lastgroup, listed:
            case "said", _:
                continue
            case "item", list():
                listed.append(_value(line[2:-1]))
            case "close", list():
                listed = None
            case "open", None:
                listed = table[read["key"]] = []
            case "one" | "row" | "true", None:
                key, _, value = line.partition(" = ")
                table[key] = _value(value)
            case "table" | "tables" as kind, None:
                table = _opened(found, read[kind].split("."), row=kind == "tables")
            case _:
                return None
    return found


def _opened(found: dict[str, Any], path: list[str], *, row: bool) -> dict[str, Any]:
    for name in path[:-1]:
        found = found.setdefault(name, {})
    fresh: dict[str, Any] = {}
    if row:
        found.setdefault(path[-1], []).append(fresh)
        return fresh
    opened: dict[str, Any] = found.setdefault(path[-1], fresh)
    return opened


def _value(written: str) -> Any:
    if written == "true":
        return True
    if written.startswith("["):
        return [_value(one) for one in _ITEMS.findall(written)]
    return written[_QUOTES:-_QUOTES] if written.startswith("'''") else written[1:-1]


def _parts(written: dict[str, Any]) -> dict[str, str]:
    """Return the parts, each with those above it put in."""
    parts: dict[str, str] = {}
    for name, text in written.items():
        parts[name] = _whole(text if isinstance(text, str) else "|".join(text), parts)
    return parts


def _whole(found: Any, parts: dict[str, str]) -> Any:
    if isinstance(found, str):
        return _PART.sub(lambda part: parts.get(part[1], part[0]), found) if "{" in found else found
    if isinstance(found, dict):
        return {name: _whole(one, parts) for name, one in found.items()}
    return [_whole(one, parts) for one in found] if isinstance(found, list) else found
