"""Estimates how many tokens a text costs."""

import math
import re

_CJK = (
    r"\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_KINDS = re.compile(
    rf"(?P<cjk>[{_CJK}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<newline>\n+)"
    r"|(?P<mark>[!-/:-@\[-`{-~]+)|(?P<accented>[\u00c0-\u024f\u1e00-\u1eff]+)|(?P<slavic>[\u0370-\u052f]+)"
    r"|(?P<foreign>(?:[^\W_]|[\u0300-\u0dff])+)|(?P<sign>\S)"
)
_EACH = {
    "cjk": 1.3,
    "hangul": 1.55,
    "word": 0.111,
    "digits": 0.497,
    "newline": 0.699,
    "mark": 0.414,
    "accented": 2.5,
    "slavic": 0.65,
    "foreign": 1.8,
    "sign": 2.7,
}
_RUN = {"word": 0.62, "digits": 1.344}
MARGIN = 1.25
"""What a budget adds to an estimate: tokenizers differ."""


def count(text: str) -> int:
    """Return the estimated tokens, rounded up; never negative.

    A linear model of words, letters, digits, marks, line feeds and scripts (docs/decisions/0005).
    """
    return math.ceil(round(_estimate(text), 6))


def count_at_most(text: str) -> int:
    """Return the tokens that a text takes of a budget: the estimate with its margin, rounded up.

    A text costs no more than its parts together.
    """
    return math.ceil(round(MARGIN * _estimate(text), 6))


def _estimate(text: str) -> float:
    runs = ((str(match.lastgroup), match.end() - match.start()) for match in _KINDS.finditer(text))
    return sum(_EACH[kind] * length + _RUN.get(kind, 0.0) for kind, length in runs)
