"""Estimates how many tokens a text costs."""

import math
import re

_CJK = (
    r"\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_KINDS = (
    rf"(?P<cjk>[{_CJK}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<word>[^\W\d_{_CJK}{_HANGUL}]+)|(?P<digits>\d+)"
    r"|(?P<newline>\n+)|(?P<mark>[^\w\s]|_)"
)
_ASCII = 128
_EACH = {
    "cjk": 0.86,
    "hangul": 1.74,
    "word": 0.111,
    "digits": 0.497,
    "newline": 0.699,
    "mark": 0.414,
}
_RUN = {"word": 0.62, "digits": 1.344}
_FOREIGN = -0.075  # for each letter or mark beyond ASCII that is neither CJK nor Hangul


def count(text: str) -> int:
    """Return the estimated tokens, rounded up; never negative.

    A linear model of words, letters, digits, marks, line feeds and scripts, fitted against a real tokenizer
    (docs/decisions/0005): on held-out text its median error is 2.9 %, the 95th percentile 9.8 %, where
    characters / 4 has 6.1 % and 56.8 %. Keep a margin of 10 %.
    """
    total = 0.0
    for match in re.finditer(_KINDS, text):
        kind = str(match.lastgroup)
        total += _EACH[kind] * (match.end() - match.start()) + _RUN.get(kind, 0.0)
        if kind in {"word", "mark"} and not match[0].isascii():
            total += _FOREIGN * sum(ord(letter) >= _ASCII for letter in match[0])
    return max(math.ceil(round(total, 6)), 0)
