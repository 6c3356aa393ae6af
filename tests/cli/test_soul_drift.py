"""`clawgit soul drift`, and the soul keeper by command."""

import json

import pytest

NAME = "7c1d2e3f-0000-4a3e-9d57-0f6f0a9e4c11"
SAID = (
    ("assistant", "Here is all of it. " * 60 + "Anything else?"),
    ("user", "you were too long again"),
    ("assistant", "Done. Shall I go on?"),
    ("user", "Please stop ending every answer with a question."),
    ("user", "Thanks!"),
)


@pytest.fixture
def talked(call, tmp_path):
    """A short talk of a little while ago, imported."""
    rows = [{"type": "session", "version": 3, "id": NAME, "timestamp": "2026-05-04T08:00:00.000Z"}]
    for number, (role, text) in enumerate(SAID, 1):
        message = {"role": role, "content": text, "timestamp": 1_777_881_600_000 + number * 1000}
        rows.append({"type": "message", "id": f"e{number}", "parentId": f"e{number - 1}", "message": message})
    place = tmp_path / f"{NAME}.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call("session", "import", place).code == 0


def test_the_keeper_shows_then_does_and_says_what_a_session_still_holds(call, talked, space):
    shown = call("run", "soul-keeper", "--since", "2026-01-01")
    assert "+ - Please stop ending every answer with a question." in shown.out
    assert "clawgit run soul-keeper --apply" in shown.out
    before = (space / "SOUL.md").read_text()
    done = call("run", "soul-keeper", "--since", "2026-01-01", "--apply")
    assert "undo: clawgit undo" in done.out
    assert "a session that runs keeps the old text" in done.err
    after = (space / "SOUL.md").read_text()
    assert after != before
    again = call("run", "soul-keeper", "--since", "2026-01-01", "--apply", "--json").json
    assert (again["committed"], again["proposed"]) == ([], [])
    assert (space / "SOUL.md").read_text() == after


def test_drift_is_a_table_and_a_document(call, talked):
    call("run", "soul-keeper", "--since", "2026-01-01", "--apply")
    told = call("soul", "drift")
    assert told.code == 0
    assert "section" in told.out
    assert "all of it" in told.out
    assert max(map(len, told.out.splitlines())) <= 80
    found = call("soul", "drift", "--json").json
    assert (found["path"], found["changes"], found["whole"]["stand"]) == ("SOUL.md", 1, 1.0)
    assert set(found["whole"]["by"]) == {"agent"}
    assert found["whole"]["added"] == sum(one["added"] for one in found["sections"]) > 0


def test_drift_names_what_it_cannot_find(call):
    assert call("soul", "drift", "--since", "1999-01-01").code == 1
    assert call("soul", "drift", "--file", "NOTHING.md").code == 1


def test_a_file_is_for_the_keeper_alone(call):
    assert call("run", "memory-miner", "--file", "SOUL.md").code == 2
    assert call("run", "soul-keeper", "--file", "USER.md").code == 2
    told = call("run", "soul-keeper", "--file", "agents/nobody/SOUL.md")
    assert told.code == 0
    assert "there is no agents/nobody/SOUL.md here" in told.err
