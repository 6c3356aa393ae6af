"""A damaged vector index, and lines that no prompt can hold, cost no command its answer or its time."""

import base64
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import COMMAND, Desk
from tests.search import embedders
from tests.sessions.transcripts import SESSION, chain, write_transcript

MUTATION = ("text/document.py", "    if not is_long(line):", "    if line:")

LINE = 2_000_000
NOTES = 1200
"""More than Chroma keeps in its log: from 1000 on it writes segments."""


# vectors
@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    embedders.need_chroma()
    with embedders.serving(embedders.well()) as server:
        yield server.url


@pytest.fixture
def vectors(desk: Desk, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a workspace that is searched by meaning too."""
    monkeypatch.setenv("CLAWGIT_EMBED_URL", endpoint)
    notes = (
        f"- Note {number}: the brass valve number {number} sits in hall {number % 7}.\n" for number in range(NOTES)
    )
    desk.write("memory/valves.md", "# Valves\n\n" + "".join(notes))
    desk.run("capture")
    desk.run("config", "embedder", "openai:m", terminal="")
    desk.run("memory", "index")
    assert answers(desk)["mode"] == "enhanced"
    return desk


def answers(desk: Desk) -> Any:
    result = desk.process("search", "Marek pump")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert any("Marek" in hit["snippet"] for hit in document["results"])
    return document


def store(desk: Desk) -> Path:
    return desk.root / ".git/clawgit/cache/chroma"


def segment(desk: Desk) -> Path:
    (path,) = store(desk).glob("*/index_metadata.pickle")
    return path.parent


def cut_header(desk: Desk) -> None:
    os.truncate(segment(desk) / "header.bin", 40)


def empty_vectors(desk: Desk) -> None:
    os.truncate(segment(desk) / "data_level0.bin", 0)


def scramble_vectors(desk: Desk) -> None:
    place = segment(desk) / "data_level0.bin"
    place.write_bytes(random.Random(1).randbytes(place.stat().st_size))


def scramble_pickle(desk: Desk) -> None:
    (segment(desk) / "index_metadata.pickle").write_bytes(b"garbage" * 1000)


def cut_database(desk: Desk) -> None:
    os.truncate(store(desk) / "chroma.sqlite3", 50_000)


@pytest.mark.parametrize("damage", [cut_header, empty_vectors, scramble_vectors, scramble_pickle, cut_database])
def test_words_answer_where_the_vectors_are_damaged_and_the_fix_of_doctor_builds_them_anew(
    vectors: Desk, damage: Any
) -> None:
    damage(vectors)
    document = answers(vectors)
    assert document["mode"] == "core"
    assert document["degraded"]
    result = vectors.process("context", "Marek pump")
    assert result.returncode == 0
    assert "Be brief" in json.loads(result.stdout)["text"]
    assert json.loads(result.stdout)["warnings"]
    vectors.shell(finding(vectors)["fix"])
    assert (answers(vectors)["mode"], answers(vectors)["degraded"]) == ("enhanced", None)
    assert finding(vectors)["ok"]


def finding(desk: Desk) -> Any:
    result = desk.process("doctor")
    assert result.returncode in (0, 3)
    (row,) = (row for row in json.loads(result.stdout) if row["check"] == "vectors")
    return row


@pytest.mark.parametrize("damage", [cut_header, empty_vectors])
def test_doctor_finds_the_damage_before_a_search_does_and_the_next_build_mends_it(vectors: Desk, damage: Any) -> None:
    damage(vectors)
    assert not finding(vectors)["ok"]
    assert vectors.process("memory", "index").returncode == 0
    assert answers(vectors)["mode"] == "enhanced"


def test_a_build_mends_what_no_search_has_found_damaged(vectors: Desk) -> None:
    cut_header(vectors)
    assert vectors.process("memory", "index").returncode == 0
    assert answers(vectors)["mode"] == "enhanced"


def processes(parent: int | None = None) -> list[int]:
    """Return the processes that have vectors open, of all parents or of one."""
    rows = subprocess.run(["ps", "-ewwo", "pid,ppid,args"], capture_output=True, encoding="utf-8", check=True).stdout
    rows_found = [row.split() for row in rows.splitlines() if "vectors.serve" in row]
    return [int(row[0]) for row in rows_found if parent in (None, int(row[1]))]


def test_words_answer_where_the_process_with_the_vectors_is_killed(vectors: Desk) -> None:
    words = [COMMAND, "-C", vectors.root, "search", "Marek pump", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as search:
        while search.poll() is None and not (running := processes(search.pid)):
            pass
        os.kill(running[0], signal.SIGKILL)
        document = json.loads(search.communicate(timeout=120)[0])
    assert search.returncode == 0
    assert document["mode"] == "core"
    assert document["degraded"]
    assert any("Marek" in hit["snippet"] for hit in document["results"])


def test_no_process_outlives_its_command(vectors: Desk) -> None:
    before = set(processes())
    answers(vectors)
    until = time.monotonic() + 20
    while set(processes()) - before and time.monotonic() < until:
        time.sleep(0.1)
    assert set(processes()) <= before


# lines
def picture() -> str:
    return (
        f"Screenshot ![x](data:image/png;base64,{base64.b64encode(random.Random(1).randbytes(LINE * 3 // 4)).decode()})"
    )


def unbroken() -> str:
    return "".join(random.Random(2).choices("abcdefghijklmnop", k=LINE))


def repeated() -> str:
    return "bakery " * (LINE // 7)


def wordy() -> str:
    generator = random.Random(3)
    words = ["".join(generator.choices("abcdefghijklmnop", k=6)) for _ in range(5000)]
    return " ".join(generator.choices(words, k=LINE // 7))


LINES = (picture, unbroken, repeated, wordy)


def run_process(desk: Desk, *arguments: str) -> str:
    """Return the output of a command in its own process, which is stopped after minutes."""
    result = desk.process(*arguments)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


COMMANDS = (
    *(("capture",), ("search", "bakery"), ("search", "bakery"), ("context", "bakery"), ("audit",), ("memory", "list")),
    *(("digest",), ("soul", "diff"), ("log",), ("status",)),
)


PLACES = {
    "MEMORY.md": ("The logo belongs to the bakery.", picture),
    "memory/garden.md": ("The oven of the bakery is blue.", unbroken),
    "memory/2026-01-20.md": ("The bakery opens at six.", repeated),
    "memory/orchard.md": ("The bakery bakes with apples.", wordy),
}


def test_a_line_that_no_prompt_can_hold_is_passed_over_and_printed_short(desk: Desk) -> None:
    desk.write("memory/orchard.md", "# Orchard\n\n")
    long_lines = []
    for path, (next_line, make) in PLACES.items():
        long_lines.append(f"{path}:{desk.read(path).count(chr(10)) + 1}:")
        desk.append(path, f"- {make()}\n- {next_line}\n")
    before = {path: desk.read(path) for path in PLACES}
    for command in COMMANDS:
        output = run_process(desk, *command)
        assert len(output) < 50_000, command
        if command[0] == "search":
            assert all(next_line in output for next_line, _ in PLACES.values())
    assert {path: desk.read(path) for path in PLACES} == before
    assert {path: desk.at("HEAD", path) for path in PLACES} == before
    rows = desk.run("doctor", code=desk.call("doctor").code)
    messages = "".join(row["message"] for row in rows if row["check"] == "long lines")
    assert [place for place in long_lines if place not in messages] == []


def test_the_middle_of_a_long_line_is_neither_indexed_nor_put_into_a_context(desk: Desk) -> None:
    words = wordy().split()
    words[len(words) // 2] = RARE
    desk.append("memory/garden.md", f"- {' '.join(words)}\n- The logo belongs to the bakery.\n")
    desk.run("capture")
    assert desk.run("search", RARE)["results"] == []
    assert RARE not in desk.run("context", f"What is {RARE}?")["text"]


RARE = "zyzzyva"


def test_a_long_line_that_changes_is_captured_and_explained(desk: Desk) -> None:
    long_lines = {f"memory/{make.__name__}.md": make() for make in LINES}
    for path, line in long_lines.items():
        desk.write(path, f"# Long\n\n- {line}\n")
    desk.run("capture")
    for path, line in long_lines.items():
        desk.write(path, desk.read(path).replace(line, f"{line[:70]} anew {line[70:]}"))
    explain = [("why", f"{path}:3") for path in long_lines]
    for command in (("capture",), *explain, ("log",), ("digest",), ("context", "hose")):
        output = run_process(desk, *command)
        assert len(output) < 50_000, command
    assert all(desk.at("HEAD", path) == desk.read(path) for path in long_lines)


@pytest.mark.parametrize("make", LINES)
def test_a_long_line_of_the_soul_keeps_nothing_from_a_context(desk: Desk, make: Callable[[], str]) -> None:
    desk.append("SOUL.md", f"- {make()}\n")
    desk.run("capture")
    output = run_process(desk, "context", "pumps")
    assert "Be brief" in output
    assert len(output) < 50_000


def test_messages_of_one_long_line_are_searched_and_recalled(desk: Desk, tmp_path: Path) -> None:
    long_lines = [("user", make()) for make in LINES]
    turns = ("user", "The oven is warm on Sunday."), *long_lines, ("assistant", "Noted: the logo of the bakery.")
    transcript = write_transcript(tmp_path / f"{SESSION}.jsonl", chain(*turns))
    before = transcript.read_bytes()
    desk.run("session", "import", str(transcript))
    commands = (
        ("context", "--session", SESSION),
        ("search", "bakery"),
        ("run", "memory-miner"),
        ("session", "show", SESSION),
    )
    for command in commands:
        output = run_process(desk, *command)
        assert len(output) < 50_000, command
    assert transcript.read_bytes() == before


def test_an_entry_of_a_long_line_is_refused_where_it_would_be_written_anew(desk: Desk) -> None:
    desk.append("memory/garden.md", f"- The fence is painted green, as {wordy()}\n")
    desk.run("capture")
    before = desk.files()
    desk.call("correct", "The fence is painted blue, not green.")
    assert wordy() in desk.read("memory/garden.md")
    assert desk.files()["memory/garden.md"] == before["memory/garden.md"]
