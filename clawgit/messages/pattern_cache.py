"""The patterns of a workspace, kept between calls."""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.git import regular_file
from clawgit.messages.patterns import BUILT_IN, MINER, PACKS, Pattern, built_in
from clawgit.text.yaml_reader import MAX_CONFIG_BYTES, compose_yaml

if TYPE_CHECKING:
    from clawgit.workspace.config import Config
    from clawgit.workspace.settings import Key

_CONFIG = "CONFIG.md"
_KEPT = "triage.json"
_FORMAT = 2
_KEY = "heartbeat_custom_patterns"
_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
Read = tuple[list[str], list[Pattern], list[ClawgitError]]


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
    said = text.replace(f"{_KEY}: []", "")
    if not any(key in said for key in (_KEY, "triage_packs")):
        return Known()
    if cache is not None and (kept := _kept(cache / _KEPT, text)):
        return kept
    read = _read(text)
    if cache is not None:
        _keep(cache / _KEPT, text, read)
    packs, custom, problems = read
    return Known((*built_in(packs), *custom), tuple(problems))


def _unread(root: Path) -> Known:
    """Return the patterns that clawgit brings, and why CONFIG.md could not be read where it is there."""
    if not os.path.lexists(root / _CONFIG):
        return Known()
    from clawgit.workspace import config  # noqa: PLC0415 - next to never

    found = config.load(root).unreadable
    return Known(problems=(found,) if found else ())


def _read(text: str) -> Read:
    from clawgit.workspace import config, settings  # noqa: PLC0415 - once for each CONFIG.md

    read = config.read(text)
    found = list(_read_patterns(read, settings.KEYS[_KEY]))
    problems = [one for one in found if isinstance(one, ClawgitError)]
    packs = list(PACKS)
    try:
        packs = [str(name) for name in read.value("triage_packs")]
    except ClawgitError as exc:
        problems += [] if str(exc) in map(str, problems) else [exc]
    return packs, [one for one in found if isinstance(one, Pattern)], problems


def _kept(place: Path, text: str) -> Known | None:
    import json  # noqa: PLC0415 - only for who has patterns

    try:
        found = json.loads(regular_file.read_state(place))
        if found["format"] != _FORMAT or found["config"] != text:
            return None
        custom = [Pattern(source, "custom", route, cased=cased) for source, route, cased in found["custom"]]
        problems = [setting_invalid(words, fix=Advice(fix)) for words, fix in found["problems"]]
        return Known((*built_in(list(found["packs"])), *custom), tuple(problems))
    except (OSError, ValueError, KeyError, TypeError):  # not there yet, or not ours: it is made again
        return None


def _keep(place: Path, text: str, read: Read) -> None:
    packs, custom, problems = read
    found: dict[str, Any] = {
        "format": _FORMAT,
        "config": text,
        "packs": packs,
        "custom": [[one.source, one.route, one.cased] for one in custom],
        "problems": [[problem.message, str(problem.fix)] for problem in problems],
    }
    with contextlib.suppress(OSError):  # what cannot be kept is read again next time
        regular_file.save_state(place, found)


def _read_patterns(config: "Config", key: "Key") -> Iterator[Pattern | ClawgitError]:
    """Yield each pattern of CONFIG.md, or what is wrong with it; the bad ones leave the others alone.

    An entry is a regular expression in re2's syntax, bare or as `/…/i`, or a mapping of `pattern` and `route`; bare
    ones do not tell capitals apart, and without a route the memory miner hears of a match.
    """
    try:
        shown = config.shown(key)
    except ClawgitError as exc:
        yield exc
        return
    if shown.problem:
        yield shown.problem
    if shown.problem or not shown.value:
        return
    nodes = next(value.value for name, value in compose_yaml(config.block).value if name.value == key.name)
    for entry, node in zip(shown.value, nodes, strict=True):
        try:
            yield _make_pattern(entry)
        except ValueError as exc:
            line = config.first + node.start_mark.line
            fix = Advice(f"edit line {line} of {_CONFIG}")
            yield setting_invalid(f"{_CONFIG}:{line}: {key.name}: {exc}", fix=fix)


def _make_pattern(entry: Any) -> Pattern:
    fields = {"pattern": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict) or not isinstance(fields.get("pattern"), str) or not fields["pattern"].strip():
        raise ValueError(f"{entry!r} is neither a pattern nor a mapping of pattern and route")
    if strange := sorted(str(name) for name in fields.keys() - {"pattern", "route"}):
        raise ValueError(f"{strange[0]!r} is neither pattern nor route")
    route = fields.get("route") or MINER
    if not isinstance(route, str) or not route.strip() or not route.isprintable():
        raise ValueError(f"{route!r} is no route: it names an agent, such as {MINER}")
    source, cased = _source(fields["pattern"])
    _refuse_bad(source, cased=cased)
    return Pattern(source, "custom", route.strip(), cased=cased)


def _source(written: str) -> tuple[str, bool]:
    """Return the expression itself, and whether it tells capitals apart."""
    slashed = _SLASHED.fullmatch(written.strip())
    if slashed is None:
        return written, False
    if strange := slashed[2].strip("i"):
        raise ValueError(f"{written}: the flag {strange[0]} is not known, only i is")
    return slashed[1], "i" not in slashed[2]


def _refuse_bad(source: str, *, cased: bool) -> None:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    from clawgit.messages.triage import options  # noqa: PLC0415

    try:
        compiled = re2.compile(source.encode("utf-8", "replace"), options(cased=cased))
    except re2.error as exc:
        words = exc.args[0].decode("utf-8", "replace") if isinstance(exc.args[0], bytes) else exc.args[0]
        raise ValueError(f"{source!r} is no pattern that re2 takes: {words}") from exc
    if compiled.search(b"") is not None:
        raise ValueError(f"{source!r} matches nothing at all, and so everywhere")
