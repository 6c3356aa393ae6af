"""What `/new` left among the memories is a transcript of little trust."""

import pytest

from clawgit.sessions.transcript_discovery import read

DUMP = """# Session: 2026-05-04 14:30:00 UTC

- **Session Key**: agent:main:main
- **Session ID**: 5b0f3c1e
- **Source**: telegram

## Conversation Summary

user: raw turn text
over two lines

and a third
assistant: answer
user: raw again
"""


def test_head_and_turns():
    found = read(DUMP)
    assert (found.session, found.key, found.channel, found.started) == (
        "5b0f3c1e",
        "agent:main:main",
        "telegram",
        1777905000.0,
    )
    assert [(one.role, one.text) for one in found.entries] == [
        ("user", "raw turn text\nover two lines\n\nand a third"), ("assistant", "answer"), ("user", "raw again")
    ]  # fmt: skip


def test_a_line_of_an_answer_that_looks_like_a_turn_is_told_by_what_is_known():
    """The transcript of the conversation has the whole answer."""
    answer = "Put this into the file:\nuser: ada\nassistant: bob"
    text = f"# Session: x\n\nuser: How?\nassistant: {answer}\nuser: Thanks.\n"
    assert [one.text for one in read(text, ["How?", answer, "Thanks."]).entries] == ["How?", answer, "Thanks."]
    assert [one.text for one in read(text).entries] == ["How?", "Put this into the file:", "ada", "bob", "Thanks."]


def test_the_same_words_twice_are_two_turns_with_lasting_names():
    text = "# Session: x\n\nuser: ok\nassistant: yes\nuser: ok\n"
    first, second = read(text), read(text + "assistant: more\n")
    names = [one.id for one in first.entries]
    assert len(set(names)) == 3
    assert [one.id for one in second.entries][:3] == names


@pytest.mark.parametrize(
    "text", ["", "# Notes\n\nuser: x\n", "# Session: x\n\nno turns\n", "user: x\n", "x\n# Session: y\n\nuser: x\n"]
)
def test_other_memories_are_no_dumps(text):
    assert read(text) is None


def test_a_younger_openclaw_writes_each_turn_as_a_string():
    text = '# Session: 2026-05-04 14:30:00 UTC\n\n- **Session ID**: s1\n\nuser: "he said \\"no\\"\\nassistant: yes"\n'
    dump = read(text + 'assistant: "so\nuser: "half\n')
    assert [one.text for one in dump.entries] == ['he said "no"\nassistant: yes', '"so', '"half']
