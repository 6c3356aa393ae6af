"""The report as a person and as a program read it."""

import re
import subprocess

import pytest

from clawgit.cli import report_text
from clawgit.git.repository import find
from clawgit.workspace.report.report import report

AWS = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@pytest.fixture
def folder(tmp_path):
    """A folder under git, with a soul."""
    root = tmp_path / "ws"
    (root / "memory").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    write(root, {"SOUL.md": "# Soul\n\n- Have a view.\n"}, "first")
    return root


def git(root, *arguments):
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def write(root, files, message):
    for path, text in files.items():
        if text is None:
            (root / path).unlink()
        else:
            (root / path).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


def rows(found):
    return ["".join(span.text for span in row) for row in report_text.lines(found)]


def day(number, *notes):
    return {f"memory/2026-01-{number:02}.md": f"# day {number}\n\n" + "".join(f"- {note}\n" for note in notes)}


def test_the_gravest_comes_first_and_lists_are_short(folder):
    files = {path: text for number in range(1, 21) for path, text in day(number, f"note {number} on the wall").items()}
    write(folder, files | {"AGENTS.md": "# Agents\n\n" + "rule upon rule\n" * 2000}, "notes")
    write(folder, day(21, f"key {AWS}"), "key")
    for number in range(1, 10):
        write(folder, {f"memory/2026-01-{number:02}.md": None, "SOUL.md": f"# Soul {number}\n"}, "tidy")
    shown = rows(report(folder, find(folder)))
    titles = [row.partition(":")[0] for row in shown if re.match(r"[A-Z]", row)]
    assert titles[:3] == ["Secrets", "Gone from journals", "Too long for the prompt"]
    assert "  … and 4 more (--json lists all)" in shown
    commands = [row.strip() for row in shown if row.strip().startswith("clawgit ")]
    assert len(commands) == 5
    assert all(re.fullmatch(r"clawgit restore memory/2026-01-0\d\.md --as-of \w{10}", command) for command in commands)
    assert AWS not in "\n".join(shown)
    assert not any("!" in row for row in shown)


def test_a_history_that_could_not_be_read_is_unknown_and_never_none(folder, monkeypatch):
    """A clone without its old contents: of what they held nothing is said to be absent."""
    from clawgit.git import repository_health  # noqa: PLC0415

    monkeypatch.setattr(repository_health, "promisors", lambda _: ("origin",))
    found = report(folder, find(folder))
    shown = rows(found)
    assert "History was read for 0 of 1 commits (the clone is partial: old contents would have to be" in str(shown)
    unknown = "secrets in history, lost journal lines, lost notes, identity"
    assert f"Unknown, for not all could be read: {unknown}" in shown
    (nothing,) = [row for row in shown if row.startswith("Nothing found")]
    assert "lost" not in nothing
    assert "secrets in files" in nothing
    assert not any("never committed" in row for row in shown)
    told = report_text.document(found)
    assert told["unknown"] == unknown.split(", ")
    assert {one["versions"] for one in told["identity"]} == {None}
