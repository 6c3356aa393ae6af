"""Quiet in the turn: nothing for a message that needs no memory, the needed line for others, nothing twice."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.promises.desk import FILES, Desk
from tests.promises.mcp_server import Server
from tests.promises.test_nobody_elses_words import OWNER

MUTATION = (
    "context/addition.py",
    "    if concern.passes:",
    "    if rows:",
)

MAX_ADDITION_CHARS = 4000
ROSE = "The permanent rose stands by the gate."
QUESTION = "Where does the permanent rose stand?"
HINT = "The owner's memory may have this: use `search`."
IDLE = (
    "hi",
    "Good morning!",
    "Thanks, perfect!",
    "Danke dir",
    "(3780 + 412.5) * 1.23",
    "15% of 1150",
    "12.5 miles in km",
    "Translate to German: the permanent rose stands by the gate.",
    "How do you say 'the permanent rose stands by the gate' in Spanish?",
    "Übersetze: the permanent rose stands by the gate",
    "Write a haiku about a rose that stands by a gate.",
    "Explain how a gate is hung.",
)


def add(desk: Desk, message: str, *options: str) -> str:
    """Return the addition to a turn."""
    text: str = desk.run("context", message, "--turn", *options)["text"]
    assert len(text) <= MAX_ADDITION_CHARS
    return text


@pytest.mark.parametrize("message", IDLE)
def test_a_message_that_needs_no_memory_gets_nothing(desk: Desk, message: str) -> None:
    assert add(desk, message) == ""
    output = desk.call("context", message, "--turn")
    assert output.code == 0


@pytest.mark.parametrize("message", [QUESTION, "where does the permannent rose stand?"])
def test_a_question_gets_the_line_that_answers_it(desk: Desk, message: str) -> None:
    document = desk.run("context", message, "--turn")
    assert ROSE in document["text"]
    assert ("memory/garden.md", ROSE) in [(entry["path"], entry["text"]) for entry in document["entries"]]
    assert all(0 < entry["score"] <= 1 for entry in document["entries"])


def test_a_name_in_the_genitive_is_a_name_that_memory_knows(desk: Desk) -> None:
    desk.write("memory/people.md", "# People\n\n- Carla's birthday is on 3 May; she likes orchids.\n")
    desk.run("capture")
    assert "3 May" in add(desk, "When is Carla's birthday?")


def test_a_question_in_german_gets_its_line(desk: Desk) -> None:
    desk.write("memory/boot.md", "# Boot\n\n- Der Schlüssel für das Boot hängt im Schuppen.\n- Der Motor ist alt.\n")
    assert "Schuppen" in add(desk, "Wo hängt noch mal der Schlüssel für unser Boot?")
    assert add(desk, "Guten Morgen!") == ""


def test_a_question_without_a_line_gets_the_hint(desk: Desk) -> None:
    assert add(desk, "What did we promise our neighbour?") == HINT


def test_the_receipt_names_both_decisions(desk: Desk) -> None:
    decisions = desk.run("context", QUESTION, "--turn", "--receipt")["decisions"]
    assert [decision["passes"] for decision in decisions] == [True, True]
    assert all(decision["features"] for decision in decisions)


def test_what_the_prompt_shows_is_not_added(desk: Desk) -> None:
    assert "irrigation" not in add(desk, "Who looks after our irrigation pumps, Marek?")
    assert ROSE not in add(desk, QUESTION, "--shown", "memory/garden.md")
    assert ROSE not in add(desk, f"assistant: {ROSE}\nuser: {QUESTION}")


def test_the_cut_part_of_a_long_memory_file_is_added(desk: Desk) -> None:
    rows = "".join(f"- Crate {number} holds bulbs of the year {number}.\n" for number in range(900))
    desk.append("MEMORY.md", f"{rows}- The orchard ladder hangs behind the shed.\n{rows}")
    assert "behind the shed" in add(desk, "Where does our orchard ladder hang?")


def test_a_session_gets_no_line_twice_in_ten_turns(desk: Desk) -> None:
    assert ROSE in add(desk, QUESTION, "--session", "chat")
    for _ in range(9):
        assert ROSE not in add(desk, QUESTION, "--session", "chat")
    assert ROSE in add(desk, QUESTION, "--session", "another")
    add(desk, "hi", "--session", "chat")
    assert ROSE in add(desk, QUESTION, "--session", "chat")


def test_many_lines_that_fit_stay_within_the_limit(desk: Desk) -> None:
    words = "the blue enamel kettle of the summer kitchen leaks at the spout and wants a new gasket " * 6
    desk.write("memory/kettle.md", "".join(f"- Kettle note {number}: {words}\n" for number in range(30)))
    document = desk.run("context", "Where does our blue enamel kettle of the summer kitchen leak?", "--turn")
    assert len(document["text"]) <= MAX_ADDITION_CHARS
    assert len(document["entries"]) <= 8


def test_a_correction_of_these_days_reaches_its_subject_alone(desk: Desk) -> None:
    desk.run("correct", "Deploys happen on Friday evening, not on Tuesday evening.")
    assert "Friday" in add(desk, "When do our deploys happen?")
    assert add(desk, "Where is the hose?") != add(desk, "When do our deploys happen?")
    assert add(desk, "hi") == ""


def test_what_is_due_today_is_added_once(desk: Desk) -> None:
    day = datetime.now(UTC)
    desk.run("remember", f"The plumber will come on {day:%-d %B %Y}.", "--tag", "event")
    assert "plumber" in add(desk, "hi", "--session", "chat")
    assert add(desk, "hi", "--session", "chat") == ""
    assert add(desk, "hi", "--session", "another") == ""


WORLDS = ({"name": "heron", "place": "gate"}, {"name": "egret", "place": "barn"})
PRIVATE = {
    "MEMORY.md": "# Memory\n\n- The staging server is called {name}.\n",
    "memory/2026-01-19.md": "# 2026-01-19\n\n- The {name} key hangs in the {place}.\n",
    "memory/2026-01-19-handoff.md": "# Session handoff\n\n- Next: oil the {place}.\n",
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[Desk]:
    """Return two workspaces that differ in private lines alone."""
    desks = []
    for number, words in enumerate(WORLDS):
        root: Path = tmp_path_factory.mktemp(f"turn{number}") / "ws"
        private = {path: text.format(**words) for path, text in PRIVATE.items()}
        desks.append(Desk.adopt(root, {"SOUL.md": FILES["SOUL.md"], **private}))
    return desks


@pytest.mark.parametrize("message", ["What is our heron staging server called?", "Where is the key of the barn?", "hi"])
def test_a_group_gets_the_same_bytes_whatever_is_private(worlds: list[Desk], message: str) -> None:
    answers = [
        desk.call("context", message, "--turn", "--session-kind", "group", "--session", "chat", "--receipt").out
        for desk in worlds
    ]
    assert answers[0] == answers[1]
    assert HINT not in answers[0]


def test_while_the_index_is_written_a_turn_gets_what_is_ready(desk: Desk) -> None:
    assert ROSE in add(desk, QUESTION)
    desk.append("memory/garden.md", "- The hazel was cut in March.\n")
    (index,) = (desk.root / ".git/clawgit/cache").glob("index.*.db")
    with closing(sqlite3.connect(index, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        server = Server(desk.root, "--gateway")
        assert ROSE in server.call("context", {"query": QUESTION}, OWNER)
        writer.execute("ROLLBACK")
    question = {"query": "When was the hazel cut?"}
    assert "hazel" in server.call("context", question, OWNER)
    server.end()


def test_a_turn_that_never_got_its_lines_gets_them_again(desk: Desk) -> None:
    server = Server(desk.root, "--gateway")
    arguments = {"query": QUESTION, "session": "chat"}
    assert ROSE in server.call("context", arguments, OWNER)
    assert ROSE not in server.call("context", arguments, OWNER)
    assert ROSE in server.call("context", {**arguments, "missed": 2}, OWNER)
    server.end()
