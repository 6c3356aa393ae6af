"""Secrets in a text, found without repeating them."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit.language import lexicon

Shape = Literal["token", "mixed", "marked", "named", "block", "url", "password", "brief", "key"]

OURS = Path(__file__).parent / "data" / "secrets" / "clawgit.toml"
"""What gitleaks' rules leave out, above all passwords and keys in sentences."""
# Plain strings: `re` compiles them at their first use and keeps them.
_EXAMPLE = r"(?i)password|passwort|kennwort"  # of an example, or as weak as one
_DATE = r"(?:19|20)\d\d[-/.]?\d\d[-/.]?\d\d.*|\d{1,2}[-/.:]\d{1,2}[-/.:]\d{2,4}.*"
_IDENTIFIER_NAME = (  # names something that it does not open
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
    return lexicon.read_patterns_of(OURS)


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
    return bool(re.fullmatch(_IDENTIFIER_NAME, value))


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


VENDORED = OURS.with_name("gitleaks.json")
"""gitleaks' rules, as docs/gitleaks_rules.py takes them over; their licence lies beside them."""
FINGERPRINT = 12  # hexadecimal digits, as in evidence
_TRAILING = {
    **dict.fromkeys(("password", "brief", "key"), ".:)]}*_~"),
    **dict.fromkeys(("mixed", "marked", "named"), "_-."),
    "token": "_",
}
_BLOTTED = "***"  # the same before a value is emphasis
_IDENTIFIER = r"(?i)[a-z][-_]id[\"'`]?[ \t]*[:=][ \t\"'`*]*$"  # `request_id: …`, whatever stands before it
_QUOTE, _QUOTE_HASH, _HEX = "Evidence: ", '" sha256:', frozenset("0123456789abcdef")  # in our own commit messages
_MAX_QUOTE_CHARS = 10_000
_LOOK_BACK = 40  # characters: as far as such a name begins
_SECRETIVE = ("token", "secret", "key", "passw")
_PICTURE = 1 << 14  # letters and digits in a row that are no secret: re2 takes a second for each MB of them
_RUN = r"(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{256})([A-Za-z0-9+/]{16384,})([A-Za-z0-9+/]{256})"
_MEMORY = 64 << 20  # re2 answers "no match" in silence when a Set's automaton does not fit


class Rule(Struct, frozen=True):
    """One kind of secret, in re2's syntax.

    `hint` is cheap and decides whether `pattern` runs at all; the secret is the first group that matched, or the whole;
    `shape` names the test of `safety.entropy` that it must pass. It has at least `entropy` bits a character, and does
    not match `allow`.
    """

    name: str
    hint: str
    pattern: str
    shape: Shape = "token"
    entropy: float = 0
    allow: str = ""


class Finding(Struct, frozen=True):
    """The place of a secret: 1-based line, character offsets in the text, and a name for allow-lists.

    `fingerprint` is a prefix of sha256(rule, NUL, secret); the secret itself is kept nowhere.
    """

    rule: str
    line: int
    start: int
    end: int
    fingerprint: str


def list_own_rules(table: str) -> tuple[Rule, ...]:
    """Return the rules of one of our own tables."""
    return tuple(map(_rule, tables()[table]))


def _rule(row: Sequence[str]) -> Rule:
    name, hint, pattern, *extras = row
    shape, entropy = (*extras, *("token", "0")[len(extras) :])
    return Rule(name, hint, pattern, shape, int(entropy))  # type: ignore[arg-type] # as the file's head says


_gitleaks = cache(lambda: json.loads(VENDORED.read_bytes()))


@cache
def list_secret_rules() -> tuple[Rule, ...]:
    """Return every rule: ours that know a format, gitleaks', then those for prose."""
    table = _gitleaks()
    return (
        *list_own_rules("formats"),
        *(_vendored(row, table["allow"]) for row in table["rules"]),
        *list_own_rules("prose"),
    )


def is_skipped(path: str) -> bool:
    """Return whether files of this name are not looked at, most of them as with gitleaks: packages, locks, images."""
    patterns = (*_gitleaks()["paths"], *tables()["paths"])
    return any(_compile_re2(pattern).search(path.encode("utf-8", "replace").decode()) for pattern in patterns)


def _vendored(row: dict[str, str | float], allow: str) -> Rule:
    extra = row.pop("allow", "")
    return Rule(**row, allow=f"{allow}|{extra}" if extra else allow)  # type: ignore[arg-type] # as the script writes it


def find_secrets(text: str) -> tuple[Finding, ...]:
    """Find the secrets of `text`, in its order; if two rules overlap, the more specific one is named."""
    text = text.encode("utf-8", "replace").decode()  # one character stays one character, also a lone surrogate
    if len(text) > _PICTURE:
        # Blanks instead of the middle of a picture keep all offsets.
        text = re.sub(_RUN, lambda run: run[1] + " " * len(run[2]) + run[3], text)
    spans: list[tuple[int, int, Rule]] = []
    # In the order of the rules, so that the more specific one takes a place first.
    for number in sorted(_hints().Match(text) or ()):
        rule = list_secret_rules()[number]
        for start, end in _find_spans(rule, text):
            _insert_span(spans, start, end, rule)
    return tuple(_findings(spans, text))


def _find_spans(rule: Rule, text: str) -> Iterator[tuple[int, int]]:
    for match in _compile_re2(rule.pattern).finditer(text):
        start, end = _locate_match(match)
        if _is_longer_word(rule.shape, text[end : end + 2]):
            continue  # a longer word that begins like a token
        value = text[start:end]
        if value.endswith(_BLOTTED) and not text[:start].endswith(_BLOTTED):
            continue  # what its writer left out is the secret
        bare = value.rstrip(_TRAILING.get(rule.shape, ""))
        is_id = rule.shape in ("password", "brief", "key") and _compile_re2(_IDENTIFIER).search(
            text[max(0, start - _LOOK_BACK) : start]
        )
        if (
            bare
            and not is_id
            and not _is_quote_hash(text, start, end)
            and _is_meant(rule, bare, text[match.start() : start])
        ):
            yield start, start + len(bare)


def _is_quote_hash(text: str, start: int, end: int) -> bool:
    """Return whether a value is the hash behind a quote, as our own commit messages have it."""
    if end - start != FINGERPRINT or not text.endswith(_QUOTE_HASH, 0, start) or set(text[start:end]) - _HEX:
        return False
    first = max(0, start - _MAX_QUOTE_CHARS)
    return text.find(_QUOTE, max(first, text.rfind("\n", first, start)), start) >= 0


def _is_meant(rule: Rule, value: str, before: str) -> bool:
    """Return whether a value fits its rule; digits alone only if the words `before` call them a secret."""
    if rule.shape == "named" and value.isdigit():
        fine = any(word in before.lower() for word in _SECRETIVE) and entropy(value) >= MIN_TOKEN_ENTROPY
    else:
        fine = SHAPES[rule.shape](value)
    if not fine or (rule.entropy and entropy(value) < rule.entropy):
        return False
    return not (rule.allow and _compile_re2(rule.allow).search(value))


def _locate_match(match: Any) -> tuple[int, int]:
    """Return the place of the first group that matched, else of the whole match."""
    spans = (match.span(number) for number in range(1, match.re.groups + 1))
    start, end = next((span for span in spans if span[0] >= 0), match.span())
    return start, end


def _is_longer_word(shape: Shape, after: str) -> bool:
    if shape == "named":
        return bool(re.match(r"[A-Za-z0-9_\-/+=@%]|\.[A-Za-z0-9]", after))
    return shape in ("token", "mixed", "marked") and bool(re.match("[A-Za-z0-9]", after))


def _insert_span(spans: list[tuple[int, int, Rule]], start: int, end: int, rule: Rule) -> None:
    """Insert a span unless it overlaps one of a more specific rule; `taken` stays sorted."""
    index = bisect_left(spans, start, key=lambda span: span[0])
    if (index and spans[index - 1][1] > start) or (index < len(spans) and spans[index][0] < end):
        return
    spans.insert(index, (start, end, rule))


def _findings(spans: list[tuple[int, int, Rule]], text: str) -> Iterator[Finding]:
    import hashlib  # noqa: PLC0415 - costs milliseconds, and most texts hold none

    line, position = 1, 0
    for start, end, rule in spans:
        line += text.count("\n", position, start)
        digest = hashlib.sha256(f"{rule.name}\0{text[start:end]}".encode()).hexdigest()
        yield Finding(rule.name, line, start, end, digest[:FINGERPRINT])
        position = start


@cache
def _hints() -> Any:
    import re2  # noqa: PLC0415 -- costs milliseconds that most commands need not pay

    hints = re2.Set.SearchSet(_options(re2))
    for rule in list_secret_rules():
        hints.Add(rule.hint)
    hints.Compile()
    return hints


@cache
def _compile_re2(pattern: str) -> Any:
    import re2  # noqa: PLC0415

    return re2.compile(pattern, _options(re2))


def _options(re2: Any) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False  # re2 would write to stderr; with too little memory it is slower, never wrong
    return options
