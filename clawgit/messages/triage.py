"""Patterns, and their matches in a message."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from clawgit.language import lexicon
from clawgit.language.own_words import own_words, straight
from clawgit.messages import sides

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


class Pair(NamedTuple):
    """The wrong and the true value."""

    said: str
    true: str


def names_value(side: str) -> bool:
    """Return whether a side of a correction is something that can be true or false: "really" and 了 are not."""
    return not _match_no_value().search(side)


@cache
def _match_no_value() -> Any:
    """Return a pattern for words that are no value: "not a problem", "not really"."""
    return _compile(f"(?i){'|'.join(pattern for iso in LANGUAGES for pattern in lexicon.patterns(iso)['no_value'])}")


def _compile(source: str) -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return re2.compile(source)


_LONGEST = 80
_MARKS = r"[.!?,;:)…—–\-。！？，、\n]"  # noqa: RUF001 - marks of several scripts


def reassures(text: str, start: int) -> bool:
    """Return whether the words at `start` only wave something off: "no, it's fine" corrects nothing."""
    return _kind().match(text[start : start + _LONGEST]) is not None


@cache
def _kind() -> Any:
    """Return a pattern for kind words, with their possible followers."""
    words = "|".join(lexicon.patterns(iso)["kind"] for iso in LANGUAGES)
    return _compile(rf"(?i)(?:{words}) *(?:$|{_MARKS}|(?:{lexicon.patterns('en')['kind_behind']})\b)")


_LONGEST_RECOLLECTION = 60
_NOWHERE = r"\z."


def wishes(text: str, start: int, end: int) -> bool:
    """Return whether words of remembering, at `start` to `end`, ask to remember: "do you remember this?" does not."""
    words = text[start:end]
    for sign, rule, before, continuation, never in _rules():
        if sign in words and rule.fullmatch(words):
            prefix, after = (
                text[max(0, start - _LONGEST_RECOLLECTION) : start].rpartition("\n")[2],
                text[end : end + _LONGEST_RECOLLECTION],
            )
            return not before.search(prefix) and not never.match(after) and bool(continuation.match(after))
    return True


@cache
def _rules() -> tuple[tuple[Any, ...], ...]:
    """Return a sign, its words in a match, and three patterns, for each rule of each language.

    It is a wish if the first is not found before the words, the second is right behind them, and the third is not.
    """
    rows = (row for iso in LANGUAGES for row in lexicon.patterns(iso)["wishes"])
    keys = {"words": "", "never_before": _NOWHERE, "behind": "", "never_behind": _NOWHERE}
    return tuple((row["sign"], *(_compile(row.get(key, none)) for key, none in keys.items())) for row in rows)


OPERATOR = "operator"
MOST = 20
"""Matches of one pattern that are told."""

_PRECEDENCE: tuple[Group, ...] = ("recall", "correction", "memory")
_BEFORE = " \t\n，,。.！!？?"  # noqa: RUF001 - marks by which a pattern tells where a clause begins
_MEMORY = 32 << 20  # re2 answers "no match" in silence when a Set's automaton does not fit


class Match(NamedTuple):
    """A match of a pattern: characters `start` to `end` (exclusive) of the message, and their text."""

    pattern: str
    group: Group
    route: str
    trigger_confidence: Confidence | None
    start: int
    end: int
    text: str


class Triage(NamedTuple):
    """The signs in a message, in the order of its words.

    `priority`: the memory miner should read it first; `pair` is its correction, if it has both sides.
    """

    priority: bool = False
    matches: tuple[Match, ...] = ()
    pair: "Pair | None" = None

    @property
    def document(self) -> dict[str, Any]:
        """The same as JSON has it."""
        fields: dict[str, Any] = self._asdict()
        return fields | {
            "matches": [match._asdict() for match in self.matches],
            "pair": self.pair._asdict() if self.pair else None,
        }


def triage(text: str, patterns: Sequence[Pattern], *, origin: str = OPERATOR) -> Triage:
    """Return the matches of `patterns` in a message (spec §7); only the operator's own words are looked at.

    Of overlapping matches, one of a failed recall goes before a soft correction, and that before a request to remember;
    among equals the longer one stays. Custom patterns come beside all others. Takes time in proportion to the length of
    the text.
    """
    if origin != OPERATOR:
        return Triage()
    plain = straight(text)
    compiled = _compiled_triage(tuple(patterns), ascii=plain.isascii())
    hits = compiled.hits(plain)
    if not hits:
        return Triage()
    own = own_words(text)
    matches = _omit_overlaps([match for hit in hits for match in islice(_matches(compiled, hit, own, text), MOST)])
    return Triage(any(match.route == MINER for match in matches), matches, _pair(plain, matches))


def _pair(text: str, found: Iterable[Match]) -> "Pair | None":
    if not any(match.route == VALIDATOR for match in found):
        return None
    pairs = (Pair(*sides.read_pair(claim)) for claim in sides.find(text))
    return next((pair for pair in pairs if all(map(names_value, pair))), None)


def _matches(compiled: "_Compiled", hit: int, own: str, text: str) -> Iterator[Match]:
    pattern = compiled.patterns[hit]
    corrects = pattern.group in ("recall", "correction")
    for match in compiled.one(hit).finditer(own):
        end = match.end()
        start = end - len(own[match.start() : end].lstrip(_BEFORE))
        if start == end or (corrects and reassures(own, start)):
            continue
        if pattern.group != "memory" or wishes(own, start, end):
            yield Match(pattern.source, pattern.group, pattern.route, pattern.confidence, start, end, text[start:end])


def _omit_overlaps(found: Collection[Match]) -> tuple[Match, ...]:
    custom = [match for match in found if match.group == "custom"]
    result: list[Match] = []
    rest = (match for match in found if match.group != "custom")
    for match in sorted(rest, key=lambda item: (_PRECEDENCE.index(item.group), item.start - item.end, item.start)):
        if not any(match.start < other.end and other.start < match.end for other in result):
            result.append(match)
    return tuple(sorted((*result, *custom), key=lambda candidate: (candidate.start, candidate.end)))


class _Compiled:
    """Patterns ready to match; each one alone is compiled when it first does."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

        self.patterns = patterns
        self._re2 = re2
        self._each: dict[int, Any] = {}
        self._every = re2.Set.SearchSet(options(cased=True))
        for pattern in patterns:
            self._every.Add(pattern.source if pattern.cased else f"(?i:{pattern.source})")
        try:
            self._every.Compile()
        except re2.error:  # together they are too large
            self._every = None

    def hits(self, text: str) -> Sequence[int]:
        """Return the numbers of the patterns that match somewhere."""
        if self._every is None:
            return [number for number in range(len(self.patterns)) if self.one(number).search(text)]
        return self._every.Match(text) or ()

    def one(self, number: int) -> Any:
        """Return one pattern by itself, with the places of its matches."""
        if number not in self._each:
            pattern = self.patterns[number]
            source = rf"\b(?:{pattern.source})" if pattern.whole else pattern.source
            self._each[number] = self._re2.compile(source, options(cased=pattern.cased))
        return self._each[number]


@lru_cache(maxsize=16)
def _compiled_triage(patterns: tuple[Pattern, ...], *, ascii: bool) -> _Compiled:  # noqa: A002 - what it is
    """Return patterns ready to match; in plain ASCII those of other scripts need not be made ready."""
    able = (pattern for pattern in patterns if not ascii or pattern.group == "custom" or pattern.source.isascii())
    return _Compiled(tuple(able))


def options(*, cased: bool) -> Any:
    """Return re2's settings for a pattern."""
    import re2  # noqa: PLC0415

    settings = re2.Options()
    settings.case_sensitive = cased
    settings.max_mem = _MEMORY
    settings.log_errors = False
    return settings
