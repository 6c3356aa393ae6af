"""Finds the sentences that the operator asks to be kept."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.language import lexicon, own_words
from clawgit.language.own_words import own_talk
from clawgit.language.sentences import Sentence, count_words, sentences
from clawgit.safety import secrets
from clawgit.safety.redaction import redact
from clawgit.workspace.commit_message import fold_spaces

Kind = Literal["decision", "lesson", "note"]
TAGS: Mapping[Kind, str] = {"decision": "decision", "lesson": "skill", "note": "knowledge"}
"""The primary tag of each kind."""
LONGEST = 600
"""Letters of an entry."""
LONGEST_QUOTE = 160
_DATA = Path(__file__).parent / "data" / "requests.toml"
_KEYS: Mapping[str, Kind] = {
    **dict.fromkeys(("verbs", "writes", "puts", "places", "lasts", "ends", "stems", "labels"), "note"),
    **dict.fromkeys(("decisions", "decided"), "decision"),
    "lessons": "lesson",
}
"""The fields of the data that begin a request."""
_AHEAD = "+"
"""Before small words that announce the sentences behind."""
_EASTERN = ("ja", "ko", "zh")
_NOT_LATIN = (*_EASTERN, "ar", "ru")
_LABELS = ("labels", "decisions", "lessons")
_LONGEST_MESSAGE = 20_000
_QUOTATION = re.compile("\0+")
_MARKUP = str.maketrans("*", " ")
_MARKS = (
    ".,;:!?()\u2026\u2013\u2014\u2192\uff0c\u3002\uff1b\uff1a\uff01\uff1f\u3001\0\u2600-\u27bf\U0001f000-\U0001faff"
)
_CLAUSE = re.compile(
    rf"(?:^|(?<=\n)|(?<=[{_MARKS}\u00a1\u00bf])(?:(?<![.,;:])|(?=\s)|(?<=\.\.))|(?<=\s)[-\u2013](?=\s))\s*"
)
_SPACED = re.compile(rf"(?:^|(?<=[{_MARKS}\s]))\s*")
_CLAUSE_MARKS = re.compile(f"[{_MARKS}]")
_ENDS = re.compile(rf"(?=\s*(?:[{_MARKS}\n]|$))")
_COLON = re.compile(r"\s*(?<!\d)[:\uff1a](?!//)")
_BEFORE_COLON = re.compile(rf"[^.!?:;\n\u3002\uff1a\uff1b]{{,60}}{_COLON.pattern}")
_GAP = r"(?:[^.!?;:\n\u3002\uff1a\uff1b]|[.:](?=\S)){0,100}?"
_WORDS = r"(?:[^.,!?;:\n\u3002\uff1a\uff1b]|[.,:](?=\S)){0,100}?"
"""What a request may enclose."""
_CONJUNCTION = re.compile(r"\W*(?:that|que|q|dass|da\u00df|dat|che|\u017ce|\u0447\u0442\u043e|att)\b", re.IGNORECASE)
_VERB_LAST = re.compile(r"(?:dass|da\u00df|dat)\b", re.IGNORECASE)
_CODE = re.compile(
    r"^\s*(?://|def |if \(|for \w+ in )|[{};]\s*$|\w\([\w\"', .]*\)\s*(?:[;:.{#]|$)|[!=]=|\w = [\w\"']+[.(]|//\s"
    r"|: (?:true|false)\b|\b(?:WARN(?:ING)?|ERROR|INFO|DEBUG|TODO|FATAL|NOTICE)\b"
)
_STOP = re.compile(r"[.!;]\s")
_EDGES = " \t\n,:;?!.\u2014\u2013-\uff0c\uff1a\u3001\u3002\uff01\uff1f\u2192"
_MOST_SMALL = 8
"""Small words that may lead to a request, or stand in it."""
_FEWEST = 2
"""Words beyond those that ask that are something to keep."""
_MOST_MATCHES, _LONGEST_CLAUSE = 5, 200
_BACK = 4
"""Sentences behind a request in which it may be taken back."""


class Finding(Struct, frozen=True):
    """One request: `text` is its sentence on one line, `quote` is the same, letter for letter, in the message."""

    text: str
    quote: str
    tag: str
    kind: Kind


class Trigger(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a sentence that ask to keep something.

    `lead` is the start of the words that only lead to them: `and please`. `inner` is what they enclose: `put … in your
    notes`. With a `wish`, a question asks too.
    """

    start: int
    end: int
    iso: str = "en"
    kind: Kind = "note"
    lead: int = 0
    wish: bool = False
    inner: str = ""


def extract(text: str) -> tuple[Finding, ...]:
    """Return the sentences that the operator asks to be kept: whole and verbatim (spec P1, A3).

    The words that ask may go. A standing order is a request too. Quoted and pasted text and code are nobody's request;
    what is taken back, too long or holds a secret is none.
    """
    text = text[:_LONGEST_MESSAGE]
    leaks = secrets.find_secrets(text)
    clean_text, marks = redact(text) if leaks else text, [f"[{leak.rule}" for leak in leaks]
    items = list(sentences(own_talk(clean_text)))
    orders = {start for start, _ in own_words.rules(clean_text)}
    findings: dict[str, Finding] = {}
    last_used = -1
    for index in range(len(items)):
        # A sentence inside of a request begins none of its own.
        trigger = _find_trigger(items, index, orders) if index > last_used else None
        for numbers in _list_numbers(clean_text, items, index, trigger) if trigger else []:
            assert trigger is not None
            fact = items[index].start + _find_fact_start(items[index].own, trigger)
            starts = [fact if number == index else items[number].start for number in numbers]
            pieces = [clean_text[start : items[number].end] for start, number in zip(starts, numbers, strict=True)]
            entry, quote = fold_spaces(" ".join(pieces)), max(pieces[-1].splitlines(), key=len)[:LONGEST_QUOTE].strip()
            after = "\n".join(item.own for item in items[index : numbers[-1] + 1 + _BACK])
            # Pieces of several sentences may form a secret together, so the joined text is searched again.
            is_secret = any(mark in entry for mark in marks) or secrets.find_secrets(entry)
            last_used = max(last_used, *numbers)
            if not is_withdrawn(after) and not is_secret and len(entry) <= LONGEST:
                findings.setdefault(entry.casefold(), Finding(entry, quote, TAGS[trigger.kind], trigger.kind))
    return tuple(findings.values())


def find_request(own: str) -> Trigger | None:
    """Return the first words of a sentence that ask to keep something, whatever its language; None for none.

    ```
    request = LEAD (verbs | writes (small* (that | END) | …:) | puts … places | labels: | lasts END | decided)
            | frames … lasts END | … (ends | (verbs | writes) small | stems endings+) small* END
    LEAD    = the start of a clause, (small | frames)*
    ```
    """
    own = own[: 4 * LONGEST].translate(_MARKUP)
    triggers = (
        trigger
        for iso in _read_tables()
        if not (iso in _NOT_LATIN and own.isascii()) and _compile_phrases(iso, *_KEYS).search(own)
        for key in _KEYS
        for match in islice(_compile_phrases(iso, key).finditer(own), _MOST_MATCHES)
        if (trigger := _read_trigger(iso, own, match, key))
    )
    return min(triggers, key=lambda trigger: (trigger.start, not trigger.wish, -trigger.end), default=None)


def _read_trigger(iso: str, own: str, match: "re.Match[str]", key: str) -> Trigger | None:
    """Return the request that some words of a field of the data begin, if it is one."""
    if key in ("puts", "places"):
        trigger = _read_put(iso, own, match)
    else:
        trigger = _read_begin(iso, own, match, key) or _read_end(iso, own, match, key)
    before = own[: trigger.lead] if trigger else ""
    # Only the clause right before a request can deny it.
    is_denied = _patterns(iso)["denied"].search(_CLAUSE_MARKS.split(before)[-1])
    return None if is_denied or _compile_phrases(iso, "supposed").search(before) else trigger


def _read_put(iso: str, own: str, match: "re.Match[str]") -> Trigger | None:
    """Return `put … in your notes`: of languages without spaces the place is said first, of others last."""
    patterns = _patterns(iso)
    if iso in _EASTERN:
        place, start = patterns["place"].match(own, match.end()), match.start()
        lead, wish = _read_lead(iso, own, start)
        closing = place and (patterns["closing"].match(own, place.end()) or place)
        if not place or not closing or (lead < 0 and not _ENDS.match(own, closing.end())):
            return None
        return Trigger(start, closing.end(), iso, "note", lead if lead >= 0 else start, wish, place[1])
    put = patterns["put"].search(own, 0, match.start())
    closing = patterns["closing"].match(own, match.end()) or match
    return put and Trigger(
        put.start("words"), closing.end(), iso, "note", put.start("lead"), bool(put["wish"]), put["inner"]
    )


def _read_begin(iso: str, own: str, match: "re.Match[str]", key: str) -> Trigger | None:
    """Return a request at the beginning of a clause."""
    lead, wish = _read_lead(iso, own, match.start())
    closing = _patterns(iso)["closing"].match(own, match.end())
    if key in _LABELS:
        closing = _COLON.match(own, match.end())
    elif key in ("verbs", "decided") or (key == "writes" and _BEFORE_COLON.match(own, match.end())):
        closing = closing or match
    if closing is None or lead < 0:
        return None
    inner = " ".join(filter(None, match.groups()))
    return Trigger(match.start(), closing.end(), iso, _KEYS[key], lead, wish or key == "stems", inner)


def _read_end(iso: str, own: str, match: "re.Match[str]", key: str) -> Trigger | None:
    """Return a request at the end of a clause."""
    patterns, start = _patterns(iso), match.start()
    closing = patterns["closing"].match(own, match.end())
    if closing is None or not (iso in _EASTERN or _ENDS.match(own, closing.end())):
        return None
    if key == "lasts" and (frame := patterns["frame"].search(own, 0, start)):
        is_denied = patterns["denied"].search(frame[1])
        end = closing.end()
        return (
            None if is_denied else Trigger(frame.start(1), end, iso, "note", frame.start(), wish=True, inner=frame[1])
        )
    if key in ("ends", "stems") or (key in ("verbs", "writes") and closing.end() > match.end()):
        return Trigger(start, closing.end(), iso, "note", start, key == "stems", " ".join(filter(None, match.groups())))
    return None


def _read_lead(iso: str, own: str, start: int) -> tuple[int, bool]:
    """Return where the clause begins whose first words only lead to those at `start`, or -1; and whether they wish."""
    first = max(0, start - _LONGEST_CLAUSE)
    begins = [match.end() for match in (_SPACED if iso in _EASTERN else _CLAUSE).finditer(own, first, start)]
    for begin in begins[-_MOST_SMALL:]:
        if lead := _patterns(iso)["lead"].fullmatch(own, begin, start):
            return begin, bool(lead["wish"])
    return -1, False


def is_withdrawn(own: str) -> bool:
    """Return whether words withdraw the request before them."""
    return any(
        _read_lead(iso, own, match.start())[0] >= 0
        for iso in _read_tables()
        if not (iso in _NOT_LATIN and own.isascii())
        for match in _compile_phrases(iso, "withdrawn").finditer(own)
    )


def _find_trigger(items: Sequence[Sentence], index: int, orders: Collection[int]) -> Trigger | None:
    sentence = items[index]
    # A bullet below other sentences is an item of their list, and no request of its own.
    if (sentence.bullet and not items[0].bullet) or _CODE.search(sentence.own):
        return None
    trigger = find_request(sentence.own)
    if trigger is None and sentence.start in orders and "\0" not in sentence.own:
        return Trigger(0, 0)
    if not trigger or trigger.wish or not is_question(sentence) or _STOP.search(sentence.own, trigger.end):
        return trigger
    # A tag such as `, ok?` makes no question of a request.
    head, _, tag = sentence.own.rpartition(",")
    return trigger if len(head) > trigger.start and not _count_content(trigger.iso, tag) else None


def is_question(sentence: Sentence) -> bool:
    """Return whether a sentence ends as a question does."""
    return sentence.own.rstrip("\"')*_] \u201d\u2019\u300d\u300f").endswith(("?", "\uff1f"))


def _list_numbers(message: str, items: Sequence[Sentence], index: int, trigger: Trigger) -> list[list[int]]:
    """Return the numbers of the sentences that each entry is made of.

    The sentence that asks, where it says what to keep; else the list below it, the sentence before it, or those behind.
    """
    own, iso = items[index].own, trigger.iso
    has_colon = _BEFORE_COLON.match(own, trigger.end) or own[trigger.end - 1 : trigger.end] in (":", "\uff1a")
    parts = (own[: trigger.lead], own[trigger.end :], trigger.inner)
    before, after, inner = (_count_content(iso, part) for part in parts)
    is_ahead = own.rstrip().endswith((":", "\uff1a")) or _compile_phrases(iso, "ahead").search(own) is not None
    is_whole = after >= (1 if has_colon else _FEWEST) or inner >= _FEWEST
    bullets = list(takewhile(lambda number: items[number].bullet, range(index + 1, len(items))))
    if bullets and not items[index].bullet and (is_ahead or not is_whole):
        return [[*([index] if is_whole else []), number] for number in bullets]
    following = _list_following(message, items, index)
    if is_whole or (before >= _FEWEST and not is_ahead):
        return [[index, *(following if is_ahead and not parts[0].strip() else [])]]
    is_fact = index > 0 and not is_question(items[index - 1]) and _count_content(iso, items[index - 1].own) >= _FEWEST
    if is_fact and not is_ahead:
        return [[index - 1]]
    if following:
        return [[*([index] if after else []), *following]]
    return [[index]] if after + inner else []


def _list_following(message: str, items: Sequence[Sentence], index: int) -> list[int]:
    """Return the next sentence, and those of its paragraph, up to a question."""
    numbers: list[int] = []
    for number in range(index + 1, len(items)):
        is_apart = numbers and "\n\n" in message[items[number - 1].end : items[number].start]
        if is_apart or is_question(items[number]) or items[number].end - items[index].start > LONGEST:
            break
        numbers.append(number)
    return numbers


def _find_fact_start(own: str, trigger: Trigger) -> int:
    """Return the offset in a sentence at which the fact itself begins, behind a request at its head.

    Behind a word that puts the verb last, or before a colon, the rest alone would say less.
    """
    after = own[trigger.end :].lstrip(_EDGES)
    conjunction = _CONJUNCTION.match(after)
    is_plain = trigger.kind == "note" and not own[: trigger.lead].strip(_EDGES) and not trigger.inner
    is_inside_word = lexicon.eastern(own) and own[trigger.end : trigger.end + 1].isalpha()
    has_colon = not conjunction and _BEFORE_COLON.match(own, trigger.end)
    if not is_plain or is_inside_word or has_colon or _VERB_LAST.match(after) or count_words(after) < _FEWEST:
        return 0
    return len(own) - len(after[conjunction.end() if conjunction else 0 :].lstrip(_EDGES))


def _count_content(iso: str, own: str) -> int:
    """Return how many words of a text are more than small ones; a quotation is two."""
    return count_words(_compile_phrases(iso, "small", "frames").sub(" ", _QUOTATION.sub(" word word ", own)))


@cache
def _patterns(iso: str) -> Mapping[str, "re.Pattern[str]"]:
    """Return what finds the parts of a request in a language.

    `closing`: small words, and `that` or the end of a clause behind them; `denied`: `if`, `not`.
    """
    small, frame = (_compile_phrases(iso, key).pattern for key in ("small", "frames"))
    ending, place = _compile_phrases(iso, "endings").pattern, _compile_phrases(iso, "places").pattern
    lead = rf"(?:(?:(?P<wish>{frame})|{small})[\s,:\uff0c\u3001.!]*){{0,{_MOST_SMALL}}}"
    end = rf"(?:(?=,?\s+{_CONJUNCTION.pattern})|{_ENDS.pattern}|(?<=[{lexicon.DENSE}{lexicon.HANGUL}])(?=\s))"
    sources = {
        "lead": lead,
        "closing": rf"(?:[\s,]*(?:{small}|{frame})){{0,{_MOST_SMALL}}}{end}",
        "place": rf"({_GAP}){place}(?:\s?{ending}){{0,{_MOST_SMALL}}}",
        "put": rf"{_CLAUSE.pattern}(?P<lead>{lead})(?P<words>[^\W\d_]+\b(?P<inner>{_GAP}))\Z",
        "frame": rf"{frame}({_GAP})\Z",
    }
    denying = [word for key in ("conditions", "negations") for word in lexicon.words(iso, "logic", key)]
    compiled = {name: re.compile(source, re.IGNORECASE) for name, source in sources.items()}
    return {**compiled, "denied": own_words.finder(tuple(denying))}


@cache
def _compile_phrases(iso: str, *keys: str) -> "re.Pattern[str]":
    """Return what finds the phrases of a language under some keys, the longest first."""
    table = _read_tables()[iso]
    raw_phrases = [phrase for key in keys for phrase in lexicon.split_list(table.get(key))]
    if keys == ("ahead",):
        raw_phrases = [phrase for phrase in lexicon.split_list(table["small"]) if phrase[0] == _AHEAD]
    phrases = [phrase.lstrip(_AHEAD).replace("~", table.get("forms", "")) for phrase in raw_phrases]
    source = "|".join(map(_phrase_pattern, lexicon.longest_first(phrases))) or "(?!)"
    ending = rf"(?:\s?{_compile_phrases(iso, 'endings').pattern}){{1,{_MOST_SMALL}}}" if keys == ("stems",) else ""
    edge_before, edge_behind = ("", "") if iso in _EASTERN else (r"\b", r"(?!\w)")
    return re.compile(f"{edge_before}(?:{source}){ending}{edge_behind}", re.IGNORECASE)


@cache
def _read_tables() -> dict[str, dict[str, str]]:
    return tomllib.loads(_DATA.read_text("utf-8"))


def _phrase_pattern(phrase: str) -> str:
    """Return the source of a phrase as people type it: hyphens and apostrophes may be missing."""
    source = re.sub(r"\((?!\?)", "(?:", phrase).replace("-", r"[-\s]").replace("'", "['\u2019]?")
    return source.replace(" \u2026 ", rf"\b({_WORDS})\b").replace(" ", r",?\s+")
