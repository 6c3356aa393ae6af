"""`clawgit search` with a model, and in sessions."""

import errno
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from clawgit.llm import voices
from clawgit.llm.asking import Asked, Said
from clawgit.llm.model import ModelError
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.store import entry_table
from clawgit.workspace.workspace import open_workspace


def answering(monkeypatch: pytest.MonkeyPatch, reply: Said) -> list[str]:
    """Have a model that answers this; return the questions to it."""
    questions: list[str] = []

    def say(request: Asked) -> Said:
        questions.append(request.material)
        return reply

    monkeypatch.setattr(voices, "find_voice", lambda *_: SimpleNamespace(name="scripted", say=say))
    return questions


def test_other_words_of_a_model_find_more(call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (space / "MEMORY.md").write_text("- Ana drinks Darjeeling.\n- The car is red.\n")
    words = '<think>Tea?</think>- Darjeeling tea\n2nd hot beverage\n"Ana drinks"\nfourth\n'
    questions = answering(monkeypatch, Said(words))
    answer = call("search", "hot beverage", "--smart", "--json")
    assert questions == ["hot beverage"]
    (hit,) = answer.json["results"]
    assert hit["snippet"] == "- Ana drinks Darjeeling."


def test_a_model_that_fails_leaves_the_plain_answer(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ModelError("test", "nobody is there")

    (space / "MEMORY.md").write_text("- Ana drinks tea.\n")
    assert "none is set up" in call("search", "tea", "--smart").err
    monkeypatch.setattr(voices, "find_voice", fails)
    answer = call("search", "tea", "--smart")
    assert "nobody is there" in answer.err
    assert "Ana drinks tea" in answer.out


def test_sessions_are_searched_where_they_are_wanted(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def event(name: str, parent: str | None, text: str, **fields: Any) -> Event:
        record = {"role": "user", "origin": "operator", **fields}
        return Event(name, parent, 100, 1_770_000_000.0, text=text, digest=hash_words(record["role"], text), **record)

    with open_workspace(space) as workspace, chat_store.open_chat_store(workspace.store, {}) as store:
        session = Session("s1", "main", "agent:main:main", "direct", "telegram", 100.0)
        store.meet(session)
        records = [
            event("a", None, "When does the zeppelin leave?"),
            event("b", "a", "The zeppelin leaves at nine.", role="assistant", origin="agent"),
            event("c", "b", "zeppelin timetable", role="tool", origin="untrusted"),
        ]
        store.take(session, "file", records, "x", {})
    assert call("search", "zeppelin", "--json").json["results"] == []
    assert call("config", "sources", "[memory, sessions]").code == 0
    hits = call("search", "zeppelin", "--json").json["results"]
    assert {(hit["path"], hit["source"], hit["snippet"]) for hit in hits} == {
        ("sessions/main/s1", "sessions", "user: When does the zeppelin leave?"),
        ("sessions/main/s1", "sessions", "assistant: The zeppelin leaves at nine."),
    }
    assert call("memory", "status", "--json").json["fresh"]
    with monkeypatch.context() as full:
        full.setattr(entry_table, "make_index", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        answer = call("search", "zeppelin", "--json").json
    assert (answer["results"], "without conversations" in answer["degraded"]) == ([], True)
    assert call("config", "sources", "[memory]").code == 0
    assert call("search", "zeppelin", "--json").json["results"] == []


def test_files_from_elsewhere_are_searched_once_the_operator_trusts_them(
    call: Callable, space: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes/deep").mkdir(parents=True)
    (tmp_path / "notes/deep/one.md").write_text("- the zeppelin leaves at nine\n- the zeppelin is late #superseded\n")
    for name in ("notes/.hidden.md", "notes/one.txt", "zeppelin.md"):
        (tmp_path / name).write_text("- a zeppelin too\n")
    (tmp_path / "notes/link.md").symlink_to(tmp_path / "zeppelin.md")
    (space / "CONFIG.md").write_text(f"```yaml\nextra_paths: ['{tmp_path}/notes']\n```\n")
    assert call("search", "zeppelin", "--json").json["results"] == []
    assert call("trust", "--hash", call("trust", "--json").json["hash"], terminal=True).code == 0
    (hit,) = call("search", "zeppelin", "--json").json["results"]
    assert (hit["path"], hit["commit"], hit["source"]) == (f"{tmp_path}/notes/deep/one.md", None, "memory")
    assert call("memory", "status", "--json").json["fresh"]
