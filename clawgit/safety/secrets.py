"""Secrets in a text, found without repeating them."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from clawgit.safety.entropy import MIN_TOKEN_ENTROPY, OURS, SHAPES, Shape, entropy, tables

VENDORED = OURS.with_name("gitleaks.json")
"""gitleaks' rules, as docs/gitleaks_rules.py takes them over; their licence lies beside them."""
FINGERPRINT = 12  # hexadecimal digits, as in evidence
_TRAILING = {
    **dict.fromkeys(("password", "brief", "key"), ".:)]}*_~"),
    **dict.fromkeys(("mixed", "marked", "named"), "_-."),
    "token": "_",
}
_BLOTTED = "***"  # the same before a value is emphasis
# `request_id: …`, whatever stands before it, and the digest of a quote in our own messages
_IDENTIFIER = r"(?i)[a-z][-_]id[\"'`]?[ \t]*[:=][ \t\"'`*]*$|\" sha256:$"
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
        if bare and not is_id and _is_meant(rule, bare, text[match.start() : start]):
            yield start, start + len(bare)


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
