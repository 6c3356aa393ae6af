"""A workspace that clawgit 0.1.0 wrote is opened, read and written, and loses nothing."""

import subprocess
from pathlib import Path

from tests.promises.desk import Desk

MADE = Path(__file__).with_name("made-by-0.1.0.bundle")
SQLITE = "We stay on SQLite until a second site signs."
REMEMBERED = [
    SQLITE,
    "Likes tea.",
    "The relay listens on port 8080.",
    "The relay listens on port 9090.",
    "The pilot at Halden starts on 19 March 2027.",
]


def test_what_an_older_version_wrote_is_read_and_written_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    subprocess.run(["git", "clone", "--quiet", "--mirror", MADE, folder / ".git"], check=True, capture_output=True)
    desk = Desk(folder)
    desk.git("config", "core.bare", "false")
    desk.git("remote", "remove", "origin")
    desk.git("config", "user.name", "Ada")
    desk.git("config", "user.email", "ada@example.org")
    desk.git("reset", "--hard", "--quiet")
    head = desk.head()

    memories = {row["text"]: row["id"] for row in desk.run("memory", "list") if row["text"] in REMEMBERED}
    assert [*memories] == REMEMBERED
    assert desk.run("show", memories["Likes tea."])["mentions"] == 2
    records = desk.run("log")
    assert len(records) == 17
    record = next(row for row in records if row["subject"] == "soul: On the phone: the answer first.")
    assert (record["why"], [row["quote"] is None for row in record["evidence"]]) == ("Asked for twice.", [False])
    line = desk.read("MEMORY.md").split("\n").index(f"- {SQLITE} #decision") + 1
    (line_found,) = desk.run("why", f"MEMORY.md:{line}")
    assert SQLITE in str(line_found["evidence"])
    status = desk.run("status")
    assert (status["managed"], status["dirty"], status["inbox"]) == (True, [], 1)
    assert len(desk.run("corrections")) == 1
    assert desk.head() == head

    change = next(row["change"] for row in records if row["subject"] == "soul: Bring two options.")
    desk.run("undo", change)
    assert "Bring two options." not in desk.read("SOUL.md")
    assert "the answer first" in desk.read("SOUL.md")
    desk.run("remember", "Newer than 0.1.0.")
    assert {*REMEMBERED, "Newer than 0.1.0."} <= {row["text"] for row in desk.run("memory", "list")}
    desk.run("restore", "notes.md")
    assert desk.read("notes.md") == "# Memory by hand\n"
    assert desk.git("status", "--porcelain") == ""
