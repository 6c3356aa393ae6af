"""Reads the front matter of a file."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from clawgit.text import yaml_reader


class FrontMatter(Struct, frozen=True):
    """The lines from `---` on the first line to the next `---`: their values, or why they are read as text."""

    values: Mapping[str, Any] = {}
    size: int = 0
    error: yaml_reader.BlockError | None = None

    @property
    def lines(self) -> int:
        """How many lines are front matter, and no text."""
        return self.size if self.values else 0


@lru_cache(maxsize=16)
def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a text. Anything but a YAML mapping right below the first line is text."""
    plain = text.removeprefix("\ufeff")
    if not plain.startswith("---") or plain.partition("\n")[0].rstrip(" \t\r") != "---":
        return FrontMatter()
    import frontmatter  # noqa: PLC0415 - takes 40 ms, and few files begin so

    mark = re.compile(r"^---[ \t\r]*$", re.MULTILINE)
    try:
        block, _ = frontmatter.default_handlers.YAMLHandler(mark).split(plain)
    except ValueError:  # it never ends
        return FrontMatter()
    size = block.count("\n") + 1
    if not block.partition("\n")[2].partition("\n")[0].strip():  # prose between two rules
        return FrontMatter(size=size)
    try:
        document = yaml_reader.read_yaml(block, yaml_reader.MAX_FRONT_MATTER_BYTES)
    except yaml_reader.BlockError as exc:
        return FrontMatter(size=size, error=exc)
    return FrontMatter(document[0] if document else {}, size)
