"""Estimates how many tokens a text costs."""

import math
import re

_CJK = (
    r"\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_KINDS = {
    "cjk": (rf"[{_CJK}]+", 1.3, 0.0),
    "hangul": (rf"[{_HANGUL}]+", 1.55, 0.0),
    "word": (r"[A-Za-z]+", 0.111, 0.62),
    "digits": (r"[0-9]+", 0.497, 1.344),
    "newline": (r"\n+", 0.699, 0.0),
    "mark": (r"[!-/:-@\[-`{-~]+", 0.414, 0.0),
    "accented": (r"[\u00c0-\u024f\u1e00-\u1eff]+", 2.5, 0.0),
    "slavic": (r"[\u0370-\u052f]+", 0.65, 0.0),
    "foreign": (r"(?:[^\W_]|[\u0300-\u0dff])+", 1.8, 0.0),
    "sign": (r"\S", 2.7, 0.0),
}
"""Runs of letters and marks, with what each letter of a run costs, and the run itself."""
_RUN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, (pattern, _, _) in _KINDS.items()))
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
    runs = ((_KINDS[str(run.lastgroup)], run.end() - run.start()) for run in _RUN.finditer(text))
    return sum(letter * length + whole for (_, letter, whole), length in runs)
