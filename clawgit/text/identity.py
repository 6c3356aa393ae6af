"""What makes two entries the same one."""

import os
import re
import unicodedata

TAGS = ("event", "knowledge", "skill", "decision")
STATUS = ("correction", "conflict", "superseded")

_LETTERS = "klmnopqrstuvwxyz"
_LENGTH = 10
_TAG = re.compile(r"(?:^|[ \t\n]+)#([a-z]+)$", re.IGNORECASE)
_ID = re.compile(rf"[k-z]{{{_LENGTH}}}")


def normalise(text: str) -> str:
    """Return what an entry says, whatever its letters' case, width, quotes, spaces, comments or tags."""
    plain = unicodedata.normalize("NFKC", _uncommented(text)).replace("’", "'").casefold()  # noqa: RUF001
    return split_tags(" ".join(plain.split()))[0]


def split_tags(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Divide off trailing tags: the rest, the primary tag (the first of several), the status tags."""
    primary: str | None = None
    status: list[str] = []
    text = text.rstrip(" \t\r\n")
    while match := _TAG.search(text, max(0, len(text) - 40)):
        name = match[1].lower()
        if name in STATUS:
            status.insert(0, name)
        elif name in TAGS:
            primary = name
        else:
            break
        text = text[: match.start()].rstrip(" \t\r\n")
    return text, primary, tuple(status)


def digest(text: str) -> str:
    """Return the hash that finds an entry again when it has moved: of its normalised text, 16 hex digits."""
    from hashlib import sha256  # noqa: PLC0415 - 3 ms that most commands need not pay

    return sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def entry_id(path: str, text: str, ordinal: int = 1) -> str:
    """Return the ten letters k to z (40 bits) that name an entry by its file, first text and ordinal."""
    return named("\0".join((path, normalise(text), str(ordinal))))


def named(told: str) -> str:
    """Return the ten letters k to z that anything is named by which is `told` like this, today and later."""
    from hashlib import sha256  # noqa: PLC0415 - as above

    digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
    return "".join(_LETTERS[int(digit, 16)] for digit in digest)


def new_id() -> str:
    """Return a fresh id: ten letters k to z, 40 random bits, never the beginning of a commit's id."""
    return "".join(_LETTERS[nibble] for byte in os.urandom(5) for nibble in divmod(byte, 16))


def is_id(text: str) -> bool:
    """Tell whether this can be an entry's or a change's id."""
    return _ID.fullmatch(text) is not None


def _uncommented(text: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return " ".join([*kept, text[at:]])
