"""The lines that a commit adds to a file."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.git.churn import Touch
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding


class Additions(Struct, frozen=True):
    """Added lines of the file at `path`, with the number that each has in the file."""

    path: str
    numbers: tuple[int, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The lines as text, whatever they hold."""
        return self.data.decode("utf-8", "replace")

    def secrets(self) -> Iterator[tuple[int, Finding]]:
        """Yield the secrets among them, each with the number of its line; none of a binary file."""
        if b"\0" not in self.data:
            yield from ((self.number(found.line), found) for found in secrets.scan(self.text))

    def number(self, line: int) -> int:
        """Return the number in the file of the 1-based `line` here."""
        return self.numbers[line - 1]


def additions(touch: Touch) -> Additions:
    """Return what one commit, or the index, adds to a file."""
    numbers = tuple(hunk.new + at for hunk in touch.hunks for at in range(len(hunk.given)))
    return Additions(touch.path, numbers, b"\n".join(row for hunk in touch.hunks for row in hunk.given))
