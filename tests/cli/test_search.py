"""`clawgit search`, `memory search|index|status|story`."""

from collections.abc import Callable
from pathlib import Path

import pytest

FIELDS = {"path", "startLine", "endLine", "score", "snippet", "source", "citation", "tier", "commit", "date", "stale"}


@pytest.fixture
def filled(space: Path, inside: Callable) -> Path:
    """A workspace with a few memories, committed."""
    (space / "MEMORY.md").write_text(
        "# Memory\n\n- Chose REST over GraphQL for the API. #decision\n- Ana drinks tea.\n"
    )
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-05-12.md").write_text("# 2026-05-12\n\n- Deploy moved to Tuesday.\n")
    inside("add", "-A")
    inside("commit", "-qm", "memory: the deploy day")
    return space


def test_the_document_has_openclaws_names(call: Callable, filled: Path, inside: Callable) -> None:
    document = call("search", "when is the deploy", "--json").json
    (hit, *_) = document["results"]
    assert set(hit) == FIELDS
    assert (hit["path"], hit["startLine"], hit["endLine"], hit["source"]) == ("memory/2026-05-12.md", 3, 3, "memory")
    assert (hit["citation"], hit["tier"], hit["date"]) == ("memory/2026-05-12.md#L3", "T2", "2026-05-12")
    assert hit["commit"] == document["commit"] == inside("rev-parse", "HEAD").strip()
    assert {name: document[name] for name in ("provider", "model", "mode", "degraded")} == {
        "provider": "clawgit",
        "model": None,
        "mode": "core",
        "degraded": None,
    }


def test_the_question_is_an_argument_an_option_or_stdin(call: Callable, filled: Path) -> None:
    assert "--category" in call("search", "tea", "--category", "nowhere").err
    answers = [call("search", "tea"), call("search", "--query", "tea"), call("search", "-", stdin=b"tea\n")]
    assert len({answer.out for answer in answers}) == 1
    assert call("search").code == 2
    assert call("search", "tea", "--query", "coffee").code == 2
    assert call("search", "tea", "--as-of", "HEAD", "--deleted").code == 2
    assert call("search", "tea", "--agent", "main", "--all-agents").code == 2


def test_bounds_hostile_words_and_missing_vectors_leave_an_answer(call: Callable, filled: Path) -> None:
    assert len(call("search", "ana deploy api", "--top", "1", "--json").json["results"]) == 1
    assert len(call("search", "ana deploy api", "--max-results", "2", "--json").json["results"]) == 2
    everything = call("search", "ana deploy api", "--min-score", "0", "--json").json["results"]
    sure = call("search", "ana deploy api", "--min-score", "0.99", "--json").json["results"]
    assert len(sure) < len(everything)
    for question in ("' OR 1=1; DROP TABLE docs --", "NEAR(a b)", '"', "-" * 50, "\u202edeploy"):
        assert call("search", "--query", question).code == 0
    answer = call("search", "deploy", "--tier", "enhanced", "--json")
    assert (answer.code, answer.json["mode"], bool(answer.json["results"])) == (0, "core", True)
    assert answer.json["degraded"]


def test_then_gone_and_their_story(call: Callable, filled: Path, inside: Callable) -> None:
    (filled / "memory/2026-05-12.md").write_text("# 2026-05-12\n\n- Deploy moved to Friday.\n- Bo moved to Ulm.\n")
    (filled / "MEMORY.md").write_text("# Memory\n\n- Chose REST over GraphQL for the API. #decision\n")
    (filled / "memory/drinks.md").write_text("* Ana drinks tea.\n")
    inside("add", "-A")
    inside("commit", "-qm", "memory: another day")
    assert "Tuesday" in call("search", "deploy", "--as-of", "HEAD~1").out
    assert "Tuesday" in call("search", "deploy", "--deleted").out
    assert "Tuesday" not in call("search", "deploy").out
    assert call("search", "ulm", "--as-of", "HEAD~1", "--json").json["results"] == []
    assert call("search", "ana tea", "--deleted", "--json").json["results"] == []
    assert call("search", "deploy", "--as-of", "1999-01-01").code == 1
    rows = call("memory", "story", "deploy moved", "--json").json
    assert [row["subject"] for row in rows] == ["memory: another day", "memory: the deploy day"]
    assert "- - Deploy moved to Tuesday." in call("memory", "story", "deploy moved").out
    inside("reset", "-q", "--hard", "HEAD~1")  # a history that was rewritten is read anew
    assert call("search", "deploy", "--deleted", "--json").json["results"] == []


def test_index_and_status_tell_how_it_stands(call: Callable, filled: Path) -> None:
    assert call("memory", "status", "--json").json["fresh"] is False
    built = call("memory", "index", "--json").json
    assert (built["fresh"], built["chunks"] > 2, built["search_tier"], built["embedder"]) == (True, True, "core", None)
    assert built == call("memory", "status", "--json").json
    assert built["tiers"]["T2"] == 1
    (filled / "MEMORY.md").write_text("- other\n")
    assert call("memory", "status", "--json").json["changed"] == ["MEMORY.md"]
    assert call("memory", "index", "--force", "--json").json["fresh"] is True


def test_a_slip_of_a_word_is_repaired_and_told(call: Callable, filled: Path) -> None:
    assert "drinks" in call("search", "what drinsk").err
    (filled / "MEMORY.md").write_text("# Memory\n\n- Geraldine lives in Cork.\n")
    assert "geraldine" in call("search", "where does Gerladine live").err


def test_a_reworded_line_comes_back_and_later_lines_stay(call, space):
    memory = space / "MEMORY.md"
    memory.write_text("# Memory\n\n- The hint is the name of the first cat.\n- Bob likes tea.\n")
    call("capture")
    memory.write_text("# Memory\n\n- The hint is the second cat.\n- Bob likes tea.\n")
    call("capture")
    memory.write_text(memory.read_text() + "- Ana flies to Rome.\n")
    call("capture")
    (hit,) = call("search", "name of the first cat", "--deleted", "--json").json["results"]
    call(*hit["restore"].split()[1:])
    assert memory.read_text() == (
        "# Memory\n\n- The hint is the name of the first cat.\n- Bob likes tea.\n- Ana flies to Rome.\n"
    )


def test_a_deletion_that_is_not_committed_is_found_among_deleted_lines(call: Callable, filled: Path) -> None:
    place = filled / "MEMORY.md"
    assert call("search", "tea", "--deleted", "--json").json["results"] == []
    place.write_text(place.read_text().replace("- Ana drinks tea.\n", ""))
    (hit,) = call("search", "tea", "--deleted", "--json").json["results"]
    assert (hit["path"], "Ana drinks tea." in hit["snippet"], "REST" in hit["snippet"]) == ("MEMORY.md", True, False)
    assert call("search", "REST", "--deleted", "--json").json["results"] == []


def test_a_line_is_committed_whatever_else_of_its_file_was_edited(call: Callable, filled: Path) -> None:
    (filled / "MEMORY.md").write_text((filled / "MEMORY.md").read_text() + "\n## Later\n\n- Ana drinks juice.\n")
    hits = call("search", "Ana drinks", "--json").json["results"]
    assert {hit["snippet"]: hit.get("committed", False) for hit in hits} == {
        "- Ana drinks tea.": True,
        "- Ana drinks juice.": False,
    }
    assert call("search", "Ana drinks").out.count("not committed") == 1


def test_the_prompts_of_clawgits_readers_are_named_to_nobody(call: Callable, filled: Path) -> None:
    for path in ("agents/lessons/SOUL.md", "AGENTS.md"):
        place = filled / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("# Rules\n\nA zeppelin is named by its yard.\n")
        call("capture")
        assert (f"{path}:" in call("search", "which zeppelin?").err) == (path == "AGENTS.md")
