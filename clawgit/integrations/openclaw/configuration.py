"""What becomes of OpenClaw's configuration."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.integrations.openclaw.insertion import Slip, emptied, filled, put, take
from clawgit.integrations.openclaw.outline import ShapeError
from clawgit.integrations.openclaw.record import Keys, Put, Record, digest
from clawgit.integrations.openclaw.wishes import Wish
from clawgit.workspace.host import files as host_files
from clawgit.workspace.host import json as host_json
from clawgit.workspace.host.config import HostConfig

_GONE = object()


class Rewritten(Struct, frozen=True):
    """The configuration at `place` goes from `before` to `after`; None: no such file, or one that stays as it is.

    `left` are the wishes that are not fulfilled, and why; `kept` the values that are not taken out, since somebody
    changed them.
    """

    place: Path
    before: bytes | None
    after: bytes | None
    record: Record
    left: Mapping[Keys, str] = field(default_factory=dict)
    kept: tuple[Keys, ...] = ()


def written(config: HostConfig, record: Record, wishes: Sequence[Wish]) -> Rewritten:
    """Return the configuration with every wish in it that can be fulfilled without touching another byte.

    What an older installation put there goes first, so that an unchanged wish gives the same bytes.
    """
    place = Path(os.path.realpath(config.path))
    try:
        before = _read(place)
        known = record if record.place == str(place) else Record()
        stays = _standing(before, known, wishes)
        others = replace(known, puts=tuple(one for one in known.puts if one not in stays))
        bare, kept = _without(before.decode(), others)
    except ShapeError as exc:
        return _unable(place, wishes, f"{place} {exc}")
    except UnicodeDecodeError:
        return _unable(place, wishes, f"{place} is not UTF-8")
    text = bare
    slips: list[Slip] = []
    puts = [*stays, *(one for one in known.puts if one.keys in kept)]
    left: dict[Keys, str] = {}
    for wish in wishes:
        try:
            if _wanted(config, before.decode(), text, wish):
                made = _known(text, wish.keys)
                new = put(text, wish.keys, wish.value)
                text = _checked(text, filled(text, new), wish)
                slips += new
                puts.append(Put(wish.keys, wish.value, made))
        except ShapeError as exc:
            left[wish.keys] = f"{place} {exc}"
    after = text.encode()
    exact = "" if stays else digest(after)  # with values whose place somebody else chose, the slips are not all
    return Rewritten(place, before, after, Record(str(place), exact, tuple(slips), tuple(puts)), left, kept)


def cleared(config: HostConfig, record: Record) -> Rewritten:
    """Return the configuration without what `record` says was put there, to the byte where nobody has written since."""
    place = Path(record.place or os.path.realpath(config.path))
    try:
        before = _read(place)
        text, kept = _without(before.decode(), record)
    except (ShapeError, UnicodeDecodeError):
        unknown = bool(config.problems)
        held = (one.keys for one in record.puts if unknown or there(value_at(config.values, one.keys)))
        return Rewritten(place, None, None, record, kept=tuple(held))
    return Rewritten(place, before, text.encode(), Record(), kept=kept)


def value_at(values: Any, keys: Sequence[str]) -> Any:
    """Return what `keys` lead to, a mark of its own where that is nothing."""
    for key in keys:
        values = values.get(key, _GONE) if isinstance(values, dict) else _GONE
    return values


def there(value: Any) -> bool:
    """Tell whether `value_at` found something."""
    return value is not _GONE


def _read(place: Path) -> bytes:
    """Return the bytes of a configuration that can be replaced. Raises ShapeError for any other."""
    try:
        data = host_files.data(place, host_files.LARGEST)
        about = place.stat()
    except OSError as exc:
        words = "does not exist yet" if isinstance(exc, FileNotFoundError) else host_files.why(exc)
        raise ShapeError(words) from exc
    if about.st_uid != os.geteuid() or about.st_nlink > 1 or not os.access(place.parent, os.W_OK):
        raise ShapeError("cannot be replaced: it, or its folder, is not this user's alone")
    if not about.st_mode & 0o222 or not os.access(place, os.W_OK):
        raise ShapeError("may not be written: it is read-only")
    return data


def _parsed(text: str) -> Any:
    try:
        return host_json.parse(text.removeprefix("\ufeff"))
    except host_json.JsonError as exc:
        raise ShapeError(f"cannot be read at line {exc.line}: {exc.words}") from exc


def _unable(place: Path, wishes: Sequence[Wish], why: str) -> Rewritten:
    return Rewritten(place, None, None, Record(), {wish.keys: why for wish in wishes})


def _wanted(config: HostConfig, before: str, text: str, wish: Wish) -> bool:
    """Tell whether a wish is still open. Raises ShapeError where the configuration says otherwise."""
    found, meant = value_at(_parsed(text), wish.keys), wish.value
    if not there(found) and not there(value_at(_parsed(before), wish.keys)):
        found, meant = value_at(config.values, wish.keys), wish.read  # of a file that is included
    if there(found) and found != meant:
        raise ShapeError(f"says something else at {'.'.join(wish.keys)}")
    return not there(found)


def _standing(before: bytes, record: Record, wishes: Sequence[Wish]) -> tuple[Put, ...]:
    """Return what was put and is still wanted, where somebody has written the file anew: it stays in its place."""
    if digest(before) == record.digest:
        return ()
    values, wanted = _parsed(before.decode()), {wish.keys: wish.value for wish in wishes}
    return tuple(
        one for one in record.puts if one.value == wanted.get(one.keys) and value_at(values, one.keys) == one.value
    )


def _known(text: str, keys: Keys) -> int:
    """Return how many of the keys lead somewhere already."""
    values = _parsed(text)
    return next((at for at in range(len(keys)) if not there(value_at(values, keys[: at + 1]))), len(keys))


def _checked(before: str, after: str, wish: Wish) -> str:
    """Return `after` if it says what `before` does, and the wish. Raises ShapeError."""
    if _parsed(after) != _joined(_parsed(before), wish.keys, wish.value):
        raise ShapeError(f"is written in a way that cannot be edited safely at {'.'.join(wish.keys)}")
    return after


def _joined(values: Any, keys: Sequence[str], value: Any) -> Any:
    if not keys:
        return value
    below = values if isinstance(values, dict) else {}
    return {**below, keys[0]: _joined(below.get(keys[0]), keys[1:], value)}


def _without(text: str, record: Record) -> tuple[str, tuple[Keys, ...]]:
    """Return `text` without what the record tells of, and the keys whose values somebody changed."""
    if digest(text.encode()) == record.digest:
        bare = emptied(text, record.slips)
        return bare, tuple(one.keys for one in record.puts if there(value_at(_parsed(bare), one.keys)))
    kept = []
    for one in reversed(record.puts):
        found = value_at(_parsed(text), one.keys)
        if not there(found):
            continue
        if found != one.value or not _alone(text, one):
            kept.append(one.keys)
            continue
        text = take(text, one.keys)
        for end in range(len(one.keys) - 1, one.made, -1):
            if value_at(_parsed(text), one.keys[:end]) == {}:
                text = take(text, one.keys[:end])
    return text, tuple(kept)


def _alone(text: str, one: Put) -> bool:
    """Tell whether nobody leans on a switch that we turned on: hooks of others, enabled since."""
    if one.value is not True:
        return True
    beside = value_at(_parsed(text), one.keys[:-1])
    return not isinstance(beside, dict) or not {key for key, value in beside.items() if value} - {one.keys[-1]}
