"""Reads the operator's own patterns."""

import re
from collections.abc import Iterator
from typing import Any

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.messages.patterns import MINER, Pattern
from clawgit.text import yaml_reader
from clawgit.workspace import file_roles
from clawgit.workspace.config import Config
from clawgit.workspace.settings import KEYS

KEY = "heartbeat_custom_patterns"
_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_FIELDS = {"pattern", "route"}


def customs(config: Config) -> Iterator[Pattern | ClawgitError]:
    """Yield each pattern of CONFIG.md, or what is wrong with it; the bad ones leave the others alone.

    An entry is a regular expression in re2's syntax, bare or as `/…/i`, or a mapping of `pattern` and `route`; bare
    ones do not tell capitals apart, and without a route the memory miner hears of a match.
    """
    try:
        shown = config.shown(KEYS[KEY])
    except ClawgitError as exc:
        yield exc
        return
    if shown.problem:
        yield shown.problem
        return
    lines = _lines(config) if shown.value else []
    for entry, line in zip(shown.value, lines, strict=True):
        try:
            yield _pattern(entry)
        except ValueError as exc:
            fix = Advice(f"edit line {line} of {file_roles.CONFIG}")
            yield setting_invalid(f"{file_roles.CONFIG}:{line}: {KEY}: {exc}", fix=fix)


def _pattern(entry: Any) -> Pattern:
    fields = {"pattern": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict) or not isinstance(fields.get("pattern"), str) or not fields["pattern"].strip():
        raise ValueError(f"{entry!r} is neither a pattern nor a mapping of pattern and route")
    if strange := sorted(str(name) for name in fields.keys() - _FIELDS):
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


def _lines(config: Config) -> list[int]:
    """Return the line of CONFIG.md that each entry stands on."""
    listed = next(value.value for key, value in yaml_reader.compose_yaml(config.block).value if key.value == KEY)
    return [config.first + item.start_mark.line for item in listed]
