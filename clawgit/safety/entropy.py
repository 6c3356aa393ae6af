"""Whether a value looks like a secret."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any, Literal

from clawgit.language import pattern_tables

Shape = Literal["token", "mixed", "marked", "named", "block", "url", "password", "brief", "key"]

OURS = Path(__file__).parent / "data" / "secrets" / "clawgit.toml"
"""What gitleaks' rules leave out, above all passwords and keys in sentences."""
# Plain strings: `re` compiles them at their first use and keeps them.
_EXAMPLE = r"(?i)password|passwort|kennwort"  # of an example, or as weak as one
_DATE = r"(?:19|20)\d\d[-/.]?\d\d[-/.]?\d\d.*|\d{1,2}[-/.:]\d{1,2}[-/.:]\d{2,4}.*"
_IDENTIFIER = (  # names something that it does not open
    r"(?i)(?:[a-z]+:)*[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # a UUID, also below names: agent:main:subagent:…
    r"|0x[0-9a-f]{40}"  # an account or a contract on a chain; the key to it has 64
)
MIN_TOKEN_ENTROPY = 2.5  # bits a character; every vendor's format lies above 3
MIN_KEY_ENTROPY = 2.7
MIN_KEY_LENGTH = 16
MIN_DIFFERENT = 4  # characters of a password
MAX_LENGTH = 512  # of a password or key; what is longer is data
MIN_LETTERS = 8
MIN_RESTLESS_LETTERS = 0.25
MIN_RESTLESS_TOKEN = 0.05
MIN_RESTLESS_MARKED = 0.15  # of letters alone
MIN_RESTLESS = 0.2  # random base62 and hex change class at 0.4, identifiers below 0.15


@cache
def tables() -> Mapping[str, Any]:
    """Return our own tables: `formats` and `prose` of rules, `values` of harmless words."""
    return pattern_tables.read_patterns_of(OURS)


@cache
def pattern_of_harmless(kind: str) -> str:
    """Return the pattern of harmless words: `filler`, `weak` words, `names` with a digit, a `reference`."""
    value = tables()["values"][kind]
    return value if isinstance(value, str) else "|".join(value)


def entropy(value: str) -> float:
    """Return Shannon's entropy in bits a character."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


def _kind(char: str) -> str:
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "upper" if char.isupper() else "lower"
    return "other"


def _restless(value: str) -> float:
    """Share of neighbours that change between small, capital and digit; `Ab` is how words begin and counts not."""
    kinds = [_kind(c) for c in value]
    turns = sum(
        first != b and "other" not in (first, b) and (first, b) != ("upper", "lower") for first, b in pairwise(kinds)
    )
    return turns / max(1, len(kinds) - 1)


def _mixed(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _is_placeholder(value: str) -> bool:
    return bool(re.search(pattern_of_harmless("filler"), value))


def _identifies(value: str) -> bool:
    """Whether a value is an identifier."""
    return bool(re.fullmatch(_IDENTIFIER, value))


def _is_token(value: str) -> bool:
    """Return whether a token with a vendor's mark is no placeholder; its rule sets the needed mix."""
    return not _is_placeholder(value) and (_mixed(value) or _restless(value) >= MIN_RESTLESS_MARKED)


def _token(value: str) -> bool:
    return not _is_placeholder(value) and entropy(value) >= MIN_TOKEN_ENTROPY


def _mixed_token(value: str) -> bool:
    return _token(value) and _mixed(value) and _restless(value) >= MIN_RESTLESS_TOKEN and not _identifies(value)


def _plain(value: str) -> bool:
    """Whether a value is a placeholder, a weak default, a name or a reference."""
    return bool(
        _is_placeholder(value)
        or re.fullmatch(pattern_of_harmless("weak"), value)
        or re.fullmatch(pattern_of_harmless("names"), value)
        or re.fullmatch(pattern_of_harmless("reference"), value)
        or re.fullmatch(_DATE, value)
        or value.startswith("**")  # emphasis around a short word
    )


def _url(value: str) -> bool:
    is_weak = _is_placeholder(value) or re.fullmatch(pattern_of_harmless("weak"), value) or len(set(value)) == 1
    return not is_weak and value[0] not in "$%{["


def _password(value: str) -> bool:
    if len(value) > MAX_LENGTH or _plain(value) or re.search(_EXAMPLE, value) or len(set(value)) < MIN_DIFFERENT:
        return False
    if value.isdigit():
        return True
    if value.isalpha():  # no digit: only capitals in places where no word has them
        return len(value) >= MIN_LETTERS and _restless(value) >= MIN_RESTLESS_LETTERS
    inside = any(c in "!#$%^*+=?@" for c in value[1:-1])
    return (_mixed(value) and not _wordy(value)) or (inside and any(c.isalpha() for c in value))


def _brief(value: str) -> bool:
    """Whether a value is a password after `pass:`, which is a verdict as well: "all pass: fast+quiet", "error=0.14"."""
    is_likely = value.isalnum() or any(c.isdigit() for c in value)
    return is_likely and "=" not in value.rstrip("=") and _password(value)


def _wordy(value: str) -> bool:
    """Whether a value is several words and numbers joined by separators, as `shop-prod-1/db`."""
    parts = [p for p in re.split(r"[^0-9A-Za-zÀ-ɏ]+", value) if p]
    return len(parts) > 1 and not any(
        _mixed(p) and not re.fullmatch(r"[A-Za-z]+\d{1,2}|\d{1,4}[a-z]{1,2}", p) for p in parts
    )


def _is_key(value: str) -> bool:
    if not MIN_KEY_LENGTH <= len(value) <= MAX_LENGTH or _plain(value) or _identifies(value) or _is_placeholder(value):
        return False
    longest = max(re.split("[_-]", value), key=len)  # behind the words that some keys begin with
    part = longest if len(longest) >= MIN_KEY_LENGTH else value
    return _mixed(part) and entropy(part) >= MIN_KEY_ENTROPY and _restless(part) >= MIN_RESTLESS


SHAPES: dict[Shape, Callable[[str], bool]] = {
    "token": _token,
    "mixed": _mixed_token,
    "marked": _is_token,
    "named": lambda value: not _is_placeholder(value) and _mixed(value) and _restless(value) >= MIN_RESTLESS_TOKEN,
    "block": lambda value: entropy(value) >= MIN_TOKEN_ENTROPY,
    "url": _url,
    "password": _password,
    "brief": _brief,
    "key": _is_key,
}
"""Tells whether a value has the shape that its rule asks for."""
