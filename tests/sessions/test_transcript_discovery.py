"""Transcripts are found where OpenClaw keeps them, and nothing else is."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.sessions import transcript_discovery
from clawgit.workspace.host.host import Host

NAME = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
TAKEN = {
    f"{NAME}.jsonl": "file",
    f"{NAME}-topic-42.jsonl": "file:topic-42",
    f"{NAME}.jsonl.reset.2026-03-01T10-20-30.123Z": "reset.2026-03-01T10-20-30.123Z",
    f"{NAME}.jsonl.deleted.2026-03-01T10-20-30.123Z": "deleted.2026-03-01T10-20-30.123Z",
    f"{NAME}.jsonl.deleted.2026-03-02T10-20-30.123Z.zst": "deleted.2026-03-02T10-20-30.123Z",
}
LEFT = [
    "sessions.json",
    "sessions.json.bak.1",
    f"{NAME}.checkpoint.7.jsonl",
    f"{NAME}.jsonl.bak.1",
    f"{NAME}.jsonl.lock",
    f"{NAME}.jsonl.tmp",
    f"{NAME}.trajectory.jsonl",
    ".hidden.jsonl",
    "notes.txt",
]


def fill(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("")


def test_each_transcript_is_told_by_session_and_stream(tmp_path):
    fill(tmp_path / "agents/main/sessions", [*TAKEN, *LEFT])
    found = list(transcript_discovery.at(tmp_path))
    assert {one.path.name: one.stream for one in found} == TAKEN
    assert {(one.session, one.agent) for one in found} == {(NAME, "main")}
    assert {one.path.name for one in found if not one.final} == {f"{NAME}.jsonl", f"{NAME}-topic-42.jsonl"}


def test_the_database_comes_first_and_dumps_come_last(tmp_path):
    state = tmp_path / ".openclaw"
    fill(state / "agents/main/sessions", [f"{NAME}.jsonl"])
    fill(state / "agents/main/agent", [transcript_discovery.DATABASE])
    fill(state / "agents/left/sessions", [f"{NAME}.jsonl"])
    fill(state / "workspace/memory", ["2026-05-04-x.md"])
    host = Host({}, tmp_path)
    assert transcript_discovery.every_agent(host) == ("main", "left")
    found = list(transcript_discovery.of_host(host, ["main", "left"]))
    assert [(one.agent, one.form) for one in found] == [
        ("main", "database"), ("main", "jsonl"), ("main", "dump"), ("left", "jsonl")
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["", "agents/main", "agents/main/sessions", f"agents/main/sessions/{NAME}.jsonl"])
def test_any_folder_on_the_way_will_do(place, tmp_path):
    fill(tmp_path / "agents/main/sessions", [f"{NAME}.jsonl"])
    (found,) = transcript_discovery.at(tmp_path / place)
    assert (found.agent, found.session, found.stream) == ("main", NAME, "file")


def test_a_file_with_another_name_is_taken_at_its_word(tmp_path):
    fill(tmp_path, ["talk.jsonl.old"])
    (found,) = transcript_discovery.at(tmp_path / "talk.jsonl.old")
    assert (found.agent, found.session) == ("", "talk")


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_what_is_not_there_is_a_slip(name, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ClawgitError):
        list(transcript_discovery.at(tmp_path / name))
