"""No byte of a file changes against its owner: clawgit commits the files of others, and leaves them alone."""

import os
import shutil
import subprocess

import pytest

from tests.promises.desk import COMMAND, Answer, Desk

MUTATION = (
    "workspace/capture.py",
    "    files = {path: file.data if (file := snapshot.disk[path]) else None for path in paths}",
    "    files = {path: file.data.rstrip() if (file := snapshot.disk[path]) else None for path in paths}",
)

OURS = "- The lamps are rated at 400 watts."
TEXTS = {
    "no newline at the end": "# Garden\n\n- a",
    "DOS line ends": "# Garden\r\n\r\n- a\r\n",
    "tabs and blanks": "#\tGarden\n\n-\ta  \n\n\n\n- b\t\n",
    "a mark of the byte order": "\ufeff# Garden\n\n- a\n",
    "a rule at the top": "---\n\n# Garden\n\n- a\n\n---\n\n- b\n",
    "front matter with comments": "---\nz: 1  # last\na: [2,1]\n---\n# Garden\n",
    "conflict markers in a fence": "# Git\n\n```\n<<<<<<< ours\n=======\n>>>>>>> theirs\n```\n",
    "decomposed letters": "# Ga\u0308rten\n\n- a\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md", "memory/2026-01-21.md", "memory/notes/a.md"])
def test_a_capture_commits_what_is_there(desk: Desk, path: str, text: str) -> None:
    desk.write(path, text)
    desk.run("capture")
    assert desk.read(path) == text
    assert desk.git("status", "--porcelain") == ""
    assert desk.git("cat-file", "blob", f"HEAD:{path}").encode() == text.encode()


@pytest.mark.parametrize("text", [b"caf\xe9\n", b"a\0b\n", b"\xff\xfe#\0\n\0"])
def test_what_is_no_text_stays_and_is_named(desk: Desk, text: bytes) -> None:
    desk.write("memory/odd.md", text)
    desk.call("capture")
    assert (desk.root / "memory/odd.md").read_bytes() == text
    assert any("memory/odd.md" in row["message"] for row in desk.run("doctor", code=3) if not row["ok"])


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("other", ["", "- The tap drips.\n"])
def test_clawgits_line_that_the_owner_removes_stays_away(desk: Desk, other: str, committed: bool) -> None:
    desk.run("remember", OURS.removeprefix("- "))
    line = next(line for line in desk.read("MEMORY.md").splitlines(keepends=True) if line.startswith(OURS))
    text = desk.read("MEMORY.md").replace(line, "") + other
    desk.write("MEMORY.md", text)
    if committed:
        desk.commit()
    for _ in range(3):
        desk.run("capture")
    desk.run("remember", "The boiler is serviced in March.")
    assert OURS not in desk.read("MEMORY.md")


def test_rules_that_the_owner_deletes_stay_deleted(desk: Desk) -> None:
    desk.write("AGENTS.md", "# AGENTS.md\n")
    desk.commit()
    desk.run("capture")
    desk.run("doctor", "--fix")
    assert desk.read("AGENTS.md") == "# AGENTS.md\n"


def test_reading_changes_nothing(desk: Desk) -> None:
    desk.append("MEMORY.md", "- Not committed.\n")
    before = desk.files()
    for words in (("status",), ("log",), ("search", "pump"), ("memory", "list"), ("why", "pumps"), ("context", "pump")):
        desk.call(*words)
    assert desk.files() == before


def test_times_of_files_are_no_evidence(desk: Desk) -> None:
    desk.run("remember", OURS.removeprefix("- "))
    text = desk.read("MEMORY.md").replace("400 watts", "450 watts")
    desk.write("MEMORY.md", text)
    os.utime(desk.root / "MEMORY.md", (0, 0))
    desk.run("capture")
    assert desk.read("MEMORY.md") == text


def test_the_line_that_is_gone_is_one_item_that_brings_it_back(desk: Desk) -> None:
    desk.run("remember", OURS.removeprefix("- "))
    line = next(line for line in desk.read("MEMORY.md").splitlines(keepends=True) if line.startswith(OURS))
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(line, ""))
    desk.run("capture")
    item = desk.run("inbox", "--kind", "restore")[0]
    desk.run("accept", item["id"])
    assert OURS in desk.read("MEMORY.md")


def test_a_file_that_may_not_be_written_is_not_replaced(desk: Desk) -> None:
    """A rename would not ask for its mode, and root may do anything: without that right."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("setpriv; get it: apt install util-linux, or run the tests as an ordinary user")
    plain = ("setpriv", "--bounding-set=-dac_override") if os.geteuid() == 0 else ()
    place = desk.root / "MEMORY.md"
    place.chmod(0o444)
    before = desk.files(), desk.head()
    words = [*plain, COMMAND, "-C", desk.root, "correct", "not Tuesday evening, Thursday evening", "--json"]
    result = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    answer = Answer((), result.returncode, result.stdout, result.stderr)
    assert (answer.code, answer.key) == (1, "file-protected")
    assert (desk.files(), desk.head()) == before
    assert desk.git("status", "--porcelain") == ""
    desk.shell(answer.fix)
    desk.run("correct", "not Tuesday evening, Thursday evening")
    assert "Thursday evening" in desk.at("HEAD", "MEMORY.md")
