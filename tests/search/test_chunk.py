"""Cutting Markdown into chunks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.search import blocks
from clawgit.search.blocks import LARGEST, chunks


def spans(text: str) -> list[tuple[int, int, str]]:
    return [(chunk.start, chunk.end, chunk.text) for chunk in chunks(text)]


def test_bullets_rows_paragraphs_and_fences_stand_alone() -> None:
    paragraph, fence = "A line\nand more.", "```sh\n- no bullet\n```"
    text = f"# Facts\n\n- one\n- two\n  - below\n\n{paragraph}\n\n{fence}\n"
    assert spans(text) == [
        (3, 3, "- one"),
        (4, 5, "- two\n  - below"),
        (7, 8, paragraph),
        (10, 12, fence),
    ]


def test_headings_in_any_style_lead_to_a_chunk() -> None:
    text = "Setext\n======\n\n## Inner\n\n**Bold part:**\n\n- said\n"
    trail = "Setext \u203a Inner \u203a Bold part"
    assert [chunk.trail for chunk in chunks(text)] == [trail]


def test_a_row_is_found_by_the_head_of_its_table() -> None:
    (first, second) = chunks("| name | port |\n|---|---|\n| api | 8080 |\n| web | 9090 |\n")
    assert (first.start, first.end, first.text, first.trail) == (3, 3, "| api | 8080 |", "name port")
    assert second.start == 4


def test_a_heading_with_a_day_dates_what_is_below_it() -> None:
    text = "# Log\n\n## 2026-03-04\n\n- newer\n\n## 2026-03-01\n\n- older\n"
    assert [(str(chunk.day), chunk.text) for chunk in chunks(text)] == [
        ("2026-03-04", "- newer"),
        ("2026-03-01", "- older"),
    ]


def test_comments_are_not_text_and_code_is_not_a_comment() -> None:
    lines = "- kept <!-- was Monday -->\n<!--\nhidden\n-->\n- after\n"
    assert spans(lines) == [(1, 1, "- kept"), (5, 5, "- after")]
    unclosed = "- never closed <!-- but said\n- after\n"
    assert spans(unclosed)[1] == (2, 2, "- after")
    code = "- use `<!--` to hide `-->`\n"
    assert "<!--" in spans(code)[0][2]
    assert "<!-- x -->" in spans("```html\n<!-- x -->\n```\n")[0][2]


@pytest.mark.parametrize("line", ["[12:30] Ana: {}", "user: {}", "**Ana:** {}"])
def test_every_style_of_a_turn_is_known(line: str) -> None:
    other = line.replace("Ana", "Bo").replace("user", "assistant")
    text = "\n".join(style.format(number) for number in range(3) for style in (line, other))
    assert all(chunk.speaker for chunk in chunks(text))


def test_a_list_of_facts_is_no_conversation() -> None:
    text = "- Name: Ada\n- City: Ulm\n- Born: 1990\n- Likes: tea\n- Phone: none\n"
    assert not any(chunk.speaker for chunk in chunks(text))


@pytest.mark.parametrize("line", ["x" * 5_000_000, "a: " * 300_000])
def test_a_line_of_megabytes_is_cut_in_bearable_time(line: str) -> None:
    parts = chunks(f"- before\n{line}\n\n- after\n")
    assert parts[0].text.startswith("- before")
    assert parts[-1].text == "- after"
    assert all(len(chunk.text) <= 2 * LARGEST for chunk in parts)


def test_a_long_text_is_cut_and_nothing_of_it_lost() -> None:
    sentences = " ".join(f"Sentence number {number} says this much." for number in range(40))
    sizes = [len(chunk.text) for chunk in chunks(sentences)]
    assert max(sizes) <= LARGEST
    assert sum(sizes) >= len(sentences) - len(sizes)


TEXT = (
    "- a;* b;# H;### H3;####### x;#x;;;text;**bold**;*it*;日本;  - d;    - e; - g;  t;   cont;  1. y;   2. z;\tx;- \tx;"
    "1. x;2. two;10. ten;1) k;2) b;1.;- 1. n;00.;-;---;- - n;* * *;- ***;===;> q;- > q;```;~~~;`c` d;<div>;| a | b |;"
    "|---|---|;a | b;--|--;:--|--;- # h;  # h;[a]: b;- [ ] t;_e_;a\rb;\u00a0x;a\0b;\u2028a;a\x85- b;*;***x***;"
    "\u0661. d"
)
LINES = TEXT.split(";")


@given(st.lists(st.sampled_from(LINES), max_size=7))
@settings(max_examples=400, deadline=None)
def test_the_scanner_reads_lines_as_the_parser_does(lines: list[str]) -> None:
    assert blocks._scan(lines) in ([], blocks._join_nested(blocks._parse(lines)))
