"""`clawgit run` with a reader: a batch goes out, an answer comes in, and only what the words bear out lands."""

import json
import stat
import sys
import time
from pathlib import Path

import pytest

NAME = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
SAID = (
    ("user", "Morning! We decided to use Postgres 16 for the billing service."),
    ("assistant", "Sounds great! Shall I set it up?"),
    ("user", "Thanks, please do. The relay listens on port 8080."),
)
GOOD = "We decided to use Postgres 16 for the billing service."


@pytest.fixture
def talked(call, tmp_path):
    """A short talk of a moment ago, imported."""
    now = int(time.time() * 1000) - 3_600_000
    rows = [{"type": "session", "version": 3, "id": NAME, "timestamp": "2026-05-04T08:00:00.000Z"}]
    place = tmp_path / f"{NAME}.jsonl"

    def say(*said: tuple[str, str]) -> None:
        for role, text in said:
            number = len(rows)
            message = {"role": role, "content": text, "timestamp": now + number * 1000}
            rows.append({"type": "message", "id": f"e{number}", "parentId": f"e{number - 1}", "message": message})
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert call("session", "import", place).code == 0

    say(*SAID)
    return say


def wrote(tmp_path: Path, *operations: dict, **more: object) -> Path:
    place = tmp_path / "answer.json"
    place.write_text(json.dumps({"operations": list(operations), **more}))
    return place


def add(text: str, *turns: int) -> dict:
    return {"act": "add", "turns": list(turns), "text": text, "tag": "decision"}


def exported(call, tmp_path: Path) -> dict:
    place = tmp_path / "batch.json"
    assert call("run", "memory-miner", "--export", place).code == 0
    return json.loads(place.read_text())


def test_a_batch_goes_out_and_says_what_to_do_with_it(call, talked, tmp_path, space):
    told = call("run", "memory-miner", "--export", tmp_path / "batch.json")
    batch = json.loads((tmp_path / "batch.json").read_text())
    assert {batch["id"], str(tmp_path / "batch.json")} <= set(told.out.split())
    assert "clawgit run memory-miner --answer FILE --apply" in told.err
    assert stat.S_IMODE((tmp_path / "batch.json").stat().st_mode) == 0o600
    assert [one["by"] for one in batch["turns"]] == ["operator", "agent", "operator"]
    assert batch["answer"]["required"] == ["operations"]
    assert exported(call, tmp_path)["id"] == batch["id"]
    assert call("status").code == 0


def test_an_answer_is_checked_first_and_lands_when_asked(call, talked, tmp_path, space):
    batch = exported(call, tmp_path)
    place = wrote(tmp_path, add(GOOD, 1), add("We use Oracle 9100 for the billing service.", 1), id=batch["id"])
    shown = call("run", "memory-miner", "--answer", place)
    assert f"would land add {GOOD}" in " ".join(shown.out.split())
    assert "refused" in shown.out
    assert "Postgres" not in (space / "MEMORY.md").read_text()
    done = call("run", "memory-miner", "--answer", place, "--apply", "--json").json
    assert [one["state"] for one in done["verdicts"]] == ["landed", "refused"]
    assert f"- {GOOD} #decision" in (space / "MEMORY.md").read_text()
    assert "Oracle" not in (space / "MEMORY.md").read_text()
    line = (space / "MEMORY.md").read_text().splitlines().index(f"- {GOOD} #decision") + 1
    assert "Morning! We decided to use Postgres 16" in call("why", f"MEMORY.md:{line}").out
    assert call("undo", "--run").code == 0
    assert "Postgres" not in (space / "MEMORY.md").read_text()


def test_an_answer_is_to_the_batch_that_it_names(call, talked, tmp_path):
    exported(call, tmp_path)
    other = call("run", "memory-miner", "--answer", wrote(tmp_path, add(GOOD, 1), id="0123456789abcdef"))
    assert other.code == 1
    assert "no batch 0123456789abcdef waits for an answer here" in other.err
    assert call("run", "memory-miner", "--answer", wrote(tmp_path, add(GOOD, 1))).code == 1
    assert call("run", "soul-keeper", "--answer", wrote(tmp_path, id=exported(call, tmp_path)["id"])).code == 1


@pytest.mark.parametrize("said", ["I would rather not.", '{"operations": [{"act"'])
def test_what_is_no_answer_is_refused_and_the_batch_stays(call, talked, tmp_path, said):
    batch = exported(call, tmp_path)
    (tmp_path / "answer.json").write_text(said)
    told = call("run", "memory-miner", "--answer", tmp_path / "answer.json", "--apply")
    assert told.code == 1
    assert "there is no JSON object with a list of operations in it" in told.err
    assert exported(call, tmp_path)["id"] == batch["id"]


VOICE = """
import json, re, sys
said = sys.stdin.read()
if "ready" in said and "tried out" in said:
    print("ready")
elif "wholly" in said:
    pairs = re.findall(r"^(\\d+) \\[S\\d+\\] (.*)$", said, re.MULTILINE)
    for n, claim in pairs:
        print(n, "wholly" if claim in TRUE else "not")
else:
    found = re.findall(r"^(\\d+) O\\*? (.*)$", said, re.MULTILINE)
    print(json.dumps({"operations": [
        {"act": "add", "turns": [int(n)], "text": claim, "tag": "decision"}
        for n, words in found for claim in TRUE + FALSE if claim.split()[2] in words
    ]}))
"""


def voice(call, tmp_path: Path, *, true: tuple[str, ...] = (GOOD,), false: tuple[str, ...] = ()) -> None:
    place = tmp_path / "voice.py"
    place.write_text(f"TRUE, FALSE = {list(true)!r}, {list(false)!r}\n{VOICE}")
    assert call("config", "llm_command", f"[{sys.executable}, {place}]", terminal=True).code == 0


def test_a_voice_reads_where_one_is_set_up_and_its_claims_are_judged(call, talked, tmp_path, space):
    voice(call, tmp_path)
    shown = call("run", "memory-miner")
    assert f"would land add {GOOD}" in " ".join(shown.out.split())
    done = call("run", "memory-miner", "--apply", "--json").json
    assert [one["state"] for one in done["verdicts"]] == ["landed"], done["verdicts"]
    assert f"- {GOOD} #decision" in (space / "MEMORY.md").read_text()
    assert call("run", "memory-miner", "--apply", "--json").json["verdicts"] == []
