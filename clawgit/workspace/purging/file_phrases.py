"""A phrase in a file of any size, on disk."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from clawgit.git import phrase_forms

SMALL = 64 << 20
"""Bytes of a file that is read whole."""
_STEP = 16 << 20
_OVERLAP = 1 << 16  # more than a form with the line ends and indentation within
_CHECKED = (b"PK\3\4", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd", b"Rar!", b"\x89PNG")
_JOURNALS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")  # SQLite's
_CUT = 8


def holds(place: Path, forms: Sequence[bytes]) -> bool:
    """Return whether a file holds a phrase, or a link leads to one; what is neither holds nothing. Raises OSError."""
    mode = place.lstat().st_mode
    if stat.S_ISLNK(mode):
        return phrase_forms.holds(os.fsencode(place.readlink()), forms)
    return stat.S_ISREG(mode) and any(phrase_forms.holds(data, forms) for _, data in _windows(place, forms))


def checked(place: Path) -> bool:
    """Return whether a file has checksums of its own, which a change from outside would break. Raises OSError."""
    if not stat.S_ISREG(place.lstat().st_mode):
        return False
    with place.open("rb") as file:
        return checked_bytes(file.read(_CUT))


def checked_bytes(data: bytes) -> bool:
    """Return whether these are the bytes of such a file."""
    return data.startswith((*_CHECKED, *_JOURNALS))


def overwrite(place: Path, forms: Sequence[bytes]) -> None:
    """Write over a phrase where it stands, byte for byte; whoever has the file open keeps it. Raises OSError."""
    mode = stat.S_IMODE(place.stat().st_mode)
    if not os.access(place, os.W_OK):
        place.chmod(mode | stat.S_IWUSR)
    try:
        with place.open("r+b") as file:
            for start, data in _windows(place, forms):
                for at, new in phrase_forms.overwritten(data, forms):
                    file.seek(start + at)
                    file.write(new)
                file.flush()
    finally:
        if stat.S_IMODE(place.stat().st_mode) != mode:
            place.chmod(mode)


def _windows(place: Path, forms: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of a file with where they begin; each goes on into the next."""
    overlap = max(_OVERLAP, 4 * max(map(len, forms), default=0))
    size = place.stat().st_size
    if size <= SMALL:
        yield 0, place.read_bytes()
        return
    with place.open("rb", buffering=0) as file:
        for start in range(0, size, _STEP):
            file.seek(start)
            yield start, file.read(_STEP + overlap)
