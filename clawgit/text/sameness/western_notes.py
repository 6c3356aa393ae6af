"""Reads notes in languages with spaces between words."""

import re
from itertools import pairwise

from clawgit.language import numbers
from clawgit.language.units import MONEY
from clawgit.text.sameness import note_pieces, western_phrases
from clawgit.text.sameness.note import Reading, bag, temporal
from clawgit.text.sameness.note_values import is_unit, table
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
    low = [word if note_pieces.ATOM.match(word) else word.casefold() for word in raw]
    names = {said for word, said in zip(raw, low, strict=True) if word != said}
    words = _summed(_phrased(_owned(note_pieces.apart(raw, low, lang), names), lang), lang)
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
    words = western_phrases.plain([word for word in words if word])
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
            out.append(note_pieces.nth(said, lang) or said)
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
