"""Cuts a text into words, numbers and marks."""

import re

from msgspec import Struct

_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\s]")  # noqa: RUF001 - as people type it


class Token(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a text: letters, digits, or one mark."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands."""
        return self.start, self.end


def tokens(text: str) -> list[Token]:
    """Return the words, runs of digits and marks of a text, in order; a typographic apostrophe is a plain one."""
    return [Token(one[0].replace("’", "'"), one.start(), one.end()) for one in _TOKEN.finditer(text)]  # noqa: RUF001
