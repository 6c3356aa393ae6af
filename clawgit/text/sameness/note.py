"""What a note says, as a row of words."""

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path

from msgspec import Struct

DATA = Path(__file__).parents[1] / "data/sameness.toml"


class Reading(Struct, frozen=True):
    """A note in one way of writing.

    `marked` are its words with `,` and `and` and `=`, where a copula stood; `words` are those without them. `day` is a
    date that stands before the note. `names` are words that may be names, `single` those that name one thing, `verb`
    is `is` or `are`, whichever stands there alone.
    """

    marked: tuple[str, ...]
    words: tuple[str, ...]
    lang: str
    day: str = ""
    names: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    verb: str = ""


@cache
def _tables() -> dict[str, str]:
    return tomllib.loads(DATA.read_text("utf-8"))


def word_table(name: str) -> str:
    """Return what the data say under a name."""
    return _tables()[name]


def bag(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


TIMES = frozenset("DTMWY")
FREQUENCIES = bag(
    "daily weekly monthly yearly nightly hourly today yesterday tomorrow tonight mornings evenings weekdays weekends"
    " annually quarterly heute gestern täglich hoy ayer mañana diario"
)


def temporal(word: str) -> bool:
    """Tell whether a word is a date, a time, a weekday, a month or a year, or says how often."""
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
_LABEL = re.compile(
    r"(?:note to self|note|fyi|reminder|decision|preference|fact|info|important|hinweis|notiz|nota|ojo|rappel|注意"
    r"|备注|備註|メモ|参考|참고|메모)\s?: (?=\S)|(?:注意|备注|備註|メモ|참고|메모):(?=\S)",
    re.IGNORECASE,
)
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
    return _unlabelled(" ".join(_LEAD.sub("", text.strip()).split()))


def _unlabelled(text: str) -> str:
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def _unmarked(text: str) -> str:
    text = _COMMENT.sub(" ", text) if "<!--" in text else text
    text = _LEAD.sub("", text.strip())
    text = _CHECKBOX.sub(lambda box: f"{OPEN_MARKS} " if box[1] == " " else "", text)
    text = _CODE.sub(r"\1", text) if "`" in text else text
    text = _LINK.sub(r"\1 \2", text) if "](" in text else text
    text = _STRUCK.sub(rf" {STRUCK} \1 {STRUCK} ", text) if "~~" in text else text
    return _BOLD.sub(lambda bold: bold[1] or bold[3], text) if "*" in text or "_" in text else text
