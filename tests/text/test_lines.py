"""Lines as git counts them, and which stands for which."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.text import document

TEXT = st.text("ab\r\n\x0b\u2028", max_size=20)


@given(TEXT)
def test_joined_lines_are_the_text(text):
    """Only line feeds divide."""
    rows = document.split(text)
    assert "".join(rows) == text
    assert all(row.count("\n") == row.endswith("\n") for row in rows)
    assert [document.content(row) + document.end_of(row) for row in rows] == rows


@given(TEXT, st.sampled_from(["\n", "\r\n"]))
def test_conversion_keeps_the_content(text, ending):
    """Every line but its end, and twice is once."""
    result = document.convert(text, ending)
    assert [document.content(r) for r in document.split(result)] == [document.content(r) for r in document.split(text)]
    assert document.convert(result, ending) == result


def test_the_dominant_end():
    """The commoner one; a line feed on a tie or without any."""
    assert [document.eol(t) for t in ("", "a", "a\r\nb", "a\r\nb\n", "a\r\nb\r\nc\n", "a\r")] == [
        "\n", "\n", "\r\n", "\n", "\r\n", "\n",
    ]  # fmt: skip
