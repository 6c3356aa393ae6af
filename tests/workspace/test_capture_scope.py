"""`capture_scope: workspace` takes scripts, skills and data; `markdown` leaves them, and says how many."""

from clawgit.findings.status import status
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.file_roles import LARGEST_DATA

from .places import AWS

OURS = ["config/feeds.json", "data.yaml", "scripts/fetch.py", "skills/mail/SKILL.md", "skills/mail/send.sh"]
THEIRS = [
    *("photo.png", ".env.json", ".cache/a.json", "node_modules/x/index.js", "skills/mail/node_modules/x/a.json"),
    *("venv/lib/a.py", "scripts/__pycache__/a.txt", "web/dist/a.js", "agents/scout/sessions.db"),
]


def widened(place):
    config = place.text("CONFIG.md").replace("```yaml\n", "```yaml\ncapture_scope: workspace\n", 1)
    place.commit({"CONFIG.md": config})


def captured(outcome):
    return sorted(path for one in outcome.captured for path in one.files)


def written(place):
    for path in (*OURS, *THEIRS):
        place.write(path, "x: 1\n")


def test_by_default_they_stay_out_and_are_counted(place):
    written(place)
    assert captured(capture_all(place.ws)) == []
    left = status(place.ws).not_kept
    assert (left.data, left.files >= len(OURS)) == (len(OURS), True)


def test_the_scope_of_the_workspace_takes_them(place):
    widened(place)
    written(place)
    assert captured(capture_all(place.ws)) == OURS
    assert status(place.ws).dirty == ()
    assert status(place.ws).not_kept.data == 0


def test_a_large_file_stays_out(place):
    widened(place)
    place.write("scripts/small.json", "1" * LARGEST_DATA)
    place.write("scripts/large.json", "1" * (LARGEST_DATA + 1))
    assert captured(capture_all(place.ws)) == ["scripts/small.json"]
    assert status(place.ws).not_kept.files == 1


def test_a_secret_keeps_a_script_out_and_the_others_go_in(place):
    widened(place)
    place.write("scripts/a.py", "x = 1\n")
    place.write("scripts/b.py", f"key = '{AWS}'\n")
    outcome = capture_all(place.ws)
    assert captured(outcome) == ["scripts/a.py"]
    assert [one.path for one in outcome.held] == ["scripts/b.py"]
