"""The words of a question that only ask."""

import re
from functools import cache

_ASKING = (
    r"(?:do|did|can|could) (?:you|we|i)(?: still)? (remember|recall)",
    r"(?:did|have|had) (?:you|we|i)(?: ever| already)? (talk|talked|speak|spoken|discuss|discussed|note|noted)",
    r"(remind) me",
    r"^how (?:do|does|did) .*(work|works)\W*$",
    r"(erinnerst|erinnert) (?:du|ihr)",
    r"(?:habe|haben) (?:wir|ich) .*(gesprochen|geredet|notiert|aufgeschrieben)\W*$",
    r"^wie (geht|funktioniert)",
    r"(?:te|vous) (souviens|souvenez|acuerdas|lembras)",
    r"(?:a-t-on|avons-nous) (parlé)",
    r"ai-je (noté)",
    r"^comment (fonctionne|marche)",
    r"^\W*(recuerdas|lembra)",
    r"(hablamos|parlamos|falamos) (?:de|sobre)",
    r"qué (anoté|apunté)",
    r"^\W*(?:cómo|como|come) (funciona|funziona)",
    r"ti (ricordi)",
)


@cache
def _patterns() -> tuple["re.Pattern[str]", ...]:
    return tuple(re.compile(rf"(?<!\w){pattern}(?!\w)") for pattern in _ASKING)


@cache
def vocabulary() -> frozenset[str]:
    """Return the words that such frames are made of, short ones left out."""
    return frozenset(re.findall(r"[^\W\d_]{4,}", " ".join(_ASKING)))


def framing(question: str) -> frozenset[str]:
    """Return words by which memory is asked rather than searched, as in `do you remember`, where they do so here."""
    said = question.lower()
    return frozenset(match[1] for pattern in _patterns() if (match := pattern.search(said)))
