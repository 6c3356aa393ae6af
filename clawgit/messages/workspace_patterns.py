"""The patterns of a workspace, with those of CONFIG.md."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.messages.triage import MINER, PACKS, Pattern, built_in, options
from clawgit.text.yaml_reader import compose_yaml
from clawgit.workspace import settings
from clawgit.workspace.config import Config
from clawgit.workspace.settings import Key

_CONFIG = "CONFIG.md"
_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)


class Known(NamedTuple):
    """All patterns of a workspace, and the problems of the unusable ones."""

    patterns: tuple[Pattern, ...]
    problems: tuple[ClawgitError, ...]


def read_patterns(config: Config) -> Known:
    """Return the patterns that clawgit brings and those that CONFIG.md adds."""
    found = list(_read_patterns(config, settings.KEYS["heartbeat_custom_patterns"]))
    problems, packs = [result for result in found if isinstance(result, ClawgitError)], list(PACKS)
    try:
        packs = [str(name) for name in config.value("triage_packs")]
    except ClawgitError as exc:
        problems += [] if str(exc) in map(str, problems) else [exc]
    return Known((*built_in(packs), *(result for result in found if isinstance(result, Pattern))), tuple(problems))


def _read_patterns(config: Config, key: Key) -> Iterator[Pattern | ClawgitError]:
    """Yield each pattern of CONFIG.md, or its problem; the bad ones leave the others alone.

    An entry is a regular expression in re2's syntax, bare or as `/…/i`, or a mapping of `pattern` and `route`; bare
    ones do not distinguish capitals, and without a route the memory miner gets a match.
    """
    try:
        setting = config.shown(key)
    except ClawgitError as exc:
        yield exc
        return
    if setting.problem:
        yield setting.problem
    if setting.problem or not setting.value:
        return
    nodes = next(value.value for name, value in compose_yaml(config.block).value if name.value == key.name)
    for entry, node in zip(setting.value, nodes, strict=True):
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
    """Return the expression itself, and whether it distinguishes capitals."""
    slashed = _SLASHED.fullmatch(written.strip())
    if slashed is None:
        return written, False
    if strange := slashed[2].strip("i"):
        raise ValueError(f"{written}: the flag {strange[0]} is not known, only i is")
    return slashed[1], "i" not in slashed[2]


def _refuse_bad(source: str, *, cased: bool) -> None:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    try:
        compiled = re2.compile(source.encode("utf-8", "replace"), options(cased=cased))
    except re2.error as exc:
        words = exc.args[0].decode("utf-8", "replace") if isinstance(exc.args[0], bytes) else exc.args[0]
        raise ValueError(f"{source!r} is no pattern that re2 takes: {words}") from exc
    if compiled.search(b"") is not None:
        raise ValueError(f"{source!r} matches nothing at all, and so everywhere")
