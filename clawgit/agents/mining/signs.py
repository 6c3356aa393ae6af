"""Reads the signs of a sentence."""

import re
from functools import cache

from msgspec.structs import replace

from clawgit.agents.mining.chinese import CHINESE
from clawgit.agents.mining.english import SMALL, TABLE, past
from clawgit.agents.mining.english_forms import ENGLISH
from clawgit.agents.mining.european import EUROPEAN
from clawgit.agents.mining.european import SMALL as EUROPEAN_SMALL
from clawgit.agents.mining.japanese import JAPANESE
from clawgit.agents.mining.korean import KOREAN
from clawgit.agents.mining.listed import listed
from clawgit.agents.mining.tongue import Tongue
from clawgit.agents.mining.weights import BIT, HINT
from clawgit.language import requests
from clawgit.language.detect import detect

_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_ASIAN = re.compile(r"[\u3041-\u30ff\uac00-\ud7a3\u4e00-\u9fff]")
_NAMES = re.compile(r"[A-HJ-Z](?<=\w .)|I(?<=\w I)[a-z]|[A-Z](?:(?<=[a-z].)|[A-Z])")
_PLACE = re.compile(r"\b(?:in|at|from|to|near|for) (?:the )?[A-Z]")
_PROGRESS = re.compile(r"\b(?:been|am|are|is|i'm|we're|he's|she's) \w+ing\b")
_ADDRESS = re.compile(r"[_@]\w|(?<=\w)\.[a-z\d]|(?<=\w)/(?!or\b|her\b)\w{3}")
_DIGIT = re.compile(r"\d")
_PAST, _SELF, _US, _REACTION, _GREETING = (BIT[one] for one in ("past", "self", "us", "reaction", "greeting"))
_CONTENT = ((1, BIT["content 0-1"]), (3, BIT["content 2-3"]), (5, BIT["content 4-5"]), (8, BIT["content 6-8"]))
_MUCH = BIT["content 9-"]
_LEADS = listed(
    "and but so also well plus then actually just oh anyway hmm man btw yeah yep yes no sure absolutely"
    " definitely totally exactly ok okay right true"
)
_THEY = listed("they they're they've he he's she she's")
_ELIDED = listed(
    "been just got had went took made still started trying doing going working getting thinking looking finally"
    " spent came saw met bought gonna having planning hoping living making taking learning feeling using"
)
_LEADING = 4
_TELLING = 5
_VAGUE = BIT["vague"]
_EVERY_HINT = sum(HINT.values())
_TONGUES = {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN} | dict.fromkeys(("de", "es", "fr", "it", "pt", "nl"), EUROPEAN)


def words(own: str) -> list[str]:
    """Return the words of a sentence in lower case."""
    return _WORD.findall(own.lower())


def tongue(own: str) -> Tongue:
    """Return how a sentence is read; as English where its language is not told."""
    return _tongue(detect(own))


@cache
def _tongue(iso: str) -> Tongue:
    """Return how a language is read; what asks to remember is in its file, where it has one."""
    asks = requests.asking(iso)
    known = _TONGUES.get(iso, EUROPEAN if asks else ENGLISH)
    return replace(known, note=re.compile(rf"{asks}|{known.note.pattern}")) if asks else known


def signs(own: str, said: list[str], known: Tongue) -> int:
    """Return the signs of a sentence as bits; `said` are its words, `known` its language."""
    found = _english(said) if known is ENGLISH else _other(own, said, known)
    return found | _marks(own, named=known is not EUROPEAN)


def _english(said: list[str]) -> int:
    found = 0
    content = set()
    get = TABLE.get
    for word in said:
        if bits := get(word, 0):
            found |= bits
        elif past(word):
            found |= _PAST
        if word not in SMALL:
            content.add(word)
    if found & _VAGUE and len(content) > _TELLING:
        found ^= _VAGUE
    return found | _beginning(said) | _length(len(content))


def _beginning(said: list[str]) -> int:
    """Return the signs of what an English sentence begins with, past words that only lead in."""
    found = 0
    for word in said[:_LEADING]:
        bits = TABLE.get(word, 0)
        if bits & _REACTION:
            found |= BIT["begins with reaction"]
        elif bits & _SELF:
            return found | BIT["begins with I"]
        elif bits & _US:
            return found | BIT["begins with we"]
        elif word in _THEY:
            return found | BIT["begins with they"]
        elif past(word) or word in _ELIDED:
            return found | BIT["elided"]
        elif not bits & _GREETING and word not in _LEADS:
            return found
    return found


def _other(own: str, said: list[str], known: Tongue) -> int:
    lower = own.lower()
    found = _EVERY_HINT
    for bit, pattern in known.signs:
        if pattern.search(lower):
            found |= bit
    if known.letters:
        latin = sum(word.isascii() for word in said)
        return found | BIT["terse"] | _length(latin + len(_ASIAN.findall(own)) // known.letters)
    return found | _length(sum(word not in EUROPEAN_SMALL for word in said))


def _length(content: int) -> int:
    return next((bit for most, bit in _CONTENT if content <= most), _MUCH)


def _marks(own: str, *, named: bool) -> int:
    """Return the signs of letters and marks; where nouns are written large, capitals name nobody."""
    found = 0
    if own[-1:] in "!！":  # noqa: RUF001 - the wide mark
        found |= BIT["exclaimed"]
    if _DIGIT.search(own):
        found |= BIT["number"]
    if _ADDRESS.search(own):
        found |= BIT["address"]
    if "\0" in own:
        found |= BIT["quoted"]
    if named and _NAMES.search(own):
        found |= BIT["name"]
        if _PLACE.search(own):
            found |= BIT["place"]
    if "ing" in own and _PROGRESS.search(own.lower()):
        found |= BIT["progress"]
    return found
