"""Texts come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.search.store import packed, unpacked


@given(st.text(max_size=300), st.binary(max_size=300))
def test_whatever_the_dictionary(text: str, dictionary: bytes) -> None:
    assert unpacked(packed(text, dictionary), dictionary) == text


def test_what_is_like_the_dictionary_gets_small() -> None:
    line = "The deploy moved to Tuesday, since Ana is away on Mondays."
    assert len(packed(line, b"The deploy moved to Monday, since Ana is away on Tuesdays.")) < len(line) // 2
    assert unpacked(packed("lone \ud800", b""), b"") == "lone \ud800"
