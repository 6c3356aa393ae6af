"""`clawgit run`."""

import json

import pytest

NAME = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
SAID = (
    ("user", "Morning! We decided to use Postgres 16 for the billing service."),
    ("assistant", "Sounds great! Shall I set it up?"),
    ("user", "Thanks, please do."),
)


@pytest.fixture
def talked(call, tmp_path):
    """A short talk, imported."""
    rows = [{"type": "session", "version": 3, "id": NAME, "timestamp": "2026-05-04T08:00:00.000Z"}]
    for number, (role, text) in enumerate(SAID, 1):
        message = {"role": role, "content": text, "timestamp": 1_777_881_600_000 + number * 1000}
        rows.append({"type": "message", "id": f"e{number}", "parentId": f"e{number - 1}", "message": message})
    place = tmp_path / f"{NAME}.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call("session", "import", place).code == 0


def test_it_shows_what_it_would_do_and_does_it_when_asked(call, talked, space):
    shown = call("run", "memory-miner")
    assert "would land add We decided to use Postgres 16 for the billing service." in " ".join(shown.out.split())
    assert "clawgit run memory-miner --apply" in shown.err
    assert "Postgres" not in (space / "MEMORY.md").read_text()
    done = call("run", "memory-miner", "--apply")
    assert "memory: We decided to use Postgres 16" in done.out
    assert "undo: clawgit undo" in done.out
    assert "Postgres" in (space / "MEMORY.md").read_text()
    assert call("run", "memory-miner", "--apply", "--json").json["verdicts"] == []


def test_the_document_holds_all_of_it(call, talked):
    found = call("run", "memory-miner", "--json").json
    assert (found["agent"], found["read"], found["committed"]) == ("memory-miner", 2, [])
    (verdict,) = found["verdicts"]
    assert (verdict["act"], verdict["state"], verdict["turns"]) == ("add", "landed", [1])
    (done,) = call("run", "memory-miner", "--apply", "--json").json["committed"]
    assert done["undo"] == f"clawgit undo {done['change']}"


def test_a_flag_of_triage_is_read_although_its_conversation_is_not_there(call, space):
    call("triage", "don't forget: Ana flies to Lisbon on 2026-06-12", "--act")
    done = call("run", "memory-miner", "--apply")
    assert done.code == 0
    assert all("Lisbon" in path.read_text() for path in (space / "MEMORY.md", *(space / "memory").glob("*.md")))
    assert call("run", "memory-miner", "--json").json["verdicts"] == []


def test_the_list_says_what_was_done_last(call, talked):
    assert all(one["last"] is None for one in call("run", "--list", "--json").json)
    call("run", "memory-miner", "--apply")
    last = {one["agent"]: one["last"] for one in call("run", "--list", "--json").json}
    assert last["memory-miner"]["read"] == 2


@pytest.mark.parametrize(
    ("arguments", "words", "fix"),
    [
        ((), "say which agent is to run", "clawgit run --list"),
        (("memory-minor",), "there is no agent memory-minor", "clawgit run memory-miner"),
        (("memory-miner", "--since", "soon"), "'soon' is no date", "--since 'last week'"),
    ],
)
def test_a_slip_is_named_with_the_way_out(call, arguments, words, fix):
    answer = call("run", *arguments)
    assert answer.code == 2
    assert words in answer.err
    assert fix in answer.err
