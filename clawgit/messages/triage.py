"""Patterns, with those of CONFIG.md, and their matches."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from msgspec import Struct, to_builtins

from clawgit.errors import Advice, ClawgitError, setting_invalid
from clawgit.language import lexicon
from clawgit.language.own_words import own_words, straight
from clawgit.messages import sides
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
"""Whose forms of two-sided corrections, kind words and wishes are always read."""
_GROUPS: tuple[Group, ...] = ("memory", "recall", "correction")


def built_in(packs: Iterable[str] = PACKS) -> tuple[Pattern, ...]:
    """Return the English patterns and those of `packs`."""
    packs = list(packs)
    names = (*(name for name in PACKS if name in packs), *(name for name in packs if name not in PACKS))
    return tuple(pattern for name in ("en", *names) for pattern in pack(name))


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
    return _make_re2(f"(?i){'|'.join(pattern for iso in LANGUAGES for pattern in lexicon.patterns(iso)['no_value'])}")


def _make_re2(source: str, *, cased: bool = True) -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return re2.compile(source, _set_options(cased=cased))


def _set_options(*, cased: bool) -> Any:
    import re2  # noqa: PLC0415 - as above

    settings = re2.Options()
    settings.case_sensitive = cased
    settings.max_mem = _MEMORY
    settings.log_errors = False
    return settings


_LONGEST_KIND, _LONGEST_RECOLLECTION = 80, 60
_NOWHERE = r"\z."
_MARKS = r"[.!?,;:)…—–\-。！？，、\n]"  # noqa: RUF001 - marks of several scripts


@cache
def _match_kind() -> Any:
    """Return a pattern for words that only wave something off, with their possible followers: "no, it's fine"."""
    words = "|".join(lexicon.patterns(iso)["kind"] for iso in LANGUAGES)
    return _make_re2(rf"(?i)(?:{words}) *(?:$|{_MARKS}|(?:{lexicon.patterns('en')['kind_behind']})\b)")


def _wishes(text: str, start: int, end: int) -> bool:
    """Return whether words of remembering, at `start` to `end`, ask to remember: "do you remember this?" does not."""
    words = text[start:end]
    for sign, rule, before, continuation, never in _compile_wishes():
        if sign in words and rule.fullmatch(words):
            prefix = text[max(0, start - _LONGEST_RECOLLECTION) : start].rpartition("\n")[2]
            after = text[end : end + _LONGEST_RECOLLECTION]
            return not before.search(prefix) and not never.match(after) and bool(continuation.match(after))
    return True


@cache
def _compile_wishes() -> tuple[tuple[Any, ...], ...]:
    """Return a sign, its words in a match, and three patterns, for each rule of each language.

    It is a wish if the first is not found before the words, the second is right behind them, and the third is not.
    """
    rows = (row for iso in LANGUAGES for row in lexicon.patterns(iso)["wishes"])
    keys = {"words": "", "never_before": _NOWHERE, "behind": "", "never_behind": _NOWHERE}
    return tuple((row["sign"], *(_make_re2(row.get(key, none)) for key, none in keys.items())) for row in rows)


OPERATOR = "operator"
MAX_MATCHES = 20
"""Matches of one pattern that are told."""

_PRECEDENCE: tuple[Group, ...] = ("recall", "correction", "memory")
_BEFORE = " \t\n，,。.！!？?"  # noqa: RUF001 - marks by which a pattern tells where a clause begins
_MEMORY = 32 << 20  # re2 answers "no match" in silence when a Set's automaton does not fit


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
    plain = straight(text)
    hits = _find_hits(tuple(patterns), plain)
    if not hits:
        return Triage()
    own = own_words(text)
    matches = _omit_overlaps([match for hit in hits for match in islice(_list_matches(hit, own, text), MAX_MATCHES)])
    pair = None
    if any(match.route == VALIDATOR for match in matches):
        pairs = map(sides.read_pair, sides.find(plain))
        pair = next((Pair(*values) for values in pairs if all(map(names_value, values))), None)
    return Triage(any(match.route == MINER for match in matches), matches, pair)


def _list_matches(pattern: Pattern, own: str, text: str) -> Iterator[Match]:
    corrects = pattern.group in ("recall", "correction")
    for match in _compile_pattern(pattern).finditer(own):
        end = match.end()
        start = end - len(own[match.start() : end].lstrip(_BEFORE))
        if start == end or (corrects and _match_kind().match(own[start : start + _LONGEST_KIND])):
            continue
        if pattern.group != "memory" or _wishes(own, start, end):
            yield Match(pattern.source, pattern.group, pattern.route, pattern.confidence, start, end, text[start:end])


def _omit_overlaps(matches: Sequence[Match]) -> tuple[Match, ...]:
    result = [match for match in matches if match.group == "custom"]
    rest = (match for match in matches if match.group != "custom")
    for match in sorted(rest, key=lambda item: (_PRECEDENCE.index(item.group), item.start - item.end, item.start)):
        others = (other for other in result if other.group != "custom")
        if not any(match.start < other.end and other.start < match.end for other in others):
            result.append(match)
    return tuple(sorted(result, key=lambda match: (match.start, match.end, match.group == "custom")))


def _find_hits(patterns: tuple[Pattern, ...], text: str) -> Sequence[Pattern]:
    """Return the patterns that match somewhere; in plain ASCII those of other scripts need not be made ready."""
    if text.isascii():
        patterns = tuple(pattern for pattern in patterns if pattern.group == "custom" or pattern.source.isascii())
    # One set finds the patterns in one pass; each of these is then matched for its places.
    pattern_set = _compile_set(patterns)
    if pattern_set is None:
        return [pattern for pattern in patterns if _compile_pattern(pattern).search(text)]
    return [patterns[number] for number in pattern_set.Match(text) or ()]


@lru_cache(maxsize=16)
def _compile_set(patterns: tuple[Pattern, ...]) -> Any:
    """Return the set that gives the numbers of matching patterns; None if together they are too large."""
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    pattern_set = re2.Set.SearchSet(_set_options(cased=True))
    for pattern in patterns:
        pattern_set.Add(pattern.source if pattern.cased else f"(?i:{pattern.source})")
    try:
        pattern_set.Compile()
    except re2.error:
        return None
    return pattern_set


@cache
def _compile_pattern(pattern: Pattern) -> Any:
    return _make_re2(rf"\b(?:{pattern.source})" if pattern.whole else pattern.source, cased=pattern.cased)


# ---- the patterns of CONFIG.md

_CONFIG = "CONFIG.md"
_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)


class Known(NamedTuple):
    """All patterns of a workspace, and the problems of the unusable ones."""

    patterns: tuple[Pattern, ...]
    problems: tuple[ClawgitError, ...]


def read_patterns(config: Config) -> Known:
    """Return the patterns that clawgit brings and those that CONFIG.md adds."""
    results = list(_read_custom_patterns(config))
    problems, packs = [result for result in results if isinstance(result, ClawgitError)], list(PACKS)
    try:
        packs = [str(name) for name in config.value("triage_packs")]
    except ClawgitError as exc:
        problems += [] if str(exc) in map(str, problems) else [exc]
    return Known((*built_in(packs), *(result for result in results if isinstance(result, Pattern))), tuple(problems))


def _read_custom_patterns(config: Config) -> Iterator[Pattern | ClawgitError]:
    """Yield each pattern of CONFIG.md, or its problem; the bad ones leave the others alone.

    An entry is a regular expression in re2's syntax, bare or as `/…/i`, or a mapping of `pattern` and `route`; bare
    ones do not distinguish capitals, and without a route the memory miner gets a match.
    """
    key = KEYS["heartbeat_custom_patterns"]
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
    """Return the pattern of an entry of CONFIG.md. Raises ValueError."""
    fields = {"pattern": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict) or not isinstance(fields.get("pattern"), str) or not fields["pattern"].strip():
        raise ValueError(f"{entry!r} is neither a pattern nor a mapping of pattern and route")
    if strange := sorted(str(name) for name in fields.keys() - {"pattern", "route"}):
        raise ValueError(f"{strange[0]!r} is neither pattern nor route")
    route, source, cased = fields.get("route") or MINER, fields["pattern"], False
    if not isinstance(route, str) or not route.strip() or not route.isprintable():
        raise ValueError(f"{route!r} is no route: it names an agent, such as {MINER}")
    if slashed := _SLASHED.fullmatch(source.strip()):
        source, cased = slashed[1], "i" not in slashed[2]
        if strange_flags := slashed[2].strip("i"):
            raise ValueError(f"{fields['pattern']}: the flag {strange_flags[0]} is not known, only i is")
    _refuse_bad(source, cased=cased)
    return Pattern(source, "custom", route.strip(), cased=cased)


def _refuse_bad(source: str, *, cased: bool) -> None:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    try:
        compiled = re2.compile(source.encode("utf-8", "replace"), _set_options(cased=cased))
    except re2.error as exc:
        words = exc.args[0].decode("utf-8", "replace") if isinstance(exc.args[0], bytes) else exc.args[0]
        raise ValueError(f"{source!r} is no pattern that re2 takes: {words}") from exc
    if compiled.search(b"") is not None:
        raise ValueError(f"{source!r} matches nothing at all, and so everywhere")
