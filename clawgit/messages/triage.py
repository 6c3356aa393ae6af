"""Patterns of messages, their matches, and the miner's flags."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.language import lexicon
from clawgit.language.own_words import own_words, straighten_quotes
from clawgit.messages import sides
from clawgit.safety.redaction import redact
from clawgit.store.database import StateStore
from clawgit.text.yaml_reader import compose_yaml
from clawgit.workspace.config import Config
from clawgit.workspace.settings import KEYS

Group = Literal["memory", "recall", "correction", "custom"]
Confidence = Literal["high", "medium"]

MINER, VALIDATOR = "memory-miner", "recall-validator"
ROUTES: dict[Group, str] = {"memory": MINER, "recall": VALIDATOR, "correction": VALIDATOR, "custom": MINER}
"""Who hears of what (spec §7)."""

_SURE: dict[Group, Confidence] = {"recall": "high", "correction": "medium"}


class Pattern(NamedTuple):
    """A regular expression in re2's syntax; `cased` ones distinguish capitals, `whole` ones begin at a word's begin."""

    source: str
    group: Group
    route: str
    cased: bool = False
    whole: bool = False

    @property
    def confidence(self) -> Confidence | None:
        """How sure a match is to correct something; one of the operator's own counts as a soft sign."""
        return _SURE.get(self.group) or ("medium" if self.route == VALIDATOR else None)


PACKS = ("zh", "ja", "ko")
"""What `triage_packs` of CONFIG.md names where it says nothing; English is always there."""
LANGUAGES = ("en", *PACKS)
"""Whose forms of two-sided corrections and kind words are always read."""
_GROUPS: tuple[Group, ...] = ("memory", "recall", "correction")


def built_in(packs: Iterable[str] = PACKS) -> tuple[Pattern, ...]:
    """Return the English patterns and those of `packs`."""
    return tuple(pattern for name in ("en", *packs) for pattern in pack(name))


@cache
def pack(iso: str) -> tuple[Pattern, ...]:
    """Return the patterns of a language's file, none for one without; each begins at a word's begin.

    With `inside_words` it may begin anywhere, as in scripts without spaces.
    """
    table = lexicon.patterns(iso)
    whole = not table.get("inside_words", False)
    rows = ((group, source) for group in _GROUPS for source in table.get(group, ()))
    return tuple(Pattern(source, group, ROUTES[group], whole=whole) for group, source in rows)


BUILT_IN = built_in()


def names_value(side: str) -> bool:
    """Return whether a side of a correction is something that can be true or false: "really" and 了 are not."""
    return not _match_no_value().search(side)


@cache
def _match_no_value() -> Any:
    """Return a pattern for words that are no value: "not a problem", "not really"."""
    return _make_re2("|".join(pattern for iso in LANGUAGES for pattern in lexicon.patterns(iso)["no_value"]))


_LONGEST_KIND = 80
_MARKS = r"[.!?,;:)…—–\-。！？，、\n]"  # noqa: RUF001 - marks of several scripts


@cache
def _match_kind() -> Any:
    """Return a pattern for words that only wave something off, with their possible followers: "no, it's fine"."""
    words = "|".join(lexicon.patterns(iso)["kind"] for iso in LANGUAGES)
    return _make_re2(rf"(?:{words}) *(?:$|{_MARKS}|(?:{lexicon.patterns('en')['kind_behind']})\b)")


def _make_re2(source: str, *, cased: bool = False) -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    settings = re2.Options()
    settings.case_sensitive, settings.max_mem, settings.log_errors = cased, _MAX_MEMORY, False
    return re2.compile(source, settings)


@cache
def _compile_pattern(pattern: Pattern) -> Any:
    return _make_re2(rf"\b(?:{pattern.source})" if pattern.whole else pattern.source, cased=pattern.cased)


OPERATOR = "operator"
MAX_MATCHES = 20
"""Matches of one pattern that are told."""

_PRECEDENCE: tuple[Group, ...] = ("recall", "correction", "memory", "custom")
_BEFORE = " \t\n，,。.！!？?"  # noqa: RUF001 - marks by which a pattern tells where a clause begins
_MAX_MEMORY = 32 << 20  # re2 answers "no match" in silence when the automaton of a set does not fit


class Pair(Struct, frozen=True):
    """The wrong and the true value."""

    said: str
    true: str


class Match(Struct, frozen=True):
    """A match of a pattern: characters `start` to `end` (exclusive) of the message, and their text."""

    pattern: str
    group: Group
    route: str
    trigger_confidence: Confidence | None
    start: int
    end: int
    text: str


class Triage(Struct, frozen=True):
    """The signs in a message, in the order of its words.

    `priority`: the memory miner should read it first; `pair` is its correction, if it has both sides.
    """

    priority: bool = False
    matches: tuple[Match, ...] = ()
    pair: Pair | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The same as JSON has it."""
        fields: dict[str, Any] = to_builtins(self)
        return fields


def triage(text: str, patterns: Sequence[Pattern], *, origin: str = OPERATOR) -> Triage:
    """Return the matches of `patterns` in a message (spec §7); only the operator's own words are looked at.

    Of overlapping matches, one of a failed recall goes before a soft correction, and that before a request to remember;
    among equals the longer one stays. Custom patterns come beside all others. Takes time in proportion to the length of
    the text.
    """
    if origin != OPERATOR:
        return Triage()
    plain = straighten_quotes(text)
    if not (hits := _find_hits(tuple(patterns), plain)):
        return Triage()
    own = own_words(text)
    matches = [match for pattern in hits for match in islice(_list_matches(pattern, own, text), MAX_MATCHES)]
    rows: list[Match] = []
    for match in sorted(matches, key=lambda row: (_PRECEDENCE.index(row.group), row.start - row.end, row.start)):
        rivals = () if match.group == "custom" else (row for row in rows if row.group != "custom")
        if not any(match.start < row.end and row.start < match.end for row in rivals):
            rows.append(match)
    rows.sort(key=lambda match: (match.start, match.end, match.group == "custom"))
    pair = None
    if any(match.route == VALIDATOR for match in rows):
        pairs = map(sides.read_pair, sides.find_sides(plain))
        pair = next((Pair(*values) for values in pairs if all(map(names_value, values))), None)
    return Triage(any(match.route == MINER for match in rows), tuple(rows), pair)


def _find_hits(patterns: tuple[Pattern, ...], text: str) -> Sequence[Pattern]:
    """Return the patterns that may match, found by one pass over a text for all of them (spec P7: under 1 ms)."""
    if text.isascii():  # those of other scripts need not be made ready
        patterns = tuple(pattern for pattern in patterns if pattern.group == "custom" or pattern.source.isascii())
    pattern_set = _compile_set(patterns)
    return patterns if pattern_set is None else [patterns[number] for number in pattern_set.Match(text) or ()]


@lru_cache(maxsize=16)
def _compile_set(patterns: tuple[Pattern, ...]) -> Any:
    """Return what gives the numbers of matching patterns; None if together they are too large."""
    import re2  # noqa: PLC0415 - as above

    settings = re2.Options()
    settings.max_mem, settings.log_errors = _MAX_MEMORY, False
    pattern_set = re2.Set.SearchSet(settings)
    for pattern in patterns:
        pattern_set.Add(pattern.source if pattern.cased else f"(?i:{pattern.source})")
    with suppress(re2.error):
        pattern_set.Compile()
        return pattern_set
    return None


def _list_matches(pattern: Pattern, own: str, text: str) -> Iterator[Match]:
    corrects = pattern.group in ("recall", "correction")
    for match in _compile_pattern(pattern).finditer(own):
        end = match.end()
        start = end - len(own[match.start() : end].lstrip(_BEFORE))
        if start < end and not (corrects and _match_kind().match(own[start : start + _LONGEST_KIND])):
            yield Match(pattern.source, pattern.group, pattern.route, pattern.confidence, start, end, text[start:end])


# ---- the patterns of CONFIG.md

_CONFIG = "CONFIG.md"
_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)


class PatternSet(NamedTuple):
    """All patterns of a workspace, and the problems of the unusable ones."""

    patterns: tuple[Pattern, ...]
    problems: tuple[ClawgitError, ...]


def read_patterns(config: Config) -> PatternSet:
    """Return the patterns that clawgit brings and those that CONFIG.md adds; bad ones leave the others alone.

    An entry of CONFIG.md is a regular expression in re2's syntax, bare or as `/…/i`, or a mapping of `pattern` and
    `route`; bare ones do not distinguish capitals, and without a route the memory miner gets a match.
    """
    key = KEYS["heartbeat_custom_patterns"]
    try:
        packs, custom = config.shown(KEYS["triage_packs"]), config.shown(key)
    except ClawgitError as exc:
        return PatternSet(BUILT_IN, (exc,))
    patterns = list(BUILT_IN if packs.problem else built_in(map(str, packs.value)))
    problems = [setting.problem for setting in (packs, custom) if setting.problem]
    if custom.value and not custom.problem:
        nodes = next(value.value for name, value in compose_yaml(config.block).value if name.value == key.name)
        for entry, node in zip(custom.value, nodes, strict=True):
            try:
                patterns.append(make_pattern(entry))
            except ValueError as exc:
                line = config.first + node.start_mark.line
                fix = Advice(f"edit line {line} of {_CONFIG}")
                problems.append(setting_invalid(f"{_CONFIG}:{line}: {key.name}: {exc}", fix=fix))
    return PatternSet(tuple(patterns), tuple(problems))


def make_pattern(entry: Any) -> Pattern:
    """Return the pattern of an entry of CONFIG.md. Raises ValueError."""
    fields = {"pattern": entry} if isinstance(entry, str) else entry
    is_mapping = isinstance(fields, dict) and fields.keys() <= {"pattern", "route"}
    if not is_mapping or not isinstance(fields.get("pattern"), str) or not fields["pattern"].strip():
        raise ValueError(f"{entry!r} is neither a pattern nor a mapping of pattern and route")
    route, source, cased = fields.get("route") or MINER, fields["pattern"], False
    if not isinstance(route, str) or not route.strip() or not route.isprintable():
        raise ValueError(f"{route!r} is no route: it names an agent, such as {MINER}")
    if slashed := _SLASHED.fullmatch(source.strip()):
        source, cased = slashed[1], "i" not in slashed[2]
        if strange_flags := slashed[2].strip("i"):
            raise ValueError(f"{fields['pattern']}: the flag {strange_flags[0]} is not known, only i is")
    pattern = Pattern(source.encode("utf-8", "replace").decode(), "custom", route.strip(), cased=cased)
    import re2  # noqa: PLC0415 - as above

    try:
        is_everywhere = _compile_pattern(pattern).search("") is not None
    except re2.error as exc:
        words = exc.args[0].decode("utf-8", "replace") if isinstance(exc.args[0], bytes) else exc.args[0]
        raise ValueError(f"{source!r} is no pattern that re2 takes: {words}") from exc
    if is_everywhere:
        raise ValueError(f"{source!r} matches nothing at all, and so everywhere")
    return pattern


_LIST = "flags"


class Flag(Struct, frozen=True):
    """A message to be looked at; `session` is "" if unknown."""

    id: str
    at: str
    session: str
    text: str


def file_flag(store: StateStore, text: str, now: datetime, session: str = "") -> Flag:
    """Append the flag of a message, and return it. Raises ClawgitError."""
    flag = Flag(os.urandom(8).hex(), now.isoformat(timespec="milliseconds"), session, redact(text))
    store.append_rows(_LIST, (flag,))
    return flag


def list_flags(store: StateStore) -> list[Flag]:
    """Return the flags in the order in which they were filed."""
    return store.read_rows(_LIST, Flag)


def list_unanswered(store: StateStore, names: Iterable[str]) -> list[Flag]:
    """Return the flags behind the earliest of some that were answered, each by another reader; all without one."""
    all_flags = list_flags(store)
    places = {flag.id: number for number, flag in enumerate(all_flags, 1)}
    return all_flags[min((places.get(name, 0) for name in names), default=0) :]


def clear_flags(store: StateStore, sessions: Collection[str]) -> None:
    """Take the words out of the flags of these sessions; the flags stay, since agents count by them."""
    if any(flag.session in sessions for flag in list_flags(store)):
        store.edit_rows(
            _LIST, Flag, lambda rows: (replace(flag, text="") if flag.session in sessions else flag for flag in rows)
        )
