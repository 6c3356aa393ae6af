"""Reads notes in languages with spaces between words."""

import re
from collections.abc import Callable
from itertools import pairwise

from clawgit.language import numbers
from clawgit.language.units import MONEY
from clawgit.text.sameness.note import Reading, bag, temporal, word_table
from clawgit.text.sameness.note_values import ATTACHED, is_unit, measured, month, table, weekday
from clawgit.text.sameness.rephrasing import FILLERS, MODALS, NEGATIONS, SAME

LANGUAGES = ("en", "de", "es", "fr")
"""Those whose phrases and synonyms are known."""
_MARKS = frozenset(",;.:!")
_COPULAS = {
    "en": {"is": "is", "are": "are", "am": "is"},
    "de": {"ist": "is", "sind": "are", "bin": "is"},
    "es": {"es": "is", "son": "are", "está": "is", "están": "are"},
    "fr": {"est": "is", "sont": "are"},
}
_PARTICIPLES = bag(
    "been gone done made seen taken given written built bought sold left sent paid held kept chosen begun known named"
    " run driven owned shut set put cut read told taught hired led met shown eaten grown hidden lost won beaten"
)
_ONE_THING = bag(
    "a an one the this that my our his her its their your another 's §users ein eine einen der das den dem un una"
    " el la le"
    " mi su mein meine unser"
)
_BEFORE_TIME = bag("on in at am um an im el los las le à a en")
_SEASONS = bag("winter summer spring autumn fall week month year night weekend quarter")
_YEAR = re.compile(r"#(?:19|20)\d\d")
_BEFORE_YEAR = bag("in since until by en desde depuis seit bis jahr year año année")
_OWN_VERBS = bag(
    "prefer prefers like dislike want use live work need have speak speaks drink drinks eat eats drive drives"
    " sleep sleeps"
    " play plays read reads write writes take takes allergy must should can do wake fear vegetarian vegan married"
)
_THAT = bag("say says said know knows decided agreed think thinks noted confirmed mentioned told means")


def reading(raw: list[str], lang: str, day: str) -> Reading:
    """Return the reading of words as they stand in a text."""
    low = [word if ATOM.match(word) else word.casefold() for word in raw]
    names = {said for word, said in zip(raw, low, strict=True) if word != said}
    words = _summed(_phrased(_owned(apart(raw, low, lang), names), lang), lang)
    words = _denied(words, lang)
    counted = _counted(words, lang)
    single = {b for a, b in pairwise(counted) if a in _ONE_THING}
    verbs = {_COPULAS[lang][word] for word in counted if word in _COPULAS[lang]}
    marked = _emptied(counted, lang)
    spoken = tuple(word for word in marked if word not in {",", "and", "="} or (word == "and" and _kept_and(marked)))
    return Reading(
        tuple(marked), spoken, lang, day, frozenset(names), frozenset(single), verbs.pop() if len(verbs) == 1 else ""
    )


def _summed(words: list[str], lang: str) -> list[str]:
    """Return words in which runs like `two hundred and five` are one number, `#205`."""
    out: list[str] = []
    at = 0
    while at < len(words):
        value, end = numbers.run(words, at, lang)
        out.append(words[at] if end == at else f"#{value:.12g}")
        at = max(end, at + 1)
    return out


def _denied(words: list[str], lang: str) -> list[str]:
    """Return words in which a negation of two parts is one: ne … plus, no … nunca."""
    if lang == "fr" and "ne" in words and "pas" not in words:
        return ["neplus" if word == "plus" else word for word in words]
    late = [word for word in words if word in {"nunca", "jamás", "tampoco"}]
    if lang == "es" and len(late) == words.count("no") == 1 and words.index("no") < words.index(late[0]):
        return [late[0] if word == "no" else word for word in words if word not in late]
    return words


def _kept_and(marked: list[str]) -> bool:
    """Tell whether `and` counts: beside a negation it may be what the negation covers."""
    return any(word in NEGATIONS or word == "ratherthan" for word in marked)


def _owned(words: list[str], names: set[str]) -> list[str]:
    """Return words with `the manager of Ana` as `Ana's manager`."""
    out: list[str] = []
    for word in words:
        out.append(word)
        if word in names and word not in _ONE_THING and out[-2:-1] == ["of"]:
            for at in (-4, -5):
                if out[at : at + 1] == ["the"]:
                    out[at:] = [word, "'s", *out[at + 1 : -2]]
                    break
    return out


def _phrased(words: list[str], lang: str) -> list[str]:
    """Return words with turns of phrase, synonyms, ordinals and marks put in one way."""
    words = plain([word for word in words if word])
    out: list[str] = []
    for at, word in enumerate(words):
        if word in _MARKS:
            out.append("no!" if out and out[-1] in {"not", "no"} else ",")
            if out[-1] == "no!":
                del out[-2]
        elif word == "second" and at and words[at - 1][0] == "#":
            out.append("u:s")
        else:
            said = SAME.get(word, word)
            out.append(nth(said, lang) or said)
    return out


def _years(words: list[str]) -> list[str]:
    """Return words in which a number that can only be a year is one."""
    return [
        f"Y{word[1:]}"
        if _YEAR.fullmatch(word)
        and at
        and words[at - 1] in _BEFORE_YEAR
        and not {*words[at + 1 : at + 2]} & table().keys()
        else word
        for at, word in enumerate(words)
    ]


def _counted(words: list[str], lang: str) -> list[str]:
    """Return words with units behind numbers, money in one order, and small words before times left out."""
    words = _years(words)
    out: list[str] = []
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else " "
        if out and out[-1][0] == "#" and len(out[-1]) > 1 and (word in table() or is_unit(word)):
            out.append(table().get(word, word))
            if out[-1][2:] in MONEY:
                out[-2] = re.sub(r"\.00?$", "", out[-2])
            if len(out) > 2 and out[-3] in MONEY:  # noqa: PLR2004 - $5 USD
                del out[-3]
        elif word in MONEY and after[0] == "#":
            continue
        elif word[0] == "#" and at and words[at - 1] in MONEY:
            out += [re.sub(r"\.00?$", "", word), table()[words[at - 1]]]
        elif word in _BEFORE_TIME and _of_time(words[at + 1 : at + 3], lang):
            continue
        elif word in _SEASONS and out and out[-1] in {"last", "next", "this"}:
            out[-1] = f"W~{out[-1]}-{word}"
        elif word == "–":  # noqa: RUF001
            out.append("to" if out and out[-1][0] in "#TD" and after[0] in "#TD" else ",")
        else:
            out.append(word)
    return out


def _of_time(words: list[str], lang: str) -> bool:
    """Tell whether a time begins here, perhaps behind an article."""
    words = words[1:] if words and words[0] in FILLERS[lang] else words
    return bool(words) and (temporal(words[0]) or words[0] in {"every", "·every"})


def _emptied(words: list[str], lang: str) -> list[str]:
    """Return words without those that carry nothing where they stand; a copula leaves `=`."""
    out: list[str] = []
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        done = after in _PARTICIPLES or (after.endswith("ed") and len(after) > 3)  # noqa: PLR2004 - not red
        if word in _COPULAS["en"] and lang == "en" and done and after != "named":
            out.append("is")
        elif word in _COPULAS[lang]:
            out.append("=")
        elif word == "not" and out[-1:] == [","]:
            out[-1] = "ratherthan"
        elif not (word in FILLERS[lang] or (word == "have" and done) or _idle(word, out, words[at + 1 :])):
            out.append(word)
    return _ranged(out)


def _idle(word: str, before: list[str], behind: list[str]) -> bool:
    """Tell whether a word says nothing between those before and behind it."""
    last, after = (before or [""])[-1], (behind or [""])[0]
    if word == "§user":
        verb = next((one for one in behind if one not in _COPULAS["en"]), "")
        return not _said(before) and verb in _OWN_VERBS | MODALS | {"not"}
    return (
        word == "but"
        or (word == "do" and after == "not")
        or (word == "that" and last in _THAT)
        or (word == "to" and last in {"like", "start"})
    )


def _said(words: list[str]) -> list[str]:
    return [word for word in words if word not in {",", "="}]


def _ranged(words: list[str]) -> list[str]:
    """Leave out `from` and `between` before a range of numbers or times, as in 9 to 5."""
    out: list[str] = []
    for at, word in enumerate(words):
        ahead = words[at + 1 : at + 4]
        told = len(ahead) == 3 and ahead[0][0] in "#TDWM" and ahead[2][0] in "#TDWM"  # noqa: PLR2004 - from, to
        if told and word in {"from", "between"} and ahead[1] in {"to", "until", "and"}:
            words[at + 2] = "to"
        else:
            out.append(word)
    return out


_CONTRACTED = word_table("contracted")
_FOREIGN_FROM = "im>in"

_PHRASES = word_table("phrases")


def _rows(text: str) -> list[tuple[str, str]]:
    pairs = (row.partition(">") for line in text.strip().splitlines() for row in line.split("|"))
    return [(said.strip(), meant.strip()) for said, _, meant in pairs]


CONTRACTED: dict[str, list[str]] = {}
ELIDED: dict[str, list[str]] = {}
"""The same for what German, Spanish and French run together."""

for _short, _meant in _rows(_CONTRACTED):
    _into = ELIDED if ELIDED or f"{_short}>{_meant}" == _FOREIGN_FROM else CONTRACTED
    _into |= dict.fromkeys(_short.split(), _meant.split())

_MISSPELT = word_table("misspelt")
SPELLED = dict(_rows(_MISSPELT))
"""Common slips, as they are meant."""

PHRASES: dict[str, list[tuple[list[str], list[str]]]] = {}
"""Turns of phrase by their first word, the longest first."""

for _short, _meant in sorted(_rows(_PHRASES), key=lambda row: -len(row[0].split())):
    PHRASES.setdefault(_short.split()[0], []).append((_short.split(), _meant.split()))


def plain(words: list[str]) -> list[str]:
    """Return words with each turn of phrase put in one way."""
    out: list[str] = []
    at = 0
    while at < len(words):
        for said, meant in PHRASES.get(words[at], ()):
            if words[at : at + len(said)] == said:
                out += meant
                at += len(said)
                break
        else:
            out.append(words[at])
            at += 1
    return out


ATOM = re.compile(r"[DTMY][\d-]|W\d$")
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")  # noqa: RUF001 - minus
_VERSION = re.compile(r"[vV](\d+(?:\.\d+)?)")
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})")
_ELISION = re.compile(r"(l|d|j|n|qu|c|s|m|t|jusqu|lorsqu)'(\w.*)")
_ELIDED = {"d": "de", "qu": "que", "j": "je", "n": "ne", "s": "se"}
_MONTH_AFTER = bag("in since until by last next im en")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def apart(raw: list[str], low: list[str], lang: str) -> list[str]:
    """Return single words, numbers and units of words as they are written and in lower case."""
    out: list[str] = []
    for at, (word, said) in enumerate(zip(raw, low, strict=True)):
        if said.isalpha() and (len(word) > 1 or not word.isascii() or said != word):
            out += _lettered(word, said, raw[at - 1] if at else " ", lang)
        elif ATOM.match(word) or len(word) == 1:
            out += [f"#{word}"] if word.isdigit() else [said]
        else:
            out += _compound(word, said, lang)
    return out


def _lettered(word: str, said: str, before: str, lang: str) -> list[str]:
    if word in table() and before[-1].isdigit():
        return [table()[word]]
    joined = CONTRACTED if lang == "en" else ELIDED
    if said in joined:
        return joined[said]
    if found := weekday(word):
        return ["·every", found] if lang == "en" and said.endswith("days") else [found]
    found = month(word, sure=word[0].isupper() and before.casefold() in _MONTH_AFTER)
    return [found or SPELLED.get(said, said)]


def _compound(word: str, said: str, lang: str) -> list[str]:
    for kind in _KINDS:
        if (found := kind(word, said, lang)) is not None:
            return found
    return [said]


def _contraction(_word: str, said: str, _lang: str) -> list[str] | None:
    return CONTRACTED.get(said) or ([said] if said in SAME else None)


def _number(word: str, _said: str, lang: str) -> list[str] | None:
    """Read numbers; 1.000 is a thousand where that is how it is written, and 2,5 is two and a half."""
    if _NUMBER.fullmatch(word):
        thousand = lang in {"de", "es", "fr"} and re.fullmatch(r"\d{1,3}\.\d{3}", word)
        return ["#" + (word.replace(".", "") if thousand else word.replace("−", "-"))]  # noqa: RUF001 - minus
    if "," not in word:
        return None
    if _THOUSANDS.fullmatch(word) and lang == "en":
        return ["#" + word.replace(",", "")]
    return ["#" + (word.replace(",", ".") if lang != "en" or re.search(r",\d\d?$", word) else word)]


def _rank(word: str, said: str, lang: str) -> list[str] | None:
    """Read v2, #2 and 2nd."""
    if found := _VERSION.fullmatch(word):
        return ["version", f"#{found[1]}"]
    if word[0] == "#" and word[1:].isdigit():
        return [word]
    ordinal = nth(said, lang)
    return [ordinal] if ordinal else None


def nth(word: str, lang: str) -> str | None:
    """Return an ordinal as `o3`."""
    rank = numbers.ordinal(word, lang)
    return f"o{rank}" if rank is not None else None


def _amount(word: str, _said: str, lang: str) -> list[str] | None:
    found = ATTACHED.fullmatch(word)
    split = measured(found[1], found[2]) if found else None
    return [*_compound(split[0], split[0], lang), *split[1:]] if split else None


def _apostrophe(_word: str, said: str, lang: str) -> list[str] | None:
    if "'" not in said:
        return None
    if said.endswith("'s") and not _ELISION.match(said):
        return [said[:-2], "'s"] if said[:-2] != "user" else ["§users"]
    if lang in {"fr", "en"} and (found := _ELISION.fullmatch(said)):
        return [_ELIDED.get(found[1], found[1]), found[2]]
    return [said.replace("'", "")]


def _hyphen(_word: str, said: str, _lang: str) -> list[str] | None:
    pieces = said.split("-")
    if len(pieces) == 1 or not all(piece.isalpha() or piece.isdigit() for piece in pieces):
        return None
    if all(piece.isdigit() for piece in pieces):
        found = _RANGE.fullmatch(said)
        return [f"#{found[1]}", "to", f"#{found[2]}"] if found else [said]
    return None if pieces[-1].isdigit() else [f"#{piece}" if piece.isdigit() else piece for piece in pieces]


def _dots(_word: str, said: str, _lang: str) -> list[str] | None:
    """Read e.g. and U.S. as one word, and client/server as two."""
    if said.replace(".", "").isalpha() and all(len(piece) == 1 for piece in said.split(".")):
        return [said.replace(".", "")]
    if said == "and/or" or said.count("/") != 1 or not said.replace("/", "").isalpha():
        return None
    return said.replace("/", " / ").split()


_KINDS: tuple[Callable[[str, str, str], list[str] | None], ...] = (
    _contraction,
    _number,
    _rank,
    _amount,
    _apostrophe,
    _hyphen,
    _dots,
)
