"""A memory is kept word for word, or refused, for any characters in it."""

from collections.abc import Callable
from pathlib import Path

ODD = [
    "## Knowledge",
    "1) x",
    "- [ ] x",
    "```\ncode\n```",
    "---",
    "| a | b |",
    "emoji 👩‍👧‍👦 🇩🇪 ✅",
    "公開APIにはGraphQLではなくRESTを選んだ。",
    "list:\n- a\n- b",
    "windows\r\nline",
    "trailing\\",
    "x" * 5000,
    "  spaces around  ",
    "non\xa0breaking",
    "e\u0301",
    "#decision first",
]


def test_any_text_is_kept_word_for_word_and_an_undo_leaves_the_file_as_it_was(
    call: Callable, space: Path, inside: Callable
) -> None:
    memory = space / "MEMORY.md"
    before = "\ufeff# Memory\r\n\r\n## Knowledge\r\n\r\n- before #knowledge\r\n\r\n## Events\r\n\r\n- after"
    memory.write_bytes(before.encode())
    call("capture")
    texts = [text.replace("\r\n", "\n").strip(" \t\r\n") for text in ODD]
    for text in ODD:
        assert call("memory", "add", "-", "--tag", "knowledge", stdin=text.encode()).code == 0
    assert [row["text"] for row in call("memory", "list", "--json").json] == ["before", *texts, "after"]
    assert inside("status", "--porcelain") == ""
    for _ in ODD:
        assert call("undo").code == 0
    assert memory.read_bytes() == before.encode()


def test_a_memory_that_nobody_could_read_is_refused(call: Callable, space: Path, photograph: Callable) -> None:
    """In a code block that is left open it would be no memory: added again and again, and never found."""
    for text in ("## Knowledge\n\n```\ncode\n", "# Memory\n\n<!-- open\n"):
        (space / "MEMORY.md").write_text(text)
        call("capture")
        before = photograph()
        assert call("memory", "add", "y", "--json").json["key"] == "memory-shape"
        assert photograph() == before
