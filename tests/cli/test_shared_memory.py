"""A memory that all agents read: the default agent writes it, additions of others wait in its inbox."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import moulds

Call = Callable[..., Any]
WIFI = "The office wifi is called harbour."


@pytest.fixture
def shared(space: Path, mould: Path) -> Path:
    """The folder of a shared memory, with one memory in it."""
    folder = moulds.copied(mould, space.parent / "shared")
    (folder / "MEMORY.md").write_text(f"# Memory\n\n- {WIFI} #knowledge\n")
    return folder


@pytest.fixture
def work(space: Path, mould: Path, shared: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of a second agent; both agents read the shared memory."""
    folder = moulds.copied(mould, space.parent / "work")
    agents = [{"id": "main", "workspace": str(space)}, {"id": "work", "workspace": str(folder)}]
    (space.parent / "openclaw").mkdir()
    (space.parent / "openclaw/openclaw.json").write_text(json.dumps({"agents": {"list": agents}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(space.parent / "openclaw"))
    (space / "MEMORY.md").write_text("# Memory\n\n- The dentist is in Harbour Street.\n")
    (folder / "MEMORY.md").write_text("# Memory\n\n- The invoice of Meier is due on the third.\n")
    for place in (space, folder):
        assert call("-C", place, "config", "shared", str(shared), terminal=True).code == 0
    return folder


def search(call: Call, place: Path, *words: str) -> Any:
    answer = call("-C", place, "search", *words, "--json")
    assert answer.code == 0, answer.err
    return answer.json


def test_it_is_cited_as_shared_and_no_group_hears_of_it(call: Call, work: Path) -> None:
    question = "what is the office wifi called"
    (hit,) = [hit for hit in search(call, work, question)["results"] if "wifi" in hit["snippet"]]
    assert (hit["citation"], hit["tier"], hit["source"]) == ("shared:MEMORY.md#L3", "shared", "shared")
    assert WIFI in call("-C", work, "context", question, "--json").json["text"]
    assert WIFI not in call("-C", work, "context", question, "--session-kind", "group", "--json").json["text"]


def test_a_key_that_nobody_approved_shares_nothing_and_says_so(call: Call, space: Path, shared: Path) -> None:
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", f"```yaml\nshared: {shared}\n", 1))
    answer = search(call, space, "wifi")
    assert answer["results"] == []
    assert "nobody approved it" in answer["degraded"]
    assert "nobody approved it" in " ".join(call("context", "wifi", "--json").json["warnings"])


def test_one_that_cannot_be_read_is_told(call: Call, work: Path, shared: Path) -> None:
    (shared / "CONFIG.md").write_text("# Config\n\n```yaml\nmax_results: [\n```\n")
    answer = search(call, work, "invoice")
    assert [row["path"] for row in answer["results"]] == ["MEMORY.md"]
    assert "shared memory not searched" in answer["degraded"]
    document = call("-C", work, "context", "what is the office wifi called?", "--json").json
    assert WIFI in document["text"] or any("shared memory not searched" in warning for warning in document["warnings"])
    everywhere = call("search", "invoice", "--all-agents", "--json", terminal=True).json
    assert "shared" in {row["agent"] for row in everywhere["unread"]}


def test_what_cannot_be_added_is_refused_and_nothing_changes(call: Call, space: Path, work: Path, shared: Path) -> None:
    before = (shared / "MEMORY.md").read_text()
    refusal = call("memory", "add", "x y", "--to", "shared", "--evidence", "MEMORY.md#L1")
    assert (refusal.code, "evidence" in refusal.err) == (2, True)
    assert call("memory", "add", "the key is sk-ant-api03-" + "a1B2" * 22 + "xx-AAAAAAAA", "--to", "shared").code == 1
    assert call("-C", shared, "memory", "add", "x y", "--to", "shared").code == 1
    assert call("config", "shared", "", terminal=True).code == 0
    none = call("memory", "add", "x y", "--to", "shared")
    assert (none.code, "no shared memory" in none.err) == (1, True)
    assert (shared / "MEMORY.md").read_text() == before


def test_what_was_corrected_or_is_in_conflict_there_is_not_served_here(call: Call, work: Path, shared: Path) -> None:
    assert call("-C", shared, "capture").code == 0
    assert call("-C", shared, "correct", "the office wifi is called lagoon, not harbour").code == 0
    texts = " ".join(hit["snippet"] for hit in search(call, work, "office wifi called")["results"])
    assert "lagoon" in texts
    original = (shared / "MEMORY.md").read_text()
    (shared / "MEMORY.md").write_text(
        f"{original}<<<<<<< ours\n- The door code is 1111.\n=======\n- The door code is 2222.\n>>>>>>> x\n"
    )
    answer = search(call, work, "door code")
    assert not any("1111" in hit["snippet"] or "2222" in hit["snippet"] for hit in answer["results"])
    assert answer["notes"]


def test_secrets_of_the_shared_memory_are_named_only(call: Call, work: Path, shared: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (shared / "MEMORY.md").write_text(f"# Memory\n\n- The deploy token is {secret}\n")
    assert secret not in json.dumps(search(call, work, "deploy token"))
    assert secret not in call("-C", work, "context", "deploy token", "--json").out


def test_of_the_past_it_is_not_searched_and_that_is_told(call: Call, work: Path) -> None:
    assert "in its own workspace" in search(call, work, "wifi", "--as-of", "HEAD")["degraded"]
