"""`clawgit run`."""

import json

import pytest

from tests.sessions.transcripts import SESSION, chain, write_transcript

SAID = (
    ("user", "Morning! We decided to use Postgres 16 for the billing service."),
    ("assistant", "Sounds great! Shall I set it up?"),
    ("user", "Thanks, please do."),
)


@pytest.fixture
def talked(call, tmp_path):
    """A short talk, imported."""
    place = write_transcript(tmp_path / f"{SESSION}.jsonl", chain(*SAID))
    assert call("session", "import", place).code == 0


def test_it_shows_what_it_would_do_and_does_it_when_asked(call, talked, space):
    assert all(row["last"] is None for row in call("run", "--list", "--json").json)
    preview = call("run", "memory-miner")
    assert "would land add We decided to use Postgres 16 for the billing service." in " ".join(preview.out.split())
    assert "clawgit run memory-miner --apply" in preview.err
    document = call("run", "memory-miner", "--json").json
    assert (document["agent"], document["read"], document["committed"]) == ("memory-miner", 2, [])
    (verdict,) = document["verdicts"]
    assert (verdict["act"], verdict["state"], verdict["turns"]) == ("add", "landed", [1])
    assert "Postgres" not in (space / "MEMORY.md").read_text()
    result = call("run", "memory-miner", "--apply")
    assert "memory: We decided to use Postgres 16" in result.out
    assert "undo: clawgit undo" in result.out
    assert "Postgres" in (space / "MEMORY.md").read_text()
    assert call("run", "memory-miner", "--apply", "--json").json["verdicts"] == []
    last = {row["agent"]: row["last"] for row in call("run", "--list", "--json").json}
    assert last["memory-miner"]["read"] == 2


def test_a_flag_of_triage_is_read_although_its_conversation_is_not_there(call, space):
    call("triage", "don't forget: Ana flies to Lisbon on 2026-06-12", "--act")
    (commit,) = call("run", "memory-miner", "--apply", "--json").json["committed"]
    assert commit["undo"] == f"clawgit undo {commit['change']}"
    assert all("Lisbon" in path.read_text() for path in (space / "MEMORY.md", *(space / "memory").glob("*.md")))
    assert call("run", "memory-miner", "--json").json["verdicts"] == []


def test_a_slip_is_named_with_the_way_out(call):
    for arguments, fix in (
        ((), "clawgit run --list"),
        (("memory-minor",), "clawgit run memory-miner"),
        (("memory-miner", "--since", "soon"), "--since 'last week'"),
    ):
        answer = call("run", *arguments)
        assert (answer.code, fix in answer.err) == (2, True)


def write_answer(tmp_path, *operations, **fields):
    place = tmp_path / "answer.json"
    place.write_text(json.dumps({"operations": operations, **fields}))
    return place


def test_a_reader_of_ones_own_gets_a_batch_and_its_answer_is_checked(call, talked, tmp_path, space):
    good = {"act": "add", "turns": [1], "text": SAID[0][1].removeprefix("Morning! "), "tag": "decision"}
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "folder", ""):
        assert call("run", "memory-miner", "--export", place).code == 1
    assert (tmp_path / "folder").is_dir()
    answer = call("run", "memory-miner", "--export", tmp_path / "batch.json")
    assert "clawgit run memory-miner --answer FILE --apply" in answer.err
    assert (tmp_path / "batch.json").stat().st_mode & 0o777 == 0o600
    batch = json.loads((tmp_path / "batch.json").read_text())
    assert [row["by"] for row in batch["turns"]] == ["operator", "agent", "operator"]
    assert batch["answer"]["required"] == ["operations"]
    name = {"id": batch["id"]}
    for agent, operations, fields in (
        ("memory-miner", (good,), {"id": "0123456789abcdef"}),
        ("memory-miner", (good,), {}),
        ("soul-keeper", (), name),
        ("memory-miner", ({"act": "keep"},), name),
    ):
        assert call("run", agent, "--answer", write_answer(tmp_path, *operations, **fields), "--apply").code == 1
    call("run", "memory-miner", "--export", tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text())["id"] == batch["id"]
    assert call("run", "memory-miner", "--apply").code == 3
    invented = {**good, "text": "We use Oracle 9100 for the billing service."}
    place = write_answer(tmp_path, good, invented, **name)
    assert "would land add We decided" in " ".join(call("run", "memory-miner", "--answer", place).out.split())
    document = call("run", "memory-miner", "--answer", place, "--apply", "--json").json
    assert [row["state"] for row in document["verdicts"]] == ["landed", "refused"]
    text = (space / "MEMORY.md").read_text()
    assert (f"- {good['text']} #decision" in text, "Oracle" in text) == (True, False)
    line = text.splitlines().index(f"- {good['text']} #decision") + 1
    assert "Morning! We decided to use Postgres 16" in call("why", f"MEMORY.md:{line}").out
    assert call("undo", "--run").code == 0
    assert "Postgres" not in (space / "MEMORY.md").read_text()
