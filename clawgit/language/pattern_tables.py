"""Reads tables of patterns from TOML."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def alternatives(file: Path, name: str) -> Mapping[str, str]:
    """Return a table of a TOML file: the pattern of each name, the lines of a list joined; {} without the table."""
    return {key: said if isinstance(said, str) else "|".join(said) for key, said in read(file, name).items()}


@cache
def pattern(file: Path, table: str, name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of a table, compiled when it is first asked for."""
    return re.compile(alternatives(file, table)[name], flags)


def read(file: Path, name: str = "") -> dict[str, Any]:
    """Return a TOML file, or one table of it, where its `parts` stand in for their `{name}`; {} without the table.

    A part that is a list stands for one of its patterns. Literal strings, lists of them and `true` are read line by
    line; TOML's own parser takes 5 ms to load, and is asked for the rest.
    """
    text = file.read_text(encoding="utf-8")
    found = lines(text, name)
    if found is None:
        import tomllib  # noqa: PLC0415 - costs 5 ms that most commands need not pay

        found = tomllib.loads(text)
        found = found.get(name, {}) if name else found
    parts = _parts(found.pop("parts", {}))
    return {key: _whole(one, parts) for key, one in found.items()}


def lines(text: str, name: str = "") -> dict[str, Any] | None:
    """Return what the lines of TOML say of a table, or of all; None where one says something in another way."""
    found: dict[str, Any] = {}
    table, listed, within = found, None, not name
    first = text.rfind("\n", 0, text.find(f"[{name}")) + 1 if name else 0
    for line in text[first:].split("\n"):
        begin = line[:1]
        if begin == "[":
            path, row = _header(line)
            if not path or listed is not None:
                return None
            within = not name or path[0] == name
            table = _opened(found, path[bool(name) :], row=row) if within else found
        elif not within or begin in ("", "#"):
            continue
        elif begin == " " and listed is not None:
            if not _listed(line.strip(), listed):
                return None
        elif line == "]" and listed is not None:
            listed = None
        else:
            key, _, said = line.partition(" = ")
            value = [] if said == "[" else _value(said)
            if listed is not None or value is None or not key.isidentifier():
                return None
            table[key], listed = value, value if said == "[" else None
    return found if listed is None else None


def _listed(said: str, listed: list[Any]) -> bool:
    """Take a line of a list, tell whether it is one."""
    value = _value(said[:-1]) if said.endswith(",") else None
    if value is not None:
        listed.append(value)
    return value is not None or said.startswith("#")


def _header(line: str) -> tuple[list[str], bool]:
    """Return the names of `[a.b]`, and whether it is one of several, as `[[a.b]]`; no names for anything else."""
    said = line.partition("  #")[0].rstrip()
    row = said.startswith("[[") and said.endswith("]]")
    path = (said[2:-2] if row else said[1:-1]).split(".")
    sound = said.endswith("]") and all(one.isidentifier() for one in path)
    return (path if sound else []), row


def _opened(found: dict[str, Any], path: list[str], *, row: bool) -> dict[str, Any]:
    if not path:
        return found
    for name in path[:-1]:
        found = found.setdefault(name, {})
    fresh: dict[str, Any] = {}
    if row:
        found.setdefault(path[-1], []).append(fresh)
        return fresh
    opened: dict[str, Any] = found.setdefault(path[-1], fresh)
    return opened


def _value(written: str) -> Any:
    """Return a literal string, a list of them, or True; None for what is written in another way."""
    if written == "true":
        return True
    if not written.startswith("["):
        value, end = _literal(written, 0)
        return value if end == len(written) else None
    items = list(_items(written))
    return None if None in items else items


def _items(written: str) -> Iterator[str | None]:
    """Yield the strings of a list, None at last where it is written in another way."""
    at = 1
    while at:
        value, at = _literal(written, at)
        yield value
        if written[at:] == "]":
            return
        at = at + 2 if value is not None and written.startswith(", ", at) else 0
    yield None


def _literal(written: str, at: int) -> tuple[str | None, int]:
    """Return the string '…' or '''…''' that begins at a place, and where it ends; None for none."""
    quotes = "'''" if written.startswith("'''", at) else "'"
    start = at + len(quotes)
    end = written.find(quotes, start) if written.startswith(quotes, at) else -1
    return (written[start:end], end + len(quotes)) if end >= 0 else (None, at)


def _parts(written: Mapping[str, Any]) -> dict[str, str]:
    """Return the parts, each with those above it put in."""
    parts: dict[str, str] = {}
    for name, text in written.items():
        parts[f"{{{name}}}"] = _whole(text if isinstance(text, str) else "|".join(text), parts)
    return parts


def _whole(found: Any, parts: Mapping[str, str]) -> Any:
    if isinstance(found, str):
        for name, text in parts.items() if "{" in found else ():
            found = found.replace(name, text)
        return found
    if isinstance(found, dict):
        return {name: _whole(one, parts) for name, one in found.items()}
    return [_whole(one, parts) for one in found] if isinstance(found, list) else found
