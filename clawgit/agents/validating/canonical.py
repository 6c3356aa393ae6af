"""Writes a number, an amount, a day in one way."""

import re

from clawgit.agents.validating.value_forms import COUNTS, KOREAN
from clawgit.language import numbers


def plain(said: str) -> str:
    """Return a value without spaces and commas, in small letters."""
    return re.sub(r"[\s,]", "", said.casefold()).rstrip(".")


def _money(said: str) -> str:
    return re.sub(r"[^\d.k万萬만천千m]", "", said.casefold()).rstrip(".")


def _number(said: str) -> str:
    low = said.casefold()
    if low in COUNTS or low in KOREAN:
        return str(COUNTS.get(low, KOREAN.get(low)))
    return str(numbers.eastern(low)) if low[0].isalpha() else re.sub(r",(?=\d{3})", "", low)


def _date(said: str) -> str:
    digits = re.findall(r"\d+", said)
    if said.count(".") >= 2:  # noqa: PLR2004 - as Germans write it
        return f"{int(digits[1])}-{int(digits[0])}"
    return "/".join(digits)


WAYS = {
    "date": _date,
    "number": _number,
    "money": _money,
}
