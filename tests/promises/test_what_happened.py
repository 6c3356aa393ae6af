"""What happened: the digest and the log answer for any span, in the words that people use for dates."""

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


@pytest.mark.parametrize("since", SPANS)
def test_the_log_takes_the_same_spans(desk: Desk, since: str) -> None:
    assert desk.run("log", "--since", since)
    assert desk.run("search", "bed four", "--since", since)["results"] is not None


def test_what_is_no_date_is_refused(desk: Desk) -> None:
    for command in ("digest", "log"):
        desk.call(command, "--since", "soonish")
        assert desk.call(command, "--since", "soonish").code == 2


def test_many_findings_of_a_kind_are_one(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/note-{number}.md", f"- The token of relay {number} is {TOKEN[:-1]}{number}.\n")
    desk.commit("backup")
    desk.run("capture")
    alarms = [alarm for alarm in desk.run("status")["alarms"] if alarm["key"].startswith("secret")]
    assert len(alarms) == 1
