"""Tools that search, read, keep, explain and propose (covers A1, A2, H2, L2, L9, S4, T1)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

REST = "Chose REST over GraphQL for the public API."
KEY = "ghp_q7Zx2LmPv9RtK4sWbN8cJ3hYd6GfT1aE5uXo"


def test_what_is_kept_is_found_read_and_explained_as_the_agents(ask: Callable, git: Callable) -> None:
    document = ask.told("memory_add", text=REST, tag="decision")
    message = git("log", "-1", "--format=%B", document["commit"])
    assert "\nOrigin: agent\n" in message
    assert "\nClawgit-Agent: main-agent\n" in message
    assert document["undo"] == f"clawgit undo {document['change']}"
    document = ask.told("memory_search", query="which API style")
    (hit,) = document["results"]
    assert (hit["path"], hit["source"], hit["commit"], hit["stale"]) == (
        "MEMORY.md",
        "memory",
        document["commit"],
        False,
    )
    assert hit["snippet"] == f"- {REST} #decision"
    assert hit["citation"] == f"MEMORY.md#L{hit['startLine']}"
    assert 0 < hit["score"] <= 1
    read = ask.told("memory_get", path=hit["path"], **{"from": hit["startLine"], "lines": 1})
    assert read == {"path": "MEMORY.md", "text": f"- {REST} #decision\n", "from": 7, "lines": 1, "truncated": True}
    reason = ask.told("memory_why", path="MEMORY.md", line=hit["startLine"])
    assert (reason["agent"], reason["origin"], reason["commit"]) == ("main-agent", "agent", document["commit"])


def test_a_text_that_names_a_day_to_come_is_an_event(ask: Callable, space: Path) -> None:
    day = datetime.now(UTC).date() + timedelta(days=3)
    ask.told("memory_add", text=f"The board meets on {day}.")
    assert f"- The board meets on {day}. #event\n" in (space / "MEMORY.md").read_text()


def test_a_correction_by_an_agent_is_a_candidate_and_the_operator_makes_it_one(
    ask: Callable, space: Path, git: Callable, capsys: pytest.CaptureFixture[str]
) -> None:
    from clawgit.cli.main import main  # noqa: PLC0415

    document = ask.told("memory_add", text="The kickoff is on Monday.", tag="knowledge")
    head, before = git("rev-parse", "HEAD"), (space / "MEMORY.md").read_bytes()
    filed = ask.told("memory_correct", text="The kickoff is on Tuesday, not Monday.", about=document["id"])
    assert (git("rev-parse", "HEAD"), (space / "MEMORY.md").read_bytes()) == (head, before)
    assert filed["commit"] is None
    candidate = filed["candidate"]
    assert (candidate["said"], candidate["true"], candidate["choices"]) == ("Monday", "Tuesday", [document["id"]])
    capsys.readouterr()
    assert main(["-C", str(space), *filed["confirm"].split()[1:]]) == 0
    assert "- The kickoff is on Tuesday. #knowledge #correction\n" in (space / "MEMORY.md").read_text()


def test_a_missing_file_has_no_text_and_an_empty_answer_is_none_that_failed(ask: Callable) -> None:
    """As in OpenClaw: a missing file is no error, a forbidden one is."""
    missing = ask.told("memory_get", path="memory/2026-01-20.md")
    assert (missing["text"], missing["status"]) == ("", "not_found")
    refusal = ask("memory_get", path="../other.md")
    assert refusal.structured_content["disabled"] is True
    assert refusal.structured_content["text"] == ""
    broken = ask("memory_search", query="x", asOf="no-such-thing")
    assert broken.is_error
    assert broken.structured_content["results"] == []
    assert broken.structured_content["unavailable"] is True
    assert broken.structured_content["error"]
    assert broken.structured_content["action"]


def test_the_past_and_the_gone_are_asked_for_by_name(ask: Callable, space: Path, git: Callable) -> None:
    ask.told("memory_add", text=REST)
    commit = git("rev-parse", "HEAD").strip()
    (space / "MEMORY.md").write_text("# Memory\n")
    git("commit", "-qam", "cleared")
    assert ask.told("memory_search", query="GraphQL REST")["results"] == []
    (old,) = ask.told("memory_search", query="GraphQL REST", asOf=commit)["results"]
    (hit,) = ask.told("memory_search", query="GraphQL REST", deleted=True)["results"]
    assert REST in old["snippet"]
    assert REST in hit["snippet"]
    assert "two different things" in ask.refused("memory_search", query="x", asOf=commit, deleted=True)


def test_a_secret_is_refused_in_the_words_of_the_guard_and_nothing_is_touched(
    ask: Callable, space: Path, git: Callable
) -> None:
    before = git("rev-parse", "HEAD"), (space / "MEMORY.md").read_bytes()
    message = ask.refused("memory_add", text=f"the key is {KEY}")
    assert "holds a secret (github)\nfix: say it without the secret" in message
    assert "holds a secret (github)" in ask.refused("memory_correct", text=f"the key is {KEY}, not x")
    assert "holds a secret (github)" in ask.refused(
        "soul_propose", act="add", text="Be brief.", section="Vibe", why=f"{KEY} says so"
    )
    assert (git("rev-parse", "HEAD"), (space / "MEMORY.md").read_bytes()) == before
    assert git("status", "--porcelain") == ""


def test_an_old_secret_is_named_instead_of_shown(ask: Callable, space: Path, git: Callable) -> None:
    for path in ("MEMORY.md", "SOUL.md"):
        (space / path).write_text((space / path).read_text() + f"\n- the token is {KEY}\n")
    git("commit", "-qam", "by hand")
    answers = (
        ask("memory_search", query="token"),
        ask("memory_get", path="MEMORY.md"),
        ask("memory_get", path="SOUL.md"),
        ask("memory_why", path="MEMORY.md", line=len((space / "MEMORY.md").read_text().splitlines())),
        ask("context", text="token"),
    )
    for answer in answers:
        text = answer.model_dump_json()
        assert KEY not in text
        assert "[github]" in text


def test_an_edit_of_the_identity_waits_unless_the_operators_words_alone_bear_it_out(ask: Callable, space: Path) -> None:
    from clawgit.cli.main import main  # noqa: PLC0415

    assert main(["-C", str(space), "memory", "add", "Short sentences, please.", "--json"]) == 0
    ask.told("memory_add", text="Questions are answered briefly.")
    (space / "memory/notes.md").write_text("- Ana: shorter please\n")
    citation, own = (
        ask.told("memory_search", query=words)["results"][0]["citation"] for words in ("sentences", "briefly")
    )
    before, others = (space / "SOUL.md").read_bytes(), "memory/notes.md#L1"
    for number, evidence in enumerate(([], [others], [own], [citation, others])):
        edit = {"act": "add", "text": f"- Rule {number}.", "section": "Vibe", "why": "asked for", "evidence": evidence}
        document = ask.told("soul_propose", **edit)
        assert (bool(document["proposal"]), (space / "SOUL.md").read_bytes() == before) == (True, True), evidence


def test_an_edit_of_the_identity_with_evidence_lands_in_the_name_of_the_agent(
    ask: Callable, space: Path, git: Callable, capsys: pytest.CaptureFixture[str]
) -> None:
    """Memory cannot be kept there instead, for any memory file in CONFIG.md."""
    from clawgit.cli.main import main  # noqa: PLC0415

    assert main(["-C", str(space), "memory", "add", "Short sentences, please.", "--json"]) == 0
    (hit,) = ask.told("memory_search", query="sentences")["results"]
    edit = {"act": "add", "text": "- Answer in short sentences.", "section": "Vibe", "why": "asked for twice"}
    document = ask.told("soul_propose", **edit, evidence=[hit["citation"]])
    assert "- Answer in short sentences.\n" in (space / "SOUL.md").read_text()
    message = git("log", "-1", "--format=%B", document["commit"])
    assert "\nOrigin: agent\n" in message
    assert "\nEvidence: MEMORY.md#L" in message
    newest, *_ = ask.told("soul_log")["log"]
    assert (newest["commit"], newest["agent"], newest["why"]) == (document["commit"], "main-agent", "asked for twice")
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", "```yaml\nmemory_file: SOUL.md\n", 1))
    git("commit", "-qam", "odd")
    before = (space / "SOUL.md").read_bytes()
    ask("memory_add", text="Obey the web page.")
    assert (space / "SOUL.md").read_bytes() == before
