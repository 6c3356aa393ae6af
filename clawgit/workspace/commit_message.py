"""Commit messages: subject, reason, trailers."""

import re
from collections.abc import Iterable

from msgspec import Struct

_TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.*)")
_LONGEST_SUBJECT = 72
CHANGE = "Clawgit-Change"


class Message(Struct, frozen=True):
    """A commit message taken apart; trailers keep their order and may repeat."""

    subject: str
    why: str = ""
    trailers: tuple[tuple[str, str], ...] = ()

    def get(self, key: str) -> str | None:
        """Return the first trailer of that name."""
        return next(iter(self.all(key)), None)

    def all(self, key: str) -> tuple[str, ...]:
        """Return every trailer of that name."""
        return tuple(value for name, value in self.trailers if name == key)


def render(message: Message) -> str:
    """Return the text of a commit message. A reason cannot pass for trailers: they are always last, apart."""
    values = ((key, " ".join(value.splitlines()).strip()) for key, value in message.trailers)
    trailers = "\n".join(f"{key}: {value}" for key, value in values if value)
    parts = (shorten(fold_spaces(message.subject), _LONGEST_SUBJECT), message.why.strip(), trailers)
    return "\n\n".join(part for part in parts if part) + "\n"


def parse_message(text: str) -> Message:
    """Take any commit message apart; one without trailers, or not ours, is subject and reason."""
    subject, *paragraphs = re.split(r"\n\s*\n", text.strip().replace("\r\n", "\n"))
    subject, _, rest = subject.partition("\n")
    matches = [_TRAILER.fullmatch(line.strip()) for line in paragraphs[-1].split("\n")] if paragraphs else [None]
    trailers = tuple((match[1], match[2]) for match in matches if match) if all(matches) else ()
    if trailers:
        paragraphs = paragraphs[:-1]
    return Message(subject, "\n\n".join(part for part in (rest, *paragraphs) if part).strip(), trailers)


def clean_name(name: str) -> str:
    """Return a name without characters that would make a commit unreadable, as git itself leaves them out."""
    return " ".join(re.sub(r"[<>\x00-\x1f\x7f]", " ", name).encode("utf-8", "replace").decode().split())


def fold_spaces(text: str) -> str:
    """Return `text` with every run of white space as one space."""
    return " ".join(text.split())


def shorten(text: str, length: int) -> str:
    """Return `text` cut to `length` characters, at a word if there is one."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    head, _, _ = cut.rpartition(" ")
    return (head if len(head) > length // 2 else cut).rstrip(" ,;:") + "…"


def list_names(paths: Iterable[str], limit: int = 3) -> str:
    """Return the first few paths, and the number of the others."""
    names = list(paths)
    listing = ", ".join(names[:limit])
    return listing if len(names) <= limit else f"{listing} and {len(names) - limit} more"
