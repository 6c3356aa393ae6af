"""Names that a soul did not hold before."""

from __future__ import annotations

import re
from functools import lru_cache

from clawgit.language.detect import detect
from clawgit.safety.tongue import REMEMBERED, WIDE

_MID = r"(?<=[a-zà-ÿа-яё,;:] )[A-ZÀ-ÞА-ЯЁ][\w\-]+(?: [A-ZÀ-ÞА-ЯЁ][\w\-]+)?"  # within a sentence
_MADE = r"\b(?:[A-Z]{2,}(?:-[A-Z\d]+)+|[A-Z]{4,}|[A-Z]?[a-z]+[A-Z]\w+)\b"  # PRACTICE-OPS, PawHaven
_TITLED = (
    r"\b(?:Herrn?|Frau|Señora?|Don|Doña|Monsieur|Madame|Mr|Ms|Mrs|Mx|Dr|Sr|Sra|Mme)\.? ([A-ZÀ-Þ][\w\-]+)"
    r"|([\u4e00-\u9fff]{1,3}(?:さん|氏|様|部長|課長|社長|主任|先生|经理|总监|主管|主编|老师|社长|总|姐|哥))"
    r"|([가-힣]{1,4} ?(?:님|씨|팀장|부장|대리|실장|과장|사장))"
)
_QUOTED = r"[「『“《]([^」』”》\n]{2,20})[」』”》]"
_LATIN_IN_WIDE = r"(?<![\w@.\-/])[A-Za-z][A-Za-z\-]{2,}(?: [A-Z][A-Za-z\-]+)?(?![\w@.\-/])"
_NAMELESS = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|british|american|english|german|french|spanish|markdown|emojis?|christmas|easter|i"
)
NAME = "newcomer"


def found(old: str, new: str, operator: frozenset[str]) -> frozenset[str]:
    """Return the names in new lines of `new` that `old` never mentions, case-folded; `operator`'s are none."""
    known, lines = old.casefold(), set(old.split("\n"))
    fresh = (line for line in new.split("\n") if line not in lines)
    named = {name.casefold() for line in fresh for name in _names(line)}
    return frozenset(
        name
        for name in named
        if name not in known and not operator.intersection({name, *name.split()}) and not re.fullmatch(_NAMELESS, name)
    )


def as_newcomer(text: str, names: frozenset[str]) -> str:
    """Return case-folded `text` in which each of `names` is "newcomer"."""
    return re.sub(_any(names), NAME, text) if names else text


@lru_cache(maxsize=8)
def _any(names: frozenset[str]) -> re.Pattern[str]:
    """Match one of `names`; those of scripts without spaces stand anywhere, the others as words of their own."""
    wide = {name for name in names if re.search(f"{WIDE}|[가-힣]", name)}
    within, whole = (
        "|".join(re.escape(name) for name in sorted(some, key=len, reverse=True)) for some in (wide, names - wide)
    )
    return re.compile("|".join(([rf"\b(?:{whole})(?![a-z])"] if whole else []) + ([within] if within else [])))


@lru_cache(maxsize=REMEMBERED)
def _names(line: str) -> frozenset[str]:
    patterns = [_MADE, _TITLED]
    if re.search(f"{WIDE}|[가-힣]", line):
        patterns += [_QUOTED, _LATIN_IN_WIDE]
    elif re.search(_MID, line) and detect(line.casefold()) != "de":  # where every noun is written so
        patterns.append(_MID)
    return frozenset(next(filter(None, m.groups()), m[0]) for one in patterns for m in re.finditer(one, line))
