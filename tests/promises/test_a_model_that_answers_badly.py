"""A nearly valid answer of a model is read or named as refused; one that is none leaves its messages unread."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import Desk
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = (
    "reading/operations.py",
    "            if answer.operations or not answer.problems:",
    "            if True:",
)

SUPPLIER = "The new orchid supplier is Flora Verde."
MODEL = """
import pathlib, sys
sys.stdin.read()
sys.stdout.write(pathlib.Path(sys.argv[1]).read_text())
"""


def make_operation(**values: Any) -> dict[str, Any]:
    return {"act": "add", "text": SUPPLIER, "tag": "knowledge", "turns": [1], **values}


def answers(folder: Path, *operations: object, prose: str = "") -> None:
    """Have the model give these operations from now on, or exactly this text."""
    (folder / "answer").write_text(prose or json.dumps({"operations": operations}))


@pytest.fixture
def talked(desk: Desk, tmp_path: Path) -> Desk:
    """Return a workspace with a conversation that nobody has read, and a model."""
    request = "Please remember: the spare key lies under the third pot."
    talk(desk, tmp_path, [text("user", SUPPLIER), text("assistant", "Good."), text("user", request)])
    (tmp_path / "model.py").write_text(MODEL)
    command = f"[{sys.executable}, {tmp_path / 'model.py'}, {tmp_path / 'answer'}]"
    desk.run("config", "llm", command, terminal="")
    return desk


@pytest.mark.parametrize("turns", [["1"], "1", 1, [1.0], [" 1 "]], ids=repr)
def test_a_number_in_another_form_is_read(talked: Desk, tmp_path: Path, turns: object) -> None:
    answers(tmp_path, make_operation(turns=turns))
    talked.run("run", "memory-miner", "--apply")
    assert SUPPLIER in titles(talked)


def titles(desk: Desk) -> str:
    """Return the items that wait: nobody has judged them."""
    return "\n".join(item["title"] for item in desk.run("inbox"))


def test_a_line_that_it_drops_is_named(talked: Desk, tmp_path: Path) -> None:
    number = talked.read("SOUL.md").split("\n").index("- Be brief when it hurries.") + 1
    answers(tmp_path, {"act": "soul", "file": "SOUL.md", "line": number, "text": "", "turns": [1], "reason": "unused"})
    talked.run("run", "soul-keeper", "--apply")
    assert "Be brief when it hurries." in titles(talked)


WRONG = [{"turns": ["first"]}, {"turns": [True]}, {"turns": None}, {"act": "keep"}, {"tag": "plants"}, {"text": ["a"]}]


@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
def test_beside_others_it_is_named(talked: Desk, tmp_path: Path, wrong: dict[str, Any]) -> None:
    answers(tmp_path, make_operation(), make_operation(**wrong))
    document = talked.run("run", "memory-miner", "--apply")
    assert SUPPLIER in titles(talked)
    assert any("operation 2" in note for note in document["notes"])


@pytest.mark.parametrize("wrong", [*WRONG, "prose", "cut"], ids=json.dumps)
def test_alone_it_leaves_the_messages_unread(talked: Desk, tmp_path: Path, wrong: dict[str, Any] | str) -> None:
    whole = json.dumps({"operations": [make_operation()]})
    answer = {"prose": "The supplier is Flora Verde.", "cut": whole[:-9]}.get(str(wrong), "")
    answers(tmp_path, make_operation(**({} if isinstance(wrong, str) else wrong)), prose=answer)
    head, files = talked.head(), talked.files()
    document = talked.run("run", "memory-miner", "--apply")
    assert (talked.head(), talked.files(), titles(talked), document["read"]) == (head, files, "", 0)
    answers(tmp_path, make_operation())
    talked.run("run", "memory-miner", "--apply")
    assert SUPPLIER in titles(talked)
    assert "third pot" in titles(talked) + talked.read("MEMORY.md")
