"""`clawgit search`, `memory search|index|status|story`."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.search import recall_log
from clawgit.store.database import StateStore

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


@pytest.mark.parametrize("command", [("search",), ("memory", "search")])
def test_the_document_has_openclaws_names(
    call: Callable, filled: Path, inside: Callable, command: tuple[str, ...]
) -> None:
    found = call(*command, "when is the deploy", "--json").json
    (hit, *_) = found["results"]
    assert set(hit) == FIELDS
    assert (hit["path"], hit["startLine"], hit["endLine"], hit["source"]) == ("memory/2026-05-12.md", 3, 3, "memory")
    assert (hit["citation"], hit["tier"], hit["date"]) == ("memory/2026-05-12.md#L3", "T2", "2026-05-12")
    assert hit["commit"] == found["commit"] == inside("rev-parse", "HEAD").strip()
    assert {name: found[name] for name in ("provider", "model", "mode", "degraded")} == {
        "provider": "clawgit",
        "model": None,
        "mode": "core",
        "degraded": None,
    }


def test_people_see_where_when_and_the_words(call: Callable, filled: Path) -> None:
    answer = call("search", "deploy")
    assert answer.code == 0
    assert answer.out.startswith("memory/2026-05-12.md#L3  2026-05-12  ")
    assert "\n  - Deploy moved to Tuesday.\n" in answer.out
    assert "\x1b[1mDeploy\x1b[0m" in call("--color", "always", "search", "deploys").out


def test_nothing_found_is_an_answer(call: Callable, filled: Path) -> None:
    answer = call("search", "xqzzt")
    assert (answer.code, answer.out) == (0, "")
    assert "nothing found" in answer.err
    assert call("search", "xqzzt", "--json").json["results"] == []
    assert "or --deleted may find more" in answer.err
    assert "without --deleted looks at what stands" in call("search", "xqzzt", "--deleted").err


def test_the_question_is_an_argument_an_option_or_stdin(call: Callable, filled: Path) -> None:
    asked = [call("search", "tea"), call("search", "--query", "tea"), call("search", "-", stdin=b"tea\n")]
    assert len({answer.out for answer in asked}) == 1
    assert call("search").code == 2
    assert call("search", "tea", "--query", "coffee").code == 2
    assert call("search", "tea", "--as-of", "HEAD", "--deleted").code == 2
    assert call("search", "tea", "--agent", "main", "--all-agents").code == 2


def test_most_and_least_bound_the_answer(call: Callable, filled: Path) -> None:
    assert len(call("search", "ana deploy api", "--top", "1", "--json").json["results"]) == 1
    assert len(call("search", "ana deploy api", "--max-results", "2", "--json").json["results"]) == 2
    everything = call("search", "ana deploy api", "--min-score", "0", "--json").json["results"]
    sure = call("search", "ana deploy api", "--min-score", "0.99", "--json").json["results"]
    assert len(sure) < len(everything)


def test_configured_bounds_hold(call: Callable, filled: Path) -> None:
    assert call("config", "set", "max_results", "1").code == 0
    assert len(call("search", "ana deploy api", "--json").json["results"]) == 1
    assert call("config", "set", "max_results", "0").code == 2


def test_explain_and_verbose_say_more(call: Callable, filled: Path) -> None:
    (hit, *_) = call("search", "deploy", "--explain", "--json").json["results"]
    assert {"relevance", "keyword", "heading", "repeats"} <= set(hit["explain"])
    assert "keyword 1.0" in call("search", "deploy", "--explain").out
    assert "  2026-05-12\n  - Deploy" in call("search", "deploy", "--verbose").out


def test_enhanced_without_vectors_is_degraded_not_broken(call: Callable, filled: Path) -> None:
    answer = call("search", "deploy", "--tier", "enhanced", "--json")
    assert (answer.code, answer.json["mode"]) == (0, "core")
    assert answer.json["degraded"]
    assert answer.json["results"]


def test_then_gone_and_their_story(call: Callable, filled: Path, inside: Callable) -> None:
    (filled / "memory/2026-05-12.md").write_text("# 2026-05-12\n\n- Deploy moved to Friday.\n")
    inside("commit", "-qam", "memory: another day")
    assert "Tuesday" in call("search", "deploy", "--as-of", "HEAD~1").out
    assert "Tuesday" in call("search", "deploy", "--deleted").out
    assert "Tuesday" not in call("search", "deploy").out
    assert call("search", "deploy", "--as-of", "1999-01-01").code == 1
    told = call("memory", "story", "deploy moved", "--json").json
    assert [one["subject"] for one in told] == ["memory: the deploy day", "memory: another day"]
    assert "- - Deploy moved to Tuesday." in call("memory", "story", "deploy moved").out


def test_since_and_until_take_days_and_words(call: Callable, filled: Path) -> None:
    assert call("search", "deploy", "--since", "2026-05-01", "--json").json["results"]
    assert call("search", "deploy", "--until", "2026-05-01", "--json").json["results"] == []
    assert call("search", "deploy", "--since", "3 weeks ago").code == 0
    assert call("search", "deploy", "--since", "whenever").code == 2


def test_a_session_is_remembered_only_when_it_is_named(call: Callable, filled: Path) -> None:
    store = StateStore(filled / ".git/clawgit")
    call("search", "deploy")
    assert store.read_rows(recall_log.NAME, dict) == []
    call("search", "deploy", "--session", "s1")
    (row,) = store.read_rows(recall_log.NAME, dict)
    assert (row["session"], row["path"], row["start"]) == ("s1", "memory/2026-05-12.md", 3)


def test_index_and_status_tell_how_it_stands(call: Callable, filled: Path) -> None:
    assert call("memory", "status", "--json").json["fresh"] is False
    built = call("memory", "index", "--json").json
    assert (built["fresh"], built["chunks"] > 2, built["search_tier"], built["embedder"]) == (True, True, "core", None)
    assert built == call("memory", "status", "--json").json
    assert built["tiers"]["T2"] == 1
    (filled / "MEMORY.md").write_text("- other\n")
    assert call("memory", "status", "--json").json["changed"] == ["MEMORY.md"]
    assert call("memory", "index", "--force", "--json").json["fresh"] is True


def test_status_counts_the_files_of_each_tier_by_its_name(call: Callable, filled: Path) -> None:
    """As the description of the memory tiers shows it."""
    (filled / "IDENTITY.md").write_text("# Identity\n")
    shown = call("memory", "status").out
    assert "Soul Memory Tiers:\n  T0 Soul: 2 files\n  T1 Core: " in shown
    assert "\n  T2 Working: 1 file\n" in shown
    found = call("memory", "status", "--json").json
    assert found["tier_names"] == {"T0": "Soul", "T1": "Core", "T2": "Working"}
    assert found["tiers"]["T0"] == 2


def test_status_writes_nothing(call: Callable, filled: Path, photograph: Callable) -> None:
    before = photograph(), sorted((filled / ".git").rglob("*"))
    call("memory", "status")
    assert (photograph(), sorted((filled / ".git").rglob("*"))) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="a user without all rights; get it: run as another user than root")
def test_a_folder_that_cannot_be_written_still_answers(call: Callable, filled: Path) -> None:
    (filled / ".git/clawgit").chmod(0o500)
    answer = call("search", "deploy", "--json")
    (filled / ".git/clawgit").chmod(0o700)
    assert answer.json["results"]
    assert answer.json["degraded"]


def test_all_agents_are_asked(call: Callable, filled: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = filled.parent / "openclaw"
    state.mkdir()
    configured = {
        "agents": {"list": [{"id": "main", "workspace": str(filled)}, {"id": "second", "workspace": str(filled)}]}
    }
    (state / "openclaw.json").write_text(json.dumps(configured))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    found = call("search", "deploy", "--all-agents", "--json").json["results"]
    assert all((row["agent"], row["agents"]) == ("main", ["main", "second"]) for row in found)
    places = [row["citation"] for row in found]
    assert len(places) == len({*places})
    assert call("search", "deploy", "--agent", "second", "--json").json["results"]


def test_a_hostile_question_stays_words(call: Callable, filled: Path) -> None:
    for question in ("' OR 1=1; DROP TABLE docs --", "NEAR(a b)", '"', "-" * 50, "\u202edeploy"):
        assert call("search", "--query", question).code == 0
    assert call("search", "deploy", "--json").json["results"]


def test_bytes_that_are_no_text_are_refused(shell: Callable, filled: Path) -> None:
    assert shell("search", b"\xff\xfe").code == 2
