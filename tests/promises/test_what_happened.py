"""The digest and the log answer for any span, in the words that people use for dates."""

import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.promises.desk import Desk
from tests.promises.test_secrets_stay import TOKEN

MUTATION = (
    "findings/digest.py",
    "    managed = (commit for commit in commits if commit.id not in began)",
    "    managed = [commit for commit in commits if commit.ours]",
)

SPANS = ("yesterday", "last week", "last month", "2 days ago")


@pytest.mark.parametrize("since", SPANS)
def test_what_the_agent_committed_is_in_the_digest(desk: Desk, since: str) -> None:
    desk.write("memory/field.md", "- The field is mown in June.\n")
    desk.commit("backup")
    document = desk.run("digest", "--since", since)
    assert "Ines (2)" in document["others"][0]["text"]
    assert "2 files in memory" in document["text"]


def test_what_a_new_workspace_began_with_is_no_news(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "new"
    desk.run("init", str(root))
    (root / "MEMORY.md").write_text((root / "MEMORY.md").read_text() + "- The field is mown in June.\n")
    desk.run("-C", str(root), "capture")
    texts = [item["text"] for item in desk.run("-C", str(root), "digest", "--since", "today")["others"]]
    assert [text for text in texts if "+" in text] == ["MEMORY.md: +1 -0 lines"]


@pytest.mark.parametrize("since", SPANS)
def test_the_log_takes_the_same_spans(desk: Desk, since: str) -> None:
    assert desk.run("log", "--since", since)
    assert desk.run("search", "bed four", "--since", since)["results"] is not None


def test_what_is_no_date_is_refused(desk: Desk) -> None:
    for command in ("digest", "log"):
        assert desk.call(command, "--since", "soonish").code == 2


def test_many_findings_of_a_kind_are_one(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/note-{number}.md", f"- The token of relay {number} is {TOKEN[:-1]}{number}.\n")
    desk.commit("backup")
    desk.run("capture")
    alarms = [alarm for alarm in desk.run("status")["alarms"] if alarm["key"].startswith("secret")]
    assert len(alarms) == 1


def test_a_slow_clock_hides_nothing(desk: Desk) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    desk.append("MEMORY.md", "- From a slow clock.\n")
    desk.git("add", "-A")
    past = {"GIT_COMMITTER_DATE": "2026-01-02T09:00:00", "GIT_AUTHOR_DATE": "2026-01-02T09:00:00"}
    subprocess.run(["git", "commit", "-qm", "slow"], cwd=desk.root, env={**os.environ, **past}, check=True)
    assert any("lamps" in row["subject"] for row in desk.run("log", "--since", "today"))


@pytest.mark.parametrize("words", ["2 weeks ago", " 2 Weeks  Ago", "two weeks ago", "14 days ago", "fourteen days ago"])
def test_so_many_days_ago_is_the_whole_of_that_day(desk: Desk, words: str) -> None:
    day = datetime.now().astimezone() - timedelta(days=14)
    for hour, name in ((0, "inside"), (-1, "before")):
        moment = f"{day.replace(hour=0, minute=30) + timedelta(hours=hour):%Y-%m-%dT%H:%M:%S}"
        times = {"GIT_COMMITTER_DATE": moment, "GIT_AUTHOR_DATE": moment}
        command = ["git", "commit", "-q", "--allow-empty", "-m", name]
        subprocess.run(command, cwd=desk.root, env={**os.environ, **times}, check=True)
    subjects = [row["subject"] for row in desk.run("log", "--since", words)]
    assert ("inside" in subjects, "before" in subjects) == (True, False)


def test_a_deletion_that_is_not_committed_is_shown(desk: Desk) -> None:
    (desk.root / "memory/garden.md").unlink()
    hunks = desk.run("diff", "memory/garden.md")["hunks"]
    assert any(line["op"] == "-" for hunk in hunks for line in hunk["lines"])
