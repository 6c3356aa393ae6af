"""The patterns of a workspace, kept between calls."""

import contextlib
import os
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.git import regular_file
from clawgit.messages.patterns import BUILT_IN, PACKS, Pattern, built_in
from clawgit.text.yaml_reader import MAX_CONFIG_BYTES

_CONFIG = "CONFIG.md"
_KEPT = "triage.json"
_FORMAT = 2
_NONE = "heartbeat_custom_patterns: []"
_KEYS = ("heartbeat_custom_patterns", "triage_packs")


class Known(NamedTuple):
    """All patterns of a workspace, and what is wrong with those that cannot be used."""

    patterns: tuple[Pattern, ...] = BUILT_IN
    problems: tuple[ClawgitError, ...] = ()


def known(root: Path, cache: Path | None) -> Known:
    """Return the patterns that clawgit brings and those that CONFIG.md adds.

    Reading YAML takes longer than all else together, so what it came to is kept in the folder `cache`, beside the
    text that it was read from. None keeps nothing.
    """
    try:
        text = regular_file.read(root / _CONFIG, MAX_CONFIG_BYTES).decode("utf-8", "replace")
    except OSError:
        text = ""
    if not text or "\0" in text:
        return _unread(root)
    said = text.replace(_NONE, "")
    if not any(key in said for key in _KEYS):
        return Known()
    if cache is not None and (kept := _kept(cache / _KEPT, text)):
        return kept
    read = _read(text)
    if cache is not None:
        _keep(cache / _KEPT, text, read)
    return _whole(*read)


def _unread(root: Path) -> Known:
    """Return the patterns that clawgit brings, and why CONFIG.md could not be read where it is there."""
    if not os.path.lexists(root / _CONFIG):
        return Known()
    from clawgit.workspace import config  # noqa: PLC0415 - next to never

    found = config.load(root).unreadable
    return Known(problems=(found,) if found else ())


Read = tuple[list[str], list[Pattern], list[ClawgitError]]


def _read(text: str) -> Read:
    from clawgit.messages.operator_patterns import customs  # noqa: PLC0415 - once for each CONFIG.md
    from clawgit.workspace import config  # noqa: PLC0415
    from clawgit.workspace.settings import KEYS  # noqa: PLC0415

    settings = config.read(text)
    found = list(customs(settings))
    problems = [one for one in found if isinstance(one, ClawgitError)]
    packs = list(PACKS)
    try:
        packs = [str(name) for name in settings.value(KEYS["triage_packs"].name)]
    except ClawgitError as exc:
        problems += [] if str(exc) in map(str, problems) else [exc]
    return packs, [one for one in found if isinstance(one, Pattern)], problems


def _whole(packs: list[str], custom: list[Pattern], problems: list[ClawgitError]) -> Known:
    return Known((*built_in(packs), *custom), tuple(problems))


def _kept(place: Path, text: str) -> Known | None:
    import json  # noqa: PLC0415 - only for who has patterns

    try:
        found = json.loads(regular_file.read_state(place))
        if found["format"] != _FORMAT or found["config"] != text:
            return None
        custom = [Pattern(source, "custom", route, cased=cased) for source, route, cased in found["custom"]]
        problems = [setting_invalid(words, fix=Advice(fix)) for words, fix in found["problems"]]
        return _whole(list(found["packs"]), custom, problems)
    except (OSError, ValueError, KeyError, TypeError):  # not there yet, or not ours: it is made again
        return None


def _keep(place: Path, text: str, read: Read) -> None:

    packs, custom, problems = read
    found: dict[str, Any] = {
        "format": _FORMAT,
        "config": text,
        "packs": packs,
        "custom": [[one.source, one.route, one.cased] for one in custom],
        "problems": [[one.message, str(one.fix)] for one in problems],
    }
    with contextlib.suppress(OSError):  # what cannot be kept is read again next time
        regular_file.save_state(place, found)
