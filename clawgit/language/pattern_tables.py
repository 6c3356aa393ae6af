"""Reads tables of patterns from TOML."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def alternatives(file: Path, name: str) -> Mapping[str, str]:
    """Return a table of a TOML file: the pattern of each name, the lines of a list joined; {} without the table."""
    return {
        key: source if isinstance(source, str) else "|".join(source)
        for key, source in read_patterns_of(file, name).items()
    }


@cache
def pattern(file: Path, table: str, name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of a table, compiled when it is first asked for."""
    return re.compile(alternatives(file, table)[name], flags)


@cache
def load_table(file: Path) -> Mapping[str, Any]:
    """Return a TOML file as it is written."""
    import tomllib  # noqa: PLC0415 - costs 5 ms that most commands need not pay

    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_patterns_of(file: Path, name: str = "") -> dict[str, Any]:
    """Return a TOML file, or one table of it, with its `parts` in place of their `{name}`; {} without the table.

    A part that is a list matches one of its patterns.
    """
    table: Mapping[str, Any] = load_table(file).get(name, {}) if name else load_table(file)
    parts: dict[str, str] = {}
    for key, text in table.get("parts", {}).items():
        parts[f"{{{key}}}"] = _put_in(text if isinstance(text, str) else "|".join(text), parts)
    return {key: _put_in(value, parts) for key, value in table.items() if key != "parts"}


def _put_in(value: Any, parts: Mapping[str, str]) -> Any:
    """Return a value of a table with its parts in their places."""
    if isinstance(value, str):
        for name, text in parts.items() if "{" in value else ():
            value = value.replace(name, text)
        return value
    if isinstance(value, dict):
        return {key: _put_in(item, parts) for key, item in value.items()}
    return [_put_in(item, parts) for item in value] if isinstance(value, list) else value
