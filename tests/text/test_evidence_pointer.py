"""Pointers are read and written alike."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.text import evidence_pointer
from clawgit.text.evidence_pointer import Pointer, parse_pointer

PATH = st.text(st.sampled_from(list('ab/. #:@"L1\\é中')), min_size=1, max_size=12).filter(
    lambda path: path == path.strip() and not path.startswith(("./session:", "."))
)
QUOTE = st.none() | st.text(max_size=20) | st.sampled_from(['a#L1 "b"', "x#L2", "#L3@x "])


@given(PATH, st.integers(1, 99), st.integers(0, 9), st.none() | st.sampled_from(["HEAD~1", "1f3c9ab"]), QUOTE)
def test_line_pointers_survive(path, start, extra, rev, quote):
    """For any path and quote."""
    pointer = Pointer("lines", path, start, start + extra, rev, quote)
    assert parse_pointer(evidence_pointer.format(pointer)) == pointer


@pytest.mark.parametrize(
    "text",
    [
        'memory/2026-02-13.md#L12-L14@1f3c9ab "shorter please"',
        "a b: c@d#e.md#L5",
        "CORRECTIONS.md#mkqwrtzvnp",
        "session:agent:main:x#12",
        'session:a#b "said so"',
    ],
)
def test_written_as_read(text):
    """format(parse(t)) is t."""
    assert evidence_pointer.format(parse_pointer(text)) == text


@pytest.mark.parametrize("text", ["", "a.md", "#L5", "a.md#L0", "a.md#L5-L3", "CORRECTIONS.md#abc", "session:x"])
def test_what_is_no_pointer(text):
    """The fix is an example."""
    with pytest.raises(ClawgitError) as caught:
        parse_pointer(text)
    assert "#L45-L52" in str(caught.value.fix)


@given(st.text())
def test_any_text(text):
    """A pointer or a refusal."""
    with suppress(ClawgitError):
        assert parse_pointer(evidence_pointer.format(parse_pointer(text))) == parse_pointer(text)
