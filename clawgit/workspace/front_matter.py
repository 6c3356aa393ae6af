"""Reads what a file says of itself before it begins."""

from collections.abc import Mapping
from typing import Any

from clawgit.text import markdown_settings, yaml_reader


def parse(text: str) -> Mapping[str, Any]:
    """Return what the front matter of a text says, {} where it has none. Raises BlockError, with the line of the text.

    Whatever is no mapping is text.
    """
    plain = text.removeprefix("\ufeff")
    if not plain.startswith("---"):
        return {}
    import frontmatter  # noqa: PLC0415 - takes 90 ms, and few files begin so

    class Handler(frontmatter.default_handlers.YAMLHandler):
        def load(self, fm: str, **_: object) -> Any:
            yaml_reader.require_size(fm, yaml_reader.MAX_FRONT_MATTER_BYTES)
            return (markdown_settings.parse_simple(fm) or yaml_reader.read_yaml(fm) or ({}, {}))[0]

    try:
        known: Mapping[str, Any] = frontmatter.parse(plain, handler=Handler())[0]
    except yaml_reader.BlockError as exc:
        exc.line += 1
        raise
    return known


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
