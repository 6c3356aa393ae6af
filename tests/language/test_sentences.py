"""Where a sentence ends."""
# ruff: noqa: RUF001 -- the marks of many scripts

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Mr. Okafor came at 5 p.m. and left.", ["Mr. Okafor came at 5 p.m. and left."]),
        ("I paid 2.40 euros. Then e.g. this.", ["I paid 2.40 euros.", "Then e.g. this."]),
        ("J. K. Moor wrote it. I read it.", ["J. K. Moor wrote it.", "I read it."]),
        ("It was me and I. Then he left.", ["It was me and I.", "Then he left."]),
        ("Well... maybe not. No", ["Well... maybe not.", "No"]),
        ("See https://a.example/c.d?x=1.2 now. Go", ["See https://a.example/c.d?x=1.2 now.", "Go"]),
        ("1. First one\n2) Second one\n- [x] third one", ["First one", "Second one", "third one"]),
        ("这是一句。还有一句！好吗？是", ["这是一句。", "还有一句！", "好吗？", "是"]),
        ("Sie kommt am 20. Juni. Gut.", ["Sie kommt am 20. Juni.", "Gut."]),
        ("I love it 😍 We went home 🎉🎉", ["I love it 😍", "We went home 🎉🎉"]),
        ("**Bold.** Plain.", ["**Bold.**", "Plain."]),
        ("a line that was wrapped because it had grown much too long for\nthe screen. Next.", [
            "a line that was wrapped because it had grown much too long for\nthe screen.", "Next.",
        ]),
        ("one line\nanother line", ["one line", "another line"]),
        (" \n\t😀 \n . ! \n", []),
    ],
)  # fmt: skip
def test_a_message_is_cut_into_its_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(st.text(alphabet="aB1 .!?。\n-😀e\0"))
def test_sentences_stand_in_order_and_without_overlap(text: str) -> None:
    at = 0
    for one in sentences(text):
        assert at <= one.start < one.end <= len(text)
        assert text[one.start : one.end] == one.own
        at = one.end
