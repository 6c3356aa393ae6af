"""Words a lesson that only the operator's own words name."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Sequence

from clawgit.agents.keeping.signal import Signal
from clawgit.agents.keeping.standing import Line
from clawgit.agents.keeping.wording import spoken
from clawgit.agents.mining.listed import listed
from clawgit.language.sentences import sentences

_AVOID = {
    "en": 'Don\'t repeat what drew this: "{}"',
    "de": "Nicht wiederholen, was dies auslöste: „{}“",
    "es": "No repetir lo que provocó esto: «{}»",
    "fr": "Ne pas répéter ce qui a provoqué ceci : « {} »",
    "zh": "不再犯被这样指出的毛病：“{}”",
    "ja": "こう言われたことを繰り返さない：「{}」",
    "ko": "이런 말을 들은 일을 되풀이하지 않는다: “{}”",
}
_KEEP = {
    "en": 'Keep to what was welcomed: "{}"',
    "de": "Beibehalten, was so begrüßt wurde: „{}“",
    "es": "Mantener lo que se agradeció: «{}»",
    "fr": "Garder ce qui a plu : « {} »",
    "zh": "保持受欢迎的做法：“{}”",
    "ja": "喜ばれたやり方を続ける：「{}」",
    "ko": "반가워한 방식을 유지한다: “{}”",
}
_RETURN = {
    "en": 'Back to "{}": "{}"',
    "de": "Zurück zu „{}“: „{}“",
    "es": "Volver a «{}»: «{}»",
    "fr": "Revenir à « {} » : « {} »",
    "zh": "回到“{}”：“{}”",
    "ja": "「{}」に戻る：「{}」",
    "ko": "“{}”로 돌아간다: “{}”",
}
_BACK = {
    "en": 'Back to how it was: "{}"',
    "de": "Zurück dahin, wie es war: „{}“",
    "es": "Volver a como era: «{}»",
    "fr": "Revenir à comme c'était : « {} »",
    "zh": "回到从前那样：“{}”",
    "ja": "以前のやり方に戻る：「{}」",
    "ko": "예전대로 돌아간다: “{}”",
}
_HEED = {
    "en": 'Bear in mind what was said: "{}"',
    "de": "Daran denken, was gesagt wurde: „{}“",
    "es": "Tener en cuenta lo dicho: «{}»",
    "fr": "Garder à l'esprit ce qui a été dit : « {} »",
    "zh": "记住说过的话：“{}”",
    "ja": "言われたことを心に留める：「{}」",
    "ko": "들은 말을 마음에 새긴다: “{}”",
}
"""For what may be meant well or ill."""
PROVEN = {
    "en": "Proven: {}.",
    "de": "Bewährt: {}.",
    "es": "Probado: {}.",
    "fr": "Éprouvé : {}.",
    "zh": "已证明能做好：{}。",
    "ja": "実績あり：{}。",
    "ko": "검증됨: {}.",
}
_ASKED = {
    "en": 'As asked: "{}"',
    "de": "Wie gewünscht: „{}“",
    "es": "Como se pidió: «{}»",
    "fr": "Comme demandé : « {} »",
    "zh": "照要求：“{}”",
    "ja": "言われたとおり：「{}」",
    "ko": "부탁받은 대로: “{}”",
}
_WORD = re.compile(r"[a-zA-Z\u00c0-\u024f]{3,}")
_PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}|[\uac00-\ud7a3]{2}))")
_NAMED = re.compile(r"(?<!\w)['\"“‘](.{2,30}?)['\"”’](?!\w)|「(.{2,20}?)」")
_COMMON = listed(
    "the and you your that this was were are not for with has have had what when where they them she her"
    " his him its but who how all can from out used since hang going got one use just des les der die das"
    " und los las que por"
)
_YOU = re.compile(r"you (?:can|could|do|really can|actually can)\b", re.IGNORECASE)
_LEAST, _LONGEST = 2, 90


def quoted(newest: Signal, soul: str, lang: str, said: str = "") -> str:
    """Return the line for a remark on an answer: an order as it was given, else what was said of which way.

    `said` is the sentence of the soul that the agent has moved away from, "" for a lesson that is none of that.
    """
    words = newest.words.strip(" .。!！")
    plain = {"keep": _KEEP, "welcome": _KEEP, "blame": _AVOID, "again": _AVOID, "said": _HEED, "lapse": _BACK}
    if newest.form == "lapse" and said:
        return _RETURN[lang].format(said.rstrip(".。"), words)
    if newest.form in plain:
        return plain[newest.form][lang].format(words)
    own = spoken(newest.words, newest.lang, soul, lang)
    if newest.form == "able":
        told = newest.lang == "en" == lang and _YOU.match(words)
        return f"I{own[len('you') :]}" if told else PROVEN[lang].format(words)
    return _ASKED[lang].format(words) if re.search(r"\bI\b", words) else own


def left(there: Sequence[Line], words: str) -> str:
    """Return the sentence of a soul that a remark says was left, "" where none shares its words."""
    wanted = _words(words)
    named = [one[0] or one[1] for one in _NAMED.findall(words)]
    found = [
        (len(wanted & _words(said)) + sum(2 for one in named if one.casefold() in said.casefold()), said)
        for line in there
        for said in (line.text[one.start : one.end] for one in sentences(line.text))
    ]
    share, said = max(found, key=lambda one: one[0], default=(0, ""))
    if share < _LEAST:
        return ""
    said = said.replace("*", "").replace('"', "'")
    return said if len(said) <= _LONGEST else said[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"


def _words(text: str) -> frozenset[str]:
    found = (one.casefold() for one in _WORD.findall(text.replace("*", "")))
    pairs = (one[1] for one in _PAIR.finditer(text))
    return frozenset(one[:5] for one in found if one not in _COMMON) | frozenset(pairs)
