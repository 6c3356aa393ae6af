"""Addresses of pages, which hold their state."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from msgspec import Struct

_LONGEST = 4000
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "�")

State = Mapping[str, str]


class Address(Struct, frozen=True):
    """Makes addresses below the random path."""

    root: str

    def __call__(self, page: str, state: State | None = None, /, **more: object) -> str:
        """Return the address of a page; a value that is None, False or "" is left out."""
        every = {**(state or {}), **more}
        wanted = {key: str(value) for key, value in every.items() if value not in (None, False, "")}
        path = "/".join(quote(part, safe="", errors="replace") for part in page.split("/"))
        asked = urlencode(wanted, errors="replace")
        return f"{self.root}{path}{'?' if asked else ''}{asked}"

    def back(self, wanted: str, pages: Mapping[str, object]) -> str:
        """Return an address of ours that `wanted` means: the first page for anything that is none."""
        found = urlsplit(wanted)
        page = found.path.removeprefix(self.root)
        if found.scheme or found.netloc or not found.path.startswith(self.root) or page not in pages:
            return self("today")
        return self(page, clean(dict(parse_qsl(found.query))))


def clean(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what an address asks for, without what no command takes: control characters, endless values."""
    return {key: value.translate(_CONTROL)[:_LONGEST] for key, value in asked.items() if value}


def number(said: str | None, least: int, most: int, default: int) -> int:
    """Return a number of an address within its limits; what is none is the default."""
    text = (said or "").strip()
    return min(max(int(text), least), most) if text.isascii() and text.isdecimal() and len(text) < 10 else default  # noqa: PLR2004
