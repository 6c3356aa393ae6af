"""Lines fit the terminal."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.cli.output import HANG, Span, columns, fixed, line, width, wrapped

WORDS = st.text(alphabet="ab 日é\u0301", max_size=60)


def plain(row: tuple[Span, ...]) -> str:
    return "".join(span.text for span in row)


def test_wide_and_combining_letters_are_counted_as_shown() -> None:
    assert width("abc") == 3
    assert width("日本") == 4
    assert width("e\u0301") == 1


def test_a_line_breaks_between_words_and_is_indented() -> None:
    rows = list(wrapped(line("- ", Span("one two", "red"), " three"), 9, 2))
    assert [plain(row) for row in rows] == ["- one two", "  three"]
    assert rows[0][-1].style == "red"


def test_a_word_longer_than_the_line_is_left_whole() -> None:
    assert [plain(row) for row in wrapped(line("see https://example.org"), 8, 2)] == ["see", "  https://example.org"]


@given(WORDS, st.integers(4, 30))
def test_no_word_is_lost(text: str, room: int) -> None:
    rows = [plain(row) for row in wrapped(line(text), room, 2)]
    assert "".join("".join(rows).split()) == "".join(text.split())


def test_names_are_padded_to_the_widest() -> None:
    assert list(columns([("a", "1"), ("日本", "2")])) == [("a   ", "1"), ("日本", "2")]


def test_a_column_is_broken_below_itself() -> None:
    row = line("name", "  ", HANG, "what it does, in some more words than fit")
    assert [plain(one) for one in wrapped(row, 34, 2)] == ["name  what it does, in some more", "      words than fit"]


def test_a_column_without_room_is_broken_as_any_line() -> None:
    row = line("a name that takes nearly all of it  ", HANG, "some words")
    assert [plain(one) for one in wrapped(row, 40, 2)] == ["a name that takes nearly all of it  some", "  words"]


def test_a_command_to_paste_is_never_broken() -> None:
    row = fixed(4, "clawgit restore 'memory/a long name.md' --as-of 2026-01-20")
    assert [plain(one) for one in wrapped(row, 30, 2)] == [
        "    fix:",
        "  clawgit restore 'memory/a long name.md' --as-of 2026-01-20",
    ]
