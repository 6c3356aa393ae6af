"""Reads what a file says of itself before it begins."""

from collections.abc import Mapping
from typing import Any

from clawgit.text import markdown_settings, yaml_reader


def parse(text: str) -> Mapping[str, Any]:
    """Return what the front matter of a text says, {} where it has none. Raises BlockError, with the line of the text.

    Whatever is no mapping is text.
    """
    first, *rows = text.removeprefix("\ufeff")[: yaml_reader.MAX_FRONT_MATTER_BYTES + 1].split("\n")
    if first.rstrip() != "---":
        return {}
    end = next((number for number, row in enumerate(rows) if row.rstrip() in ("---", "...")), None)
    if end is None:
        if len(text) <= yaml_reader.MAX_FRONT_MATTER_BYTES or "\n---" not in text[3:]:
            return {}
        raise yaml_reader.RefusedError(1, f"front matter over {yaml_reader.MAX_FRONT_MATTER_BYTES:,} bytes is not read")
    block = "".join(f"{row}\n" for row in rows[:end])
    try:
        simple = markdown_settings.parse_simple(block)
        return (simple or yaml_reader.read_yaml(block, yaml_reader.MAX_FRONT_MATTER_BYTES) or ({}, {}))[0]
    except yaml_reader.BlockError as exc:
        exc.line += 1
        raise


def read(text: str) -> Mapping[str, Any] | None:
    """Return what the front matter of a text says, {} where it has none, None where it cannot be read."""
    try:
        return parse(text)
    except yaml_reader.BlockError:
        return None


def field(text: str, name: str) -> str:
    """Return one value of the front matter as a line of text, "" where it says none."""
    value = (read(text) or {}).get(name)
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""
