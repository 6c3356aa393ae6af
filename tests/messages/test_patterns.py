"""Each pattern matches its own phrase, and no look-alike."""

import re

import pytest

from clawgit.messages.triage import pack, triage

from .examples import CHINESE, ENGLISH, JAPANESE, KOREAN

PACKS = {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN}
PAIRS = [
    *zip(pack("en"), ENGLISH, strict=True),
    *((pack(iso)[number], pair) for iso, examples in PACKS.items() for number, pair in examples.items()),
]
SPEC = """
/remember (that|this|when)/i  /don't forget/i  /important:/i  /decision:/i  /we agreed/i  /the plan is/i
/note to self/i  /i (already|just) told you/i  /we (talked|discussed|went over) (about |this)/i  /you forgot/i
/remember when i said/i  /i mentioned (this|that|it) (before|earlier|already|yesterday|last)/i
/no,? (i said|it's|it was|my)/i  /how many times/i  /don't you remember/i
/actually,? (it's|it was|the|I|we|that)/i  /no,? (it's|that's|the) /i
/i (changed|switched|moved|updated|stopped|started) /i  /that's (not right|wrong|outdated|old)/i  /it's .{1,30} now/i
"""


def test_the_english_patterns_are_those_of_the_spec_word_for_word():
    assert [pattern.source for pattern in pack("en")] == re.findall(r"/(.+?)/i(?:\s|$)", SPEC)
    groups = [pattern.group for pattern in pack("en")]
    assert groups == ["memory"] * 7 + ["recall"] * 8 + ["correction"] * 5


@pytest.mark.parametrize(
    ("pattern", "words"), PAIRS, ids=[f"{pattern.group}-{n}" for n, (pattern, _) in enumerate(PAIRS)]
)
def test_a_pattern_finds_what_it_is_meant_for_and_not_its_neighbour(pattern, words):
    yes, negative = words
    (match,) = triage(yes, [pattern]).matches[:1]
    assert (match.pattern, match.group, match.route) == (pattern.source, pattern.group, pattern.route)
    assert match.text == yes[match.start : match.end]
    assert triage(negative, [pattern]).matches == ()
