"""Finds units that are named without an amount."""
# ruff: noqa: E501 -- a table is read whole, in its own script

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from clawgit.agents.validating.value_forms import LANGUAGES
from clawgit.agents.validating.values import Value
from clawgit.language import units as unit_table
from clawgit.language.detect import eastern

_OTHERS = {
    "relation": "nieces?|nephews?|cousins?|aunts?|uncles?|sisters?|brothers?|mothers?|fathers?|daughters?|sons?|husbands?|wife|boyfriend|girlfriend|fiancée?|grandmother|grandfather|step\\w+|Nichte|Neffe|Cousine?|Tante|Onkel|Schwester|Bruder|sobrin[oa]|prim[oa]|tí[oa]|nièce|neveu|cousine?|姪|甥|いとこ|叔母|侄女|表妹|堂妹|表哥|外甥|조카|사촌",
    "clock": "UTC|GMT|CET|CEST|EST|EDT|PST|PDT|BST|JST|KST|IST",
}
_KINDS = ("mass", "length", "temperature", "currency", "volume")


@cache
def _forms() -> Mapping[str, "re.Pattern[str]"]:
    """Return what finds the units of each kind."""
    known = unit_table.names(LANGUAGES)
    kinds = unit_table.kinds()
    words = {
        kind: [word for word, unit in known.items() if kinds.get(unit) == kind and unit_table.alone(word)]
        for kind in _KINDS
    }
    words |= {kind: row.split("|") for kind, row in _OTHERS.items()}
    return {kind: _form(row) for kind, row in words.items()}


def _form(words: Iterable[str]) -> "re.Pattern[str]":
    spaced, dense = (
        "|".join(sorted((word for word in words if eastern(word) is wide), key=len, reverse=True)) or "(?!)"
        for wide in (False, True)
    )
    return re.compile(rf"(?<![^\W_])(?:{spaced})(?![^\W_])|{dense}", re.IGNORECASE)


def units(text: str, taken: Iterable[Value] = ()) -> Iterator[Value]:
    """Yield the units of a text that stand alone, or behind an amount, beside the values that are known."""
    spans = [(one.start, one.end) for one in taken]
    for kind, form in _forms().items():
        for match in form.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in spans):
                yield Value(f"unit {kind}", match[0].casefold().removesuffix("s"), *match.span(), match[0])
