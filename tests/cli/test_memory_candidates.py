"""`clawgit memory candidates`, `keep` and `drop`."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

SAID = "The stove gets its new door in rack 12, the fitter has the key."


@pytest.fixture
def told(call, space, tmp_path):
    """Two statements in a conversation that was brought in."""
    at = datetime.now(UTC) - timedelta(hours=2)
    rows = [{"type": "session", "version": 3, "id": "s1", "timestamp": at.isoformat()}]
    for number, text in enumerate((SAID, "The boiler has a pressure of 1.5 bar these days, they say."), 1):
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        moment = (at + timedelta(minutes=number)).isoformat()
        rows.append({"type": "message", "id": f"m{number}", "timestamp": moment, "message": message})
    place = tmp_path / "s1.jsonl"
    place.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert call("session", "import", str(place)).code == 0
    return call("memory", "candidates", "--json").json


def test_one_is_kept_in_the_operators_words_and_one_is_dropped(call, told, space):
    first, second = told
    assert first["title"] == SAID
    assert SAID in call("memory", "candidates").out
    commit = call("memory", "keep", first["id"][:6], "--tag", "event", "--json").json["commit"]
    assert f"- {SAID} #event" in (space / "MEMORY.md").read_text()
    assert call("memory", "drop", second["id"]).code == 0
    assert call("memory", "candidates", "--json").json == []
    shown = subprocess.run(["git", "-C", space, "show", commit], capture_output=True, text=True, check=True).stdout
    assert "Evidence: session:s1#m1" in shown
    assert call("corrections", "list", "--json").json == []


def test_an_id_that_is_not_on_the_list_changes_nothing(call, told, space):
    before = (space / "MEMORY.md").read_bytes()
    done = call("memory", "keep", "zzzzzz")
    assert done.code == 1
    assert "clawgit inbox" in done.err
    assert call("memory", "candidates", "--since", "soon").code == 2
    assert (space / "MEMORY.md").read_bytes() == before
