"""What a note says, as a row of words."""

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from clawgit.language import logic, numbers, values
from clawgit.language.detect import eastern, eastern_language, language
from clawgit.language.values import CLOSE, LANGUAGES, MONEY, OPEN, WESTERN, is_unit, unit_words


class Reading(Struct, frozen=True):
    """A note in one way of writing: `marked` are its words with `,` and `=`, where a copula stood; `words` without.

    `day` is a date that stands before the note, `names` are words that may be names.
    """

    marked: tuple[str, ...]
    words: tuple[str, ...]
    lang: str
    day: str = ""
    names: frozenset[str] = frozenset()


def bag(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


TIMES = frozenset("DTMWY")
FREQUENCIES = bag(
    "daily weekly monthly yearly nightly hourly today yesterday tomorrow tonight mornings evenings weekdays weekends"
    " annually quarterly heute gestern täglich hoy ayer mañana diario"
)
NEGATIONS = logic.denial_words(LANGUAGES) | bag("\ue000 \ue001 \ue002")
QUANTIFIERS = bag(
    "all some only both either every any most many few several half couple just except alle alles nur manche einige"
    " jeder jede jedes beide mindestens höchstens todos todas algunos solo sólo ambos tous toutes seulement 都 所有 只"
    " 全部 每 모든 모두 만 すべて 全て だけ 毎"
)
_FILLERS = bag(
    "a an the der die das den dem des ein eine einen einem einer eines el la los las un una unos unas le les"
)
_COPULAS = bag("is are am ist sind bin es son está están est sont")
_MARKS = frozenset(",;.:!、。")


def temporal(word: str) -> bool:
    """Return whether a word is a date, a time, a weekday, a month or a year, or says how often."""
    return (word[0] in TIMES and len(word) > 1 and not word[1].isalpha()) or word in FREQUENCIES


_QUOTES = str.maketrans(
    dict.fromkeys("‘’‚‛′´`", "'")  # noqa: RUF001 - the quotes are meant
    | dict.fromkeys("“”„‟«»″「」『』《》【】", '"')
    | dict.fromkeys("‐‑‒", "-")  # noqa: RUF001
    | dict.fromkeys("–—―", "–")  # noqa: RUF001
    | {
        "\ufeff": None,
        "\u200b": None,
        "\u200d": None,
        "\ufe0f": None,
        "\0": " ",
        "→": " to ",
        "≥": ">=",
        "≤": "<=",
        "≠": "!=",
    }
)
_CHECKBOX = re.compile(r"^\[([ xX])\][ \t]")
_LEAD = re.compile(r"^(?:[-*+•·>]|#{1,6})[ \t]+(?=[^\s\d])", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\s]*)\)")
_STRUCK = re.compile(r"~~(?=\S)(.+?)~~")
_BOLD = re.compile(r"\*+(?=[^\s*.])(.+?)(?<=[^\s*])\*+(?!\w)|(?<!\w)(_{1,2})(?=[^\s_])([^_\n]*[^\s_])\2(?![\w.])")
_CODE = re.compile(r"`+([^`\n]+)`+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NO = re.compile("[❌🚫⛔👎✗✘❎]")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff\u20e3]")
_PLAIN = re.compile(r"[A-Za-z0-9 \t.,;:!?'()/%-]*", re.ASCII)
STRUCK = "\ue000"
REFUSED = "\ue001"
OPEN_MARKS = "\ue002"
"""Marks of what was struck out, refused with a sign, or is still to be done: they change what a note says."""


def undressed(text: str) -> str:
    """Return what a note says on one line: no markup, one way of writing for quotes, widths and spaces."""
    if not _PLAIN.fullmatch(text):
        text = _unmarked(text)
        if not text.isascii():
            text = unicodedata.normalize("NFKC", _NO.sub(f" {REFUSED} ", text)).translate(_QUOTES)
            text = _SKIN.sub("", text)
    return " ".join(_LEAD.sub("", text.strip()).split())


def _unmarked(text: str) -> str:
    text = _COMMENT.sub(" ", text) if "<!--" in text else text
    text = _LEAD.sub("", text.strip())
    text = _CHECKBOX.sub(lambda box: f"{OPEN_MARKS} " if box[1] == " " else "", text)
    text = _CODE.sub(r"\1", text) if "`" in text else text
    text = _LINK.sub(r"\1 \2", text) if "](" in text else text
    text = _STRUCK.sub(rf" {STRUCK} \1 {STRUCK} ", text) if "~~" in text else text
    return _BOLD.sub(lambda bold: bold[1] or bold[3], text) if "*" in text or "_" in text else text


_TOKEN = re.compile(
    "|".join(
        (
            rf"{OPEN}[^{CLOSE}]*{CLOSE}",
            r"https?://\S*[^\s.,;:!?)\]}'\"]",
            r"(?<!\S)--?[A-Za-z][\w-]*",
            r"(?<!\w)[@#]\w+",
            r"(?<![\w)])[-−]\d+(?:\.\d+)*(?!\w)",  # noqa: RUF001 - minus
            r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|\d+,\d+(?!\w)",
            r"(?:(?<!\w)[.~]{0,2}/)?\w+(?:[./_@:\\'+-]+\w+)*(?:\+\+|\#(?!\w))?(?:/(?!\S))?",
            r"[!=<>]=|[-=]>|&&|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]",
            r"[<>≤≥=≠≈~%+×^&|?$€£¥°/@,;.:–!\ue000-\ue002¬、。]",  # noqa: RUF001 - the marks are meant
        )
    )
)
_DATE_PREFIX = re.compile(rf"[\s(\[]*{OPEN}(D[^{CLOSE}]*){CLOSE}\s*(?:[:\])–,]|-\s)[\s:–-]*(?=\S)")  # noqa: RUF001
_PAGE = 2_000
"""Letters from which on a text is taken as it stands: reading would take long and say little."""
_LETTER = re.compile("[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff\u3400-\u4dbf\u4e00-\u9fff]ー?")
_ATOM = re.compile(r"[DTM][\d-]|W\d$|#-?[\d.]+$")
_SHORT_NOT = re.compile(r"(?:(ca|wo|sha)|(\w+))n't|(can)not")
_SHORT_VERB = re.compile(r"(\w+)'(?:re|m)")


@lru_cache(maxsize=16_384)
def read(text: str) -> Reading:
    """Return what a note says, in one way of writing; of a page, which is no note, the words as they stand."""
    if len(text) > _PAGE:
        words = tuple(text.casefold().split())
        return Reading(words, words, "")
    plain = undressed(text)
    lang = eastern_language(plain) if (dense := eastern(plain)) else language(plain, WESTERN)
    plain = values.mark_values(plain)
    plain = _LETTER.sub(r" \g<0> ", plain)
    day = _DATE_PREFIX.match(plain)
    raw = [word.strip(f"{OPEN}{CLOSE}") for word in _TOKEN.findall(plain, day.end() if day else 0)]
    low = [word if _ATOM.match(word) else word.casefold() for word in raw]
    names = {said for word, said in zip(raw, low, strict=True) if word != said or (dense and word.isascii())}
    marked = _counted([part for at, word in enumerate(raw) for part in _parts(word, raw[at - 1] if at else " ")], lang)
    words = tuple(word for word in marked if word not in {",", "="})
    return Reading(tuple(marked), words, lang, day[1] if day else "", frozenset(names))


def _parts(word: str, before: str) -> list[str]:
    """Return what a word of a text says, as none, one or more."""
    if _ATOM.match(word):
        return [word]
    if word in _MARKS:
        return [","]
    return _lettered(word, before)


def _lettered(word: str, before: str) -> list[str]:
    said = word.casefold()
    if denied := _SHORT_NOT.fullmatch(said):
        return [{"ca": "can", "wo": "will", "sha": "shall"}.get(denied[1], "") or denied[2] or "can", "not"]
    if said in _COPULAS:
        return ["="]
    if said in _FILLERS:
        return []
    unit = unit_words().get(word) if before[-1].isdigit() else None
    short = _SHORT_VERB.fullmatch(said)
    return [unit or (short[1] if short else said)]


def _counted(words: list[str], lang: str) -> list[str]:
    """Return words in which runs like `two hundred and five` are one number, with the unit behind it.

    `no,` answers, and `is called` is not what `called` is.
    """
    out: list[str] = []
    known = unit_words()
    at = 0
    while at < len(words):
        value, end = numbers.run(words, at, lang) if lang in WESTERN else (0.0, at)
        word = words[at] if end == at else f"#{value:.12g}"
        behind = bool(out) and out[-1][0] == "#" and len(out[-1]) > 1
        if behind and not is_unit(word) and word in known:
            word = known[word]
        if word == "," and out and out[-1] in NEGATIONS:
            out[-1] += "!"
        elif out[-1:] == ["="] and word.endswith("ed"):
            out[-1:] = ["is", word]
        elif out and out[-1] in MONEY and word[0] == "#":
            out[-1:] = [word, known[out[-1]]]
        else:
            out.append(word)
        at = max(end, at + 1)
    return out[:-1] if out[-1:] == [","] else out
