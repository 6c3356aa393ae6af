"""Reads the front matter of a file."""

from collections.abc import Mapping
from typing import Any


def read(text: str) -> Mapping[str, Any] | None:
    """Return what the front matter of a text says, {} where it has none, None where it cannot be read."""
    if not text.removeprefix("\ufeff").startswith("---"):
        return {}
    import frontmatter  # noqa: PLC0415 - takes 90 ms, and few files begin so

    try:
        known, _ = frontmatter.parse(text)
    except Exception:  # noqa: BLE001 - YAML raises errors of many kinds
        return None
    return known


def field(text: str, name: str) -> str:
    """Return one value of the front matter as a line of text, "" where it says none."""
    value = (read(text) or {}).get(name)
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""
