"""`clawgit eval`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def lived(space: Path, inside: Callable) -> Path:
    """Notes that came one by one, each commit with its subject."""
    (space / "memory").mkdir(exist_ok=True)
    for number, (subject, sentence) in enumerate(
        [
            ("memory: deploy day", "- The release moves to Tuesday, the deploy follows."),
            ("memory: tea at Ana's", "- Ana prefers green tea over coffee."),
            ("capture: memory/x.md (+1 -0)", "- Somebody wrote this."),
            ("memory: parking garage code", "- The garage code is 4711."),
        ]
    ):
        (space / f"memory/note-{number}.md").write_text(f"# Note\n\n{sentence}\n")
        inside("add", "-A")
        inside("commit", "-qm", subject)
    return space


def test_the_answers_are_measured(call: Callable, lived: Path, tmp_path: Path) -> None:
    place = tmp_path / "questions.jsonl"
    drafted = {"deploy day": "note-0.md", "tea at Ana's": "note-1.md", "parking garage code": "note-3.md"}
    rows = [{"question": words, "expected": [f"memory/{name}#L3"]} for words, name in drafted.items()]
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    document = call("eval", place, "--json").json
    assert document["questions"] == 3
    assert (document["recall@5"], document["mrr"], document["evidence@1000tok"]) == (1.0, 1.0, 1.0)
    names = {"recall@5", "recall@10", "mrr", "ndcg@10", "evidence@1000tok", "evidence@2000tok", "p50_ms", "p95_ms"}
    assert set(document) == {"questions", *names}
    assert "recall@5" in call("eval", place).out


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "has no questions"), ('\n{"question": "x", "expected": ["../etc/passwd#L1"]}\n', ":2: not a question")],
)
def test_a_bad_file_is_refused_with_its_line(
    call: Callable, lived: Path, tmp_path: Path, text: str, message: str
) -> None:
    place = tmp_path / "questions.jsonl"
    place.write_text(text)
    answer = call("eval", place)
    assert (answer.code, message in answer.err) == (1, True), answer.err
