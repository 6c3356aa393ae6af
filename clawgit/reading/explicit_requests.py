"""Finds the sentences that the operator asks to be kept."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.language import detect, lexicon, logic
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import Sentence, count_words, sentences
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted

Kind = Literal["decision", "lesson", "note"]
TAGS: Mapping[Kind, str] = {"decision": "decision", "lesson": "skill", "note": "knowledge"}
"""The primary tag of each kind."""
LONGEST = 600
"""Letters of an entry."""
LONGEST_QUOTE = 160
_DATA = Path(__file__).parent / "data" / "requests.toml"
_LONGEST_MESSAGE = 20_000
_QUOTED = 0.5
"""The share of a sentence that may be quoted."""
_SPACE = re.compile(r"\s+")
_CLAUSE = r"(?:^|(?<=[.,;!?()\u2026\u2013\u2014\uff0c\u3002\uff1b\uff01\uff1f\u3001:\uff1a])\s*|(?<=\s)[-\u2013]\s+)"
_ENDS = r"(?=\s*(?:[.,;:!?()\u2026\u2013\u2014\uff0c\u3002\uff1b\uff1a\uff01\uff1f\u3001\n]|$))"
_COLON = r"\s*[:\uff1a](?![\d/])"
_UP_TO_COLON = 60
"""Letters between words that ask and a colon."""
_BEFORE_COLON = re.compile(rf"[^.!?:;\n\u3002\uff1a\uff1b]{{1,{_UP_TO_COLON}}}{_COLON}")
_THAT = r"(?:that|que|de que|dass|da\u00df|dat|che|\u017ce|\u0447\u0442\u043e|att)\b"
_CLAUSE_MARKS = re.compile(r"[.,;:!?()\u2026\u2013\u2014]")
_VERB_LAST = re.compile(r"(?:dass|da\u00df|dat)\b", re.IGNORECASE)
_EDGES = " \t\n,:;?!.\u2014\u2013-\uff0c\uff1a\u3001\u3002\uff01\uff1f"
_MOST_LEADING, _MOST_FILL = 6, 4
"""Words that may lead to a request, or stand in it."""
_FEWEST, _FEWEST_BEFORE = 2, 3
"""Words beyond those that ask, behind or before them, that are something to keep."""
_MOST_MATCHES, _LONGEST_CLAUSE = 5, 200
_BACK = 4
"""Sentences behind a request in which it may be limited, or taken back."""


class Finding(Struct, frozen=True):
    """One request: `text` is its sentence on one line, `quote` stands letter for letter in the message."""

    text: str
    quote: str
    tag: str
    kind: Kind


class Trigger(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a sentence that ask to keep something.

    `lead` is the start of the words that only lead to them: `and please`.
    """

    start: int
    end: int
    kind: Kind
    lead: int
    wish: bool


def extract(text: str) -> tuple[Finding, ...]:
    """Return the sentences that the operator asks to be kept: whole and verbatim (spec P1, A3).

    The words that ask may go. Quoted and pasted text and code are nobody's request; what is taken back, too long or
    holds a secret is none.
    """
    text = text[:_LONGEST_MESSAGE]
    leaks = secrets.scan(text)
    shown, hidden = redacted(text) if leaks else text, [f"[{leak.rule}" for leak in leaks]
    every = list(sentences(own_talk(shown)))
    findings: dict[str, Finding] = {}
    taken = -1
    for at in range(len(every)):
        trigger = _find_trigger(every, at)
        spans = _list_spans(every, at, trigger) if trigger and at > taken else []
        for pieces, last in spans:
            assert trigger is not None
            behind = "\n".join(sentence.own for sentence in every[at : last + 1 + _BACK])
            finding = _make_finding(shown, pieces, trigger.kind)
            is_secret = any(mark in finding.text for mark in hidden) or secrets.scan(finding.text)
            taken = max(taken, last)
            if not is_withdrawn(behind) and not is_secret and len(finding.text) <= LONGEST:
                findings.setdefault(finding.text.casefold(), finding)
    return tuple(findings.values())


def find(own: str) -> Trigger | None:
    """Return the first words of a sentence that ask to keep something, whatever its language; None for none."""
    triggers = [
        Trigger(match.start("words"), match.end("words"), kind, match.start(), bool(match.groupdict().get("wish")))
        for kind, pattern in _compile_patterns()
        for match in islice(pattern.finditer(own, 0, 4 * LONGEST), _MOST_MATCHES)
        if not _is_supposed(own[: match.start("words")])
    ]
    return min(triggers, key=lambda trigger: (trigger.start, not trigger.wish, -trigger.end), default=None)


def is_withdrawn(own: str) -> bool:
    """Return whether words take back what was asked for before them."""
    return _withdrawal_pattern().search(own) is not None


def _find_trigger(every: Sequence[Sentence], at: int) -> Trigger | None:
    sentence = every[at]
    if sentence.own.count("\0") > _QUOTED * len(sentence.own) or (sentence.bullet and not every[0].bullet):
        return None
    trigger = find(sentence.own)
    return None if trigger and is_question(sentence) and not trigger.wish else trigger


def is_question(sentence: Sentence) -> bool:
    """Return whether a sentence ends as a question does."""
    return sentence.own.rstrip("\"')*_] \u201d\u2019\u300d\u300f").endswith(("?", "\uff1f"))


Pieces = list[tuple[int, int]]


def _list_spans(every: Sequence[Sentence], at: int, trigger: Trigger) -> list[tuple[Pieces, int]]:
    """Return the pieces of the message that each entry is made of, with the number of its last sentence."""
    sentence, end = every[at], len(every)
    own, leads = sentence.own, not sentence.own[: trigger.lead].strip(_EDGES)
    asking = _match_to_colon(own, trigger)
    before, behind = count_words(own[: trigger.lead]), count_words(own[asking.end() if asking else trigger.end :])
    start = sentence.start + (_find_start(own, trigger) if leads else 0)
    bullets = list(takewhile(lambda number: every[number].bullet, range(at + 1, end)))
    ahead = own.rstrip().endswith((":", "\uff1a")) or _announcement_pattern().search(own) is not None
    if bullets and not sentence.bullet and (ahead or behind < _FEWEST):
        lead = [(start, sentence.end)] if behind >= _FEWEST else []
        return [([*lead, (every[number].start, every[number].end)], number) for number in bullets]
    if behind >= _FEWEST and not ahead:
        return [([(start, sentence.end)], at)]
    if before >= _FEWEST_BEFORE and not leads:
        return [([(sentence.start, sentence.end)], at)]
    if at and not ahead and not is_question(every[at - 1]):
        return [([(every[at - 1].start, every[at - 1].end)], at)]
    if at + 1 < end and not is_question(every[at + 1]):
        return [([(every[at + 1].start, every[at + 1].end)], at + 1)]
    return [([(start, sentence.end)], at)] if behind else []


def _find_start(own: str, trigger: Trigger) -> int:
    """Return where in a sentence that begins with a request the thing itself begins, in characters.

    Behind a word that puts the verb last the rest alone would be no sentence; of words before a colon nobody can tell
    whether they ask or are asked to be kept.
    """
    behind = own[trigger.end :].lstrip(_EDGES)
    inside_word = detect.eastern(own) and own[trigger.end : trigger.end + 1].isalpha()
    if (
        inside_word
        or _match_to_colon(own, trigger)
        or trigger.kind != "note"
        or _VERB_LAST.match(behind)
        or count_words(behind) < _FEWEST
    ):
        return trigger.start
    return len(own) - len(re.sub(rf"\A{_THAT}[\s,]*", "", behind, flags=re.IGNORECASE))


def _match_to_colon(own: str, trigger: Trigger) -> "re.Match[str] | None":
    """Return what stands between words that ask and a colon, if anything does, and no `that`."""
    is_clause = re.search(rf"{_THAT}\W*\Z", own[: trigger.end], re.IGNORECASE) or re.match(
        rf"\W*{_THAT}", own[trigger.end :], re.IGNORECASE
    )
    return None if is_clause else _BEFORE_COLON.match(own, trigger.end)


def _make_finding(shown: str, pieces: Pieces, kind: Kind) -> Finding:
    """Return the entry of some pieces of a message."""
    text = _SPACE.sub(" ", " ".join(shown[start:end] for start, end in pieces)).strip()
    start, end = pieces[-1]
    return Finding(text, max(shown[start:end].splitlines(), key=len)[:LONGEST_QUOTE].strip(), TAGS[kind], kind)


def _is_supposed(before: str) -> bool:
    """Return whether words before a request, in its clause, make it none: `if we decided`, `she did not`."""
    clause = _CLAUSE_MARKS.split(before[-_LONGEST_CLAUSE:])[-1]
    return bool(clause) and _supposition_pattern().search(clause) is not None


@cache
def _supposition_pattern() -> "re.Pattern[str]":
    logic_words = (
        lexicon.words(iso, "logic", key) for iso in lexicon.languages() for key in ("conditions", "negations")
    )
    return logic.finder(tuple(word for words in (*logic_words, _list_phrases("supposed")) for word in words))


@cache
def _read_tables() -> Mapping[str, Mapping[str, str]]:
    tables: dict[str, dict[str, str]] = tomllib.loads(_DATA.read_text("utf-8"))
    return tables


def _list_phrases(*keys: str, eastern: bool | None = None) -> list[str]:
    """Return the phrases of all languages under some keys, the longest first."""
    phrases = {phrase for table in _read_tables().values() for key in keys for phrase in lexicon.listed(table.get(key))}
    chosen = (phrase for phrase in phrases if eastern is None or detect.eastern(phrase) == eastern)
    return sorted(chosen, key=lambda phrase: (-len(phrase), phrase))


@cache
def _compile_patterns() -> tuple[tuple[Kind, "re.Pattern[str]"], ...]:
    """Return the patterns of requests, for languages with spaces between words and for the others."""
    return tuple(
        (kind, re.compile(source, re.IGNORECASE))
        for eastern in (False, True)
        for kind, source in _list_sources(eastern=eastern)
    )


def _list_sources(*, eastern: bool) -> Iterator[tuple[Kind, str]]:
    def some(*keys: str) -> str:
        return _join(_list_phrases(*keys, eastern=eastern))

    edge, word_end = ("", "") if eastern else (r"\b", r"(?!\w)")
    clause = rf"(?:{_CLAUSE}|(?<=\s))" if eastern else _CLAUSE
    lead = rf"{clause}(?:(?:{some('lead', 'fill')}){edge}[\s,:\uff0c\u3001.!]*){{0,{_MOST_LEADING}}}"
    wished = rf"{clause}(?:(?:{some('lead', 'fill')}|(?P<wish>{some('wishes')})){edge}[\s,:.!]*){{1,{_MOST_LEADING}}}"
    aside = "" if eastern else rf"(?:\s+(?:{some('fill', 'lead')})\b){{0,{_MOST_FILL}}}"
    ends = rf"(?:{_ENDS}|(?=\s))" if eastern else _ENDS
    stems = rf"|(?:{some('stems')})(?:{some('endings')}){{1,{_MOST_LEADING}}}" if eastern else ""
    notes = rf"(?:{aside}(?:,?\s+(?={_THAT})|{ends})|(?={_BEFORE_COLON.pattern}))"
    closed = rf"{aside}(?=\s+{_THAT}|{ends})"
    verbs = rf"(?:{some('asks')}){edge}(?:{closed}|)|(?:{some('notes')}){edge}{notes}"
    yield "note", rf"{lead}(?P<words>{verbs})"
    if not eastern:
        yield "note", rf"{wished}(?P<words>{verbs})"
    yield "note", rf"{lead}(?P<words>(?:{some('labels')}){_COLON})"
    yield "decision", rf"{lead}(?P<words>(?:{some('decisions')}){_COLON})"
    yield "lesson", rf"{lead}(?P<words>(?:{some('lessons')}){_COLON})"
    yield "decision", rf"{lead}(?P<words>{some('decided')}){word_end}"
    yield "note", rf"{edge}(?P<words>(?:{some('keeps', 'notes')}{stems}){aside}){ends}"


@cache
def _withdrawal_pattern() -> "re.Pattern[str]":
    sources = (
        rf"{_CLAUSE}(?:(?:{_join(_list_phrases('lead', eastern=eastern))}){edge}[\s,]*){{0,{_MOST_LEADING}}}"
        rf"(?:{_join(_list_phrases('withdrawn', eastern=eastern))}){edge}"
        for eastern, edge in ((False, r"\b"), (True, ""))
    )
    return re.compile("|".join(sources), re.IGNORECASE)


@cache
def _announcement_pattern() -> "re.Pattern[str]":
    return logic.finder(tuple(_list_phrases("ahead")))


def _join(phrases: Iterable[str]) -> str:
    return "|".join(map(_phrase_pattern, phrases)) or "(?!)"


def _phrase_pattern(phrase: str) -> str:
    """Return the source of a phrase as people type it: hyphens and apostrophes may be missing."""
    fill = rf"\s+(?:[^\W\d_]+\s+){{0,{_MOST_FILL}}}?"
    gap = rf"\s[^.!?;:\n]{{1,{_UP_TO_COLON}}}\s"
    source = re.escape(phrase).replace(r"\-", r"[-\s]").replace("'", "['\u2019]?")
    return source.replace(r"\ _\ ", fill).replace(r"\ …\ ", gap)
