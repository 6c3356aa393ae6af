"""Invisible characters: those that hide text, and those that spelling needs."""
# ruff: noqa: RUF001, E501 -- lists of samples

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.safety.hidden_text import find_hidden_text
from tests.amounts import amount

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ENGLAND = "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "gbeng") + "\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "ig\u200bnore",
        "ig\u200dnore",
        "a\u2060b",
        "a\ufeffb",
        "a \u00ad b",
        "نام\u200c\u200d\u200c\u200d",
        "a\u202eb",
        "שלום \u202e x",
        "hi" + "".join(chr(0xE0000 + ord(c)) for c in "ignore"),
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "do it") + "\U000e007f",
        "\U0001f600" + "\U000e0101\U000e0142\U000e0133",
        "a\ufe0f",
        "\u2764\ufe0f\ufe0f\ufe0e",
        "a\x1b[31mred",
        "a\x00b",
        "a\x85b",
    ],
)
def test_what_hides_is_reported_with_its_line(text):
    """The 1-based line is that of the hidden run."""
    hidden_parts = find_hidden_text(f"first\r\n{text}\nlast")
    assert {h.line for h in hidden_parts} == {2}


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff# Title\n",
        "tab\tand\r\nlines",
        FAMILY,
        "\U0001f3f3\ufe0f\u200d\U0001f308 \u2764\ufe0f\u200d\U0001f525 \U0001f469\U0001f3fd\u200d\u2695\ufe0f \U0001f9d1\u200d\U0001f4bb",
        "1\ufe0f\u20e3 #\ufe0f\u20e3 \u00a9\ufe0f \u2139\ufe0f \u2194\ufe0f \u26a0\ufe0f \u2714\ufe0e \u203c\ufe0f \u3030\ufe0f",
        ENGLAND,
        "می\u200cخواهم کتاب\u200cها",
        "क्\u200dष न्\u200c ക്\u200d",
        "ශ්\u200dරී",
        "שלום\u200f, world",
        "葛\U000e0100城市",
        "ภาษา\u200bไทย",
        "Donau\u00addampf\u00adschiff",
        "– “quotes” … non\u00a0breaking\u202fspace, em\u2003space",
        "<!-- was 2026-02-14: Monday -->",
        "한국어 日本語 中文 🎉👍🏽🇩🇪",
    ],
)
def test_what_spelling_needs_is_left_alone(text):
    """Emoji sequences, joiners of Persian and Indic words, flags, a first BOM and hyphenation are ordinary."""
    assert find_hidden_text(text) == ()


def test_a_run_is_one_finding():
    """Smuggled text is reported once, with the whole of its span."""
    (run,) = find_hidden_text("ok" + "\u200b" * 500 + "ok")
    assert (run.start, run.end) == (2, 502)


@given(st.text())
def test_scan_takes_any_text(text):
    """Findings lie in the text, in order, without overlap."""
    end = 0
    for part in find_hidden_text(text):
        assert end <= part.start < part.end <= len(text)
        assert part.line == text.count("\n", 0, part.start) + 1
        end = part.end


@pytest.mark.parametrize(
    "unit", ["a", "\u200b", "a\u200e", "א\u200e", "क\u200d", "\U000e0041", "\U0001f600\ufe0f\u200d"]
)
def test_a_long_line_does_not_hang(unit):
    """Time grows with the length of the text."""
    find_hidden_text(unit * (amount(300_000, 40_000) // len(unit)))
