"""Search with vectors, from the command line: a real Chroma, and an endpoint that counts words."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests.search import embedders
from tests.search.embedders import serving

embedders.need_chroma()

import chromadb  # noqa: E402 - after what says that it is there

from clawgit.cli.main import main  # noqa: E402
from clawgit.outside.http_client import Patience  # noqa: E402
from clawgit.search import embedder, meaning, vectors  # noqa: E402
from clawgit.text.entry import entry_id, hash_entry  # noqa: E402
from clawgit.workspace import entries  # noqa: E402
from clawgit.workspace.entries import Row  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DOCTOR, STATION, CAR = "- The physician moved our appointment.", "- Met Ana at the station.", "- Bought an automobile."
MEMORY = (
    f"# Memory\n\n## Family\n\n{DOCTOR}\n- The feline sleeps in the wardrobe.\n\n"
    "## Work\n\n- Chose REST over GraphQL for the public API.\n- Deploys happen on Tuesdays.\n"
)
MANY = "".join(f"- Fact number {number} about topic{number}.\n" for number in range(200))
BUILD, KEY = "memory index", "sk-hidden-0123456789"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[embedders.Endpoint]:
    with serving(embedders.well(256)) as endpoint:
        monkeypatch.setenv(embedder.URL, endpoint.url)
        monkeypatch.setenv(embedder.KEY, KEY)
        yield endpoint


def list_embedded(server: embedders.Endpoint) -> list[str]:
    """Return the texts that were embedded since the last call."""
    texts = [text for _, _, body in server.calls for text in body["input"]]
    server.calls.clear()
    return texts


def config(root: Path, **values: object) -> None:
    lines = "".join(f"{name}: {value}\n" for name, value in {"embedder": "openai:m", **values}.items())
    (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\n{lines}```\n")


@pytest.fixture
def filled(write: Callable, commit: Callable, server: embedders.Endpoint) -> Path:
    root: Path = write({"MEMORY.md": MEMORY, "memory/2026-05-12.md": f"# 2026-05-12\n\n{STATION}\n"})
    config(root)
    commit()
    return root


@pytest.fixture
def call(filled: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a command on the workspace; return its document, or that of its error."""

    def act(*words: str, code: int = 0, root: Path = filled) -> Any:
        capsys.readouterr()
        returned = main(["-C", str(root), *words, "--json"])
        output, err = capsys.readouterr()
        assert returned == code, err
        assert KEY not in output + err
        return json.loads(output)

    return act


def words(answer: Any) -> list[str]:
    return [hit["snippet"] for hit in answer["results"]]


def cache(root: Path) -> Path:
    return root / ".git/clawgit/cache"


def test_from_nothing_to_an_answer(call: Callable, filled: Path) -> None:
    assert call("memory", "status")["search_tier"] == "core"
    before = call("search", "doctor")
    assert (before["mode"], before["results"]) == ("core", [])
    assert before["degraded"].startswith("vectors: ")
    assert BUILD in before["degraded"]
    built = call("memory", "index")
    assert [built[name] for name in ("search_tier", "embedder", "vectors", "fresh")] == [
        "enhanced",
        "openai:m",
        5,
        True,
    ]
    after = call("search", "doctor", "--explain")
    assert (after["mode"], after["provider"], after["model"], after["degraded"]) == ("enhanced", "openai", "m", None)
    assert after["results"][0]["snippet"] == DOCTOR
    assert after["results"][0]["explain"]["vector"] > 0
    scores = [1, *(hit["score"] for hit in after["results"]), 0]
    assert scores == sorted(scores, reverse=True)
    nonsense = call("search", "zxqv blorf wibble")
    assert (nonsense["mode"], nonsense["results"]) == ("enhanced", [])
    assert call("search", "doctor", "--tier", "core")["mode"] == "core"
    past = call("search", "deploys", "--tier", "enhanced", "--as-of", "HEAD")
    assert (past["mode"], len(past["results"]), "vectors" in past["degraded"]) == ("core", 1, True)
    assert KEY.encode() not in b"".join(place.read_bytes() for place in cache(filled).parent.glob("state.db*"))
    config(filled, search_tier="core")
    assert (call("search", "Ana")["mode"], call("search", "Ana")["degraded"]) == ("core", None)


def test_the_names_of_speakers_do_not_count_as_meaning(
    call: Callable, filled: Path, server: embedders.Endpoint
) -> None:
    turns = ("Hello there", "Hi, how are you", "My automobile broke down", "Oh no", "Yes, sadly", "Bye then")
    turns_text = (f"- {'Ana' if number % 2 else 'Tom'}: {turn}\n" for number, turn in enumerate(turns))
    (filled / "memory/talk.md").write_text("".join(turns_text))
    call("memory", "index")
    assert words(call("search", "Tom's car"))[0] == f"- Tom: {turns[2]}"
    call("search", "Tom")
    assert list_embedded(server)[-2:] == ["car", "Tom"]


def test_what_is_new_is_embedded_by_the_search_and_what_is_known_never_again(
    call: Callable, filled: Path, server: embedders.Endpoint
) -> None:
    call("memory", "index")
    list_embedded(server)
    (filled / "MEMORY.md").write_text(MEMORY.replace("physician", "plumber") + f"{CAR}\n")
    assert words(call("search", "car"))[0] == CAR
    new = [text.partition("\n")[2] for text in list_embedded(server) if "\n- " in text]
    assert sorted(new) == [CAR, DOCTOR.replace("physician", "plumber")]
    assert DOCTOR not in words(call("search", "doctor"))
    list_embedded(server)
    (filled / "memory/moved.md").write_text(MEMORY)
    (filled / "MEMORY.md").write_text("# Memory\n\n## Work\n\n- Deploys happen on Tuesdays.\n")
    call("memory", "index")
    assert [text.partition("\n")[2] for text in list_embedded(server)] == ["", DOCTOR]  # which was gone in between
    (filled / "memory/many.md").write_text(MANY)
    answer = call("search", "doctor")
    assert (answer["mode"], words(answer)[0]) == ("enhanced", DOCTOR)
    assert all(part in answer["degraded"] for part in ("136 of 205", BUILD))
    call("memory", "index")
    assert call("search", "doctor")["degraded"] is None


def test_a_slow_folder_is_not_taken_for_a_damaged_one(
    call: Callable, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("memory", "index")
    monkeypatch.setattr(meaning, "_ASKED_SECONDS", 0.001)
    answer = call("search", "doctor")
    assert (answer["mode"], words(answer)[0]) == ("enhanced", DOCTOR)


def test_a_workspace_without_a_word_has_an_index_too(call: Callable, filled: Path) -> None:
    for path in ("MEMORY.md", "memory/2026-05-12.md"):
        (filled / path).unlink()
    call("memory", "index")
    assert call("search", "doctor")["results"] == []
    (filled / "MEMORY.md").write_text(MEMORY)
    assert words(call("search", "doctor"))[0] == DOCTOR


def test_another_model_is_noticed_and_built_anew(call: Callable, filled: Path, server: embedders.Endpoint) -> None:
    call("memory", "index")
    config(filled, embedder="openai:letters")
    server.replies = [embedders.well(128)]
    answer = call("search", "Ana")
    assert (answer["mode"], words(answer)) == ("core", [STATION])
    assert all(part in answer["degraded"] for part in ("openai:m", "openai:letters", BUILD))
    call("memory", "index")
    assert words(call("search", "doctor"))[0] == DOCTOR


KILLED = """
import sys, time
from clawgit.cli.main import main
from clawgit.search import meaning
put = meaning.embed_rows
def slowly(*given):
    done = put(*given)
    print("put", flush=True)
    time.sleep(30)
    return done
meaning.embed_rows = slowly
main(["-C", sys.argv[1], "memory", "index", "--json"])
"""


def test_a_build_killed_in_the_middle_of_chroma_is_made_whole(
    call: Callable, filled: Path, server: embedders.Endpoint
) -> None:
    (filled / "memory/many.md").write_text(MANY)
    with subprocess.Popen([sys.executable, "-c", KILLED, filled], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        assert process.stdout.readline() == b"put\n"
        locked = call("search", "Ana")
        with pytest.raises(vectors.LockedError), vectors.hold_vectors(cache(filled) / "chroma", 0):
            pass
        process.send_signal(signal.SIGKILL)
    assert (locked["mode"], words(locked)) == ("core", [STATION])
    answer = call("search", "Ana")
    assert (answer["mode"], BUILD in answer["degraded"]) == ("core", True)
    list_embedded(server)
    assert call("memory", "index")["vectors"] == 205
    assert not [text for text in list_embedded(server) if "Fact number" in text]
    before = words(call("search", "doctor appointment"))
    assert before[0] == DOCTOR
    shutil.rmtree(cache(filled))  # all of it may be deleted
    assert call("search", "Ana")["mode"] == "core"
    call("memory", "index")
    assert words(call("search", "doctor appointment")) == before


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (embedders.slow(30), "did not answer within 0.3 s"),
        (embedders.broken(float("nan")), "NaN"),
        (embedders.well(128), "256 numbers, not 128"),
        (None, "Connection refused"),
    ],
)
def test_whatever_an_endpoint_does_words_answer(
    call: Callable, server: embedders.Endpoint, monkeypatch: pytest.MonkeyPatch, reply: Any, reason: str
) -> None:
    monkeypatch.setattr(embedder, "HASTY", Patience(0.3, 1))
    call("memory", "index")
    if reply:
        server.replies = [reply]
    else:
        monkeypatch.setenv(embedder.URL, "http://127.0.0.1:9/v1")
    answer = call("search", "Ana")
    assert (answer["mode"], words(answer)) == ("core", [STATION])
    assert reason in answer["degraded"]


def test_a_broken_endpoint_fails_the_build(call: Callable, server: embedders.Endpoint) -> None:
    server.replies = [embedders.failing(401)]
    error = call("memory", "index", code=1)
    assert error["key"] == "embedder-refused"
    assert error["fix"].startswith(f"export {embedder.KEY}=")


def test_workspaces_share_a_server_of_chroma_and_nothing_else(
    call: Callable, filled: Path, server: embedders.Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, shared_folder = tmp_path / "copy", tmp_path / "served"
    shutil.copytree(filled, other)
    (other / "MEMORY.md").write_text(f"{CAR}\n")
    shared_folder.mkdir()
    with embedders.chroma_server(shared_folder) as url:
        monkeypatch.setenv(vectors.URL, url)
        for root in (filled, other):
            call("memory", "index", root=root)
        mine, theirs = (call("search", "doctor car", root=root) for root in (filled, other))
        assert (mine["mode"], words(mine)[0]) == ("enhanced", DOCTOR)
        assert (theirs["mode"], words(theirs)[0]) == ("enhanced", CAR)
        dog = "- Our new canine barks."
        (filled / "MEMORY.md").write_text(f"{MEMORY}{dog}\n")
        assert words(call("search", "dog"))[0] == dog
        list_embedded(server)
        call("memory", "index", "--force")
        assert DOCTOR in "".join(list_embedded(server))
        monkeypatch.delenv(vectors.URL)
        elsewhere = call("search", "dog")
        assert (elsewhere["mode"], BUILD in elsewhere["degraded"]) == ("core", True)
        monkeypatch.setenv(vectors.URL, url)
    assert not (cache(filled) / "chroma").exists()
    answer = call("search", "Ana")
    assert (answer["mode"], bool(answer["results"])) == ("core", True)
    assert url.removeprefix("http://") in answer["degraded"]
    assert call("memory", "index", code=1)["key"] == "vectors-unavailable"


BOILER, PLUMBER, REST = "The boiler pressure is 1.8 bar", "The plumber is called Imre", "We chose REST"
RECORD = "kmlnopqrst"
CORRECTIONS = (
    f"# Corrections\n\n## {RECORD} 2026-05-01 09:00\n\n- Said: 1.2\n- True: 1.8\n"
    f"- Entry was: The boiler pressure is 1.2 bar\n- Entry is: {BOILER}\n- Re-embedded: false\n"
)
ENTRIES = f"# Memory\n\n- {BOILER} #knowledge #correction\n- {PLUMBER} #knowledge\n- {REST} #decision\n"


def row(text: str, **fields: Any) -> Row:
    return Row(entry_id("MEMORY.md", text), "MEMORY.md", hash_entry(text), "knowledge", **fields)


CORRECTED = row(BOILER, confidence=1.0, last=date(2026, 5, 1), mentions=frozenset({"a"}), by=RECORD)
SEEN = row(PLUMBER, first=date(2026, 4, 28), last=date(2026, 4, 28), mentions=frozenset({"b"}))


@pytest.fixture
def workspace_with_entries(filled: Path) -> Path:
    """A correction, an entry that was mentioned once, and one that nobody mentioned."""
    (filled / "MEMORY.md").write_text(ENTRIES)
    (filled / "CORRECTIONS.md").write_text(CORRECTIONS)
    keep(filled, CORRECTED, SEEN)
    return filled


def keep(root: Path, *rows: Row) -> None:
    (root / entries.PATH).parent.mkdir(exist_ok=True)
    (root / entries.PATH).write_text(entries.render_sidecar({row.id: row for row in rows}))


@pytest.fixture
def build(call: Callable, workspace_with_entries: Path) -> Callable[[str], dict[str, Any]]:
    """Build on a day, and return the content of Chroma's own client then, by id."""

    def act(day: str) -> dict[str, Any]:
        with time_machine.travel(f"{day}T12:00:00Z", tick=False):
            call("memory", "index")
        client = chromadb.PersistentClient(str(cache(workspace_with_entries) / "chroma"))
        collection = client.get_collection("live-entries", embedding_function=None).get(include=["metadatas"])
        client.close()
        return dict(zip(collection["ids"], collection["metadatas"], strict=True))

    return act


def test_each_entry_and_each_side_of_a_correction_has_a_vector_that_says_what_is_known(
    build: Callable, workspace_with_entries: Path, server: embedders.Endpoint
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    (workspace_with_entries / "MEMORY.md").write_text(f"{ENTRIES}- The token is {secret[:40]}\n")
    metadatas = build("2026-05-02")
    boiler, plumber, record, was = (metadatas[name] for name in (CORRECTED.id, SEEN.id, RECORD, f"{RECORD}-was"))
    assert boiler["tag"] == plumber["tag"] == "knowledge"
    assert (boiler["correction"], boiler["status"], boiler["confidence"]) == (True, "live", 1.0)
    assert (boiler["last_seen"], boiler["last_seen_day"], boiler["mention_count"]) == ("2026-05-01", 20260501, 1)
    assert (plumber["correction"], plumber["corrected_by"], plumber["flagged"]) == (False, "", False)
    assert 0 < plumber["confidence"] < 1
    assert metadatas[entry_id("MEMORY.md", REST)]["tag"] == "decision"
    assert (record["tag"], record["correction"], record["confidence"]) == ("correction", True, 1.0)
    assert (was["status"], was["corrected_on"], was["corrected_by"]) == ("corrected", "2026-05-01", RECORD)
    assert not any(secret[:40] in text for text in list_embedded(server))
    base = sqlite3.connect(cache(workspace_with_entries) / "chroma/chroma.sqlite3")
    assert "Imre" not in "\n".join(base.iterdump())
    base.close()


@pytest.mark.parametrize(("days", "last", "gone"), [(7, "2026-05-08", "2026-05-09"), (0, "2026-05-01", "2026-05-02")])
def test_what_was_corrected_leaves_after_the_days_of_grace(
    build: Callable, workspace_with_entries: Path, days: int, last: str, gone: str
) -> None:
    keep(workspace_with_entries, CORRECTED, row(PLUMBER, status="superseded", by=RECORD, last=date(2026, 4, 28)))
    config(workspace_with_entries, corrected_embedding_grace_days=days)
    metadatas = build(last)
    assert f"{RECORD}-was" in metadatas
    assert metadatas[SEEN.id]["status"] == "corrected"
    after = build(gone)
    assert not {f"{RECORD}-was", SEEN.id} & after.keys()
    assert RECORD in after


def test_an_entry_without_another_mention_is_flagged_and_then_leaves_chroma_alone(
    build: Callable, call: Callable, workspace_with_entries: Path
) -> None:
    assert not build("2026-06-27")[SEEN.id]["flagged"]
    flagged = build("2026-06-28")[SEEN.id]
    assert (flagged["flagged"], flagged["leaves_after"]) == (True, "2026-07-04")
    after = build("2026-07-05")
    assert SEEN.id not in after
    assert CORRECTED.id in after, "a correction stays"
    assert PLUMBER in words(call("search", "plumber"))[0]
    keep(workspace_with_entries, CORRECTED, row(PLUMBER, last=date(2026, 6, 30), mentions=frozenset({"b", "c"})))
    metadata = build("2026-07-05")[SEEN.id]
    assert (metadata["flagged"], metadata["leaves_after"], metadata["mention_count"]) == (False, "", 2)
