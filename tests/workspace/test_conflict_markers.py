"""What is served of a file in which a merge left conflict markers."""

import subprocess

import pytest

from clawgit.findings.status import status
from clawgit.workspace.served import excerpt

from .places import DAY

BEFORE = "# Day\n\n- The kettle is blue.\n"
OPEN = "# Day\n\n<<<<<<< HEAD\n- The kettle is red.\n=======\n- The kettle is green.\n>>>>>>> side\n"
DIFF3 = OPEN.replace("=======\n", "||||||| base\n- The kettle is blue.\n=======\n")
FENCED = "# Day\n\n- How a conflict looks:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n```\n"


def shown(place, path=DAY):
    return excerpt(place.ws, path)


@pytest.mark.parametrize("text", [DIFF3, OPEN.replace("\n", "\r\n")], ids=["three sides", "CRLF"])
def test_a_file_with_markers_is_served_as_head_has_it(place, text):
    """And the answer says so."""
    place.commit({DAY: BEFORE})
    place.write(DAY, text)
    found = shown(place)
    assert found.text == BEFORE
    assert found.note == f"{DAY}:3 has conflict markers; what it said in HEAD is served instead"


def test_of_a_merge_that_committed_markers_both_sides_are_served(place):
    """Nobody has decided between them."""
    place.commit({DAY: BEFORE})
    place.git("checkout", "-q", "-b", "side")
    place.commit({DAY: BEFORE.replace("blue", "green")})
    place.git("checkout", "-q", "main")
    place.commit({DAY: BEFORE.replace("blue", "red")})
    subprocess.run(["git", "merge", "-q", "side"], cwd=place.root, capture_output=True, check=False)
    assert "<<<<<<<" in (place.root / DAY).read_text()
    place.git("add", "-A")
    place.git("commit", "-qm", "merged, so to speak")
    text = shown(place).text
    assert "red" in text
    assert "green" in text
    assert "<<<<<<<" not in text


@pytest.mark.parametrize(
    "text",
    [FENCED, "# Day\n\nTitle\n=======\n\n- after\n", "- <<<<<<< HEAD\n- =======\n- >>>>>>> side\n"],
    ids=["fence", "underline", "bullets"],
)
def test_what_only_speaks_of_markers_is_served_as_it_stands(place, text):
    """And can be written, captured and committed."""
    place.write(DAY, text)
    found = shown(place)
    assert (found.text, found.note) == (text, "")
    assert status(place.ws).alarms == ()
    place.ws.capture([DAY])
    assert place.committed(DAY).decode() == text


def test_committed_markers_are_an_alarm(place):
    place.commit({DAY: BEFORE})
    place.commit({DAY: OPEN})
    (one,) = status(place.ws).alarms
    assert one.message.startswith(f"{DAY}:3 has conflict markers")
    assert shown(place).text == "# Day\n\n- The kettle is red.\n- The kettle is green.\n"


def test_a_secret_in_what_is_served_is_named_only(place):
    key = "AKIA" + "Q3EGRZ7T2XWV5NKD"
    place.commit({DAY: f"- {key}\n"})
    place.write(DAY, OPEN)
    assert key not in shown(place).text
