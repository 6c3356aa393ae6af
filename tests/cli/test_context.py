"""`clawgit context` prints what an agent should know, and says what it left out."""

from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = ["identity", "profile", "corrections", "due", "recent", "recall", "crm", "longterm", "external"]


@pytest.fixture
def filled(space: Path, inside: Callable) -> Path:
    """A workspace with a few memories, committed."""
    (space / "MEMORY.md").write_text("# Memory\n\n- Chose REST over GraphQL for the API. #decision\n")
    (space / "memory/2026-05-12.md").write_text("# 2026-05-12\n\n- Deploy moved to Tuesday.\n")
    inside("add", "-A")
    inside("commit", "-qm", "memory: the deploy day")
    return space


def test_the_document_has_the_text_and_the_receipt(call: Callable, filled: Path) -> None:
    found = call("context", "when is the deploy?", "--json").json
    assert {"text", "tokens", "budget", "slots", "warnings"} <= set(found)
    assert [one["name"] for one in found["slots"]] == NAMES
    assert set(found["slots"][0]) == {"name", "asked", "given", "stolen", "kept", "cut", "sources"}
    assert "Deploy moved to Tuesday." in found["text"]
    assert found == call("context", "when is the deploy?", "--format", "json").json


def test_the_text_is_the_answer_and_the_receipt_fits_eighty_columns(call: Callable, filled: Path) -> None:
    plain = call("context", "when is the deploy?")
    assert (plain.code, plain.err) == (0, "")
    told = call("context", "-", "--receipt", stdin=b"when is the deploy?")
    assert told.out.startswith(plain.out)
    receipt = told.out[len(plain.out) :]
    assert "kept" in receipt
    assert max(map(len, receipt.split("\n"))) <= 80


def test_in_openclaws_layout_its_files_come_first_in_its_order(call: Callable, filled: Path) -> None:
    out = call("context", "when is the deploy?", "--format", "openclaw").out
    assert out.startswith("# Project Context\n\nThe following project context files have been loaded:\n")
    heads = [row for row in out.split("\n") if row.startswith(f"## {filled}")]
    assert heads == [f"## {filled}/{name}" for name in ("SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")]
    assert "Deploy moved" in out
    (filled / "USER.md").write_text("# User\n\n" + "- Likes it when a line is whole.\n" * 300)
    long = call("context", "--format", "openclaw", "--budget", "30000").out
    assert "[...truncated, read USER.md for full content...]" in long
    assert long.count("- Likes it when a line is whole.\n") < 125


@pytest.mark.parametrize("budget", [20, 200, 700])
def test_the_budget_holds_in_openclaws_layout(call: Callable, filled: Path, budget: int) -> None:
    from clawgit.text.tokens import count_at_most  # noqa: PLC0415 - beside its use

    out = call("context", "when is the deploy?", "--format", "openclaw", "--budget", str(budget)).out
    assert count_at_most(out) <= budget


def test_a_session_is_gone_by_as_it_was_kept(call: Callable, filled: Path, tmp_path: Path) -> None:
    begun = '"id":"5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11","timestamp":"2026-05-04T08:00:00Z"'
    said = '{"role":"user","content":"when is the next deploy of ours?","timestamp":1777881605120}'
    message = f'{{"type":"message","id":"a1b2c3d4","parentId":null,"message":{said}}}'
    place = tmp_path / "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11.jsonl"
    place.write_text(f'{{"type":"session","version":3,{begun}}}\n{message}\n')
    assert call("session", "import", place).code == 0
    assert "Deploy moved to Tuesday." in call("context", "--session", "5b0f").out
    assert call("context", "--session", "77").code == 1
