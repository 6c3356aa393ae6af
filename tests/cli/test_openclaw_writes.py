"""What OpenClaw writes by itself: named in history, and no memory."""

import subprocess

DREAM = "# Light Sleep\n\n- Candidate: the kingfisher password is kept in the drawer.\n"
DUMP = """# Session: 2026-05-04 14:30:00 UTC

- **Session Key**: agent:main:main
- **Session ID**: 5b0f3c1e
- **Source**: telegram

## Conversation Summary

user: hello
assistant: hello
"""


def written(space):
    """Have OpenClaw dream, somebody leave a conversation, and the agent write its journal."""
    texts = {
        "memory/dreaming/light/2026-05-04.md": DREAM,
        "DREAMS.md": "# Diary\n\nA kingfisher flew over a drawer with a password in it.\n",
        "memory/2026-05-04-1430.md": DUMP,
        "memory/2026-05-04.md": "# 2026-05-04\n\n- Lunch with Ada.\n",
    }
    for path, text in texts.items():
        (space / path).parent.mkdir(parents=True, exist_ok=True)
        (space / path).write_text(text)


def authors(space):
    """Who wrote each file last."""
    names = ("DREAMS.md", "memory/dreaming/light/2026-05-04.md", "memory/2026-05-04-1430.md", "memory/2026-05-04.md")
    words = ("git", "-C", str(space), "log", "-1", "--format=%an", "--")
    return [subprocess.run([*words, name], capture_output=True, text=True, check=True).stdout.strip() for name in names]


def test_each_writer_has_a_commit_of_its_own_under_its_name(call, space):
    written(space)
    assert call("capture").code == 0
    assert authors(space) == ["openclaw dreaming", "openclaw dreaming", "openclaw session-memory", "unknown"]
    assert call("capture").code == 0


def test_dreams_are_neither_found_nor_shown_unless_they_are_asked_for(call, space):
    written(space)
    call("capture")
    assert call("search", "kingfisher password", "--json").json["results"] == []
    assert "kingfisher" not in call("context", "--query", "Where is the kingfisher password?").out
    assert call("config", "set", "sources", "[memory, dreaming]").code == 0
    found = {one["path"] for one in call("search", "kingfisher password", "--json").json["results"]}
    assert found == {"DREAMS.md", "memory/dreaming/light/2026-05-04.md"}


def test_the_scores_of_a_promoted_line_are_not_shown(call, space):
    line = "- Ada prefers mornings. [score=0.812 signals=4 recalls=3 avg=0.7 source=memory/2026-05-01.md:3-3]\n"
    (space / "MEMORY.md").write_text(f"# Memory\n\n{line}")
    call("capture")
    shown = call("context", "--query", "Ada").out
    assert "Ada prefers mornings." in shown
    assert "score=" not in shown
    assert line in (space / "MEMORY.md").read_text()
