"""The report of an adoption, before any change (spec L12)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.promises.desk import Desk

JOURNAL = "memory/2026-01-20.md"
KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@pytest.fixture
def lived(tmp_path: Path) -> Desk:
    """A workspace under git that clawgit has not touched."""
    files = {"SOUL.md": "# Soul\n\n- Calm.\n", JOURNAL: "- the boat is painted blue\n- the hens moved to the barn\n"}
    return Desk.raw(tmp_path / "lived", files)


def list_findings(desk: Desk, key: str) -> list[dict]:
    report = desk.run("adopt", str(desk.root), "--dry-run")["report"]
    return [finding for finding in report["findings"] if finding["key"] == key]


def test_lines_that_went_are_told_with_the_commit_and_the_way_back(lived: Desk) -> None:
    before = lived.head()
    (lived.root / JOURNAL).unlink()
    commit = lived.commit("tidy")
    (loss,) = list_findings(lived, "lines-lost")
    assert commit[:10] in loss["message"]
    assert f"2 lines of {JOURNAL}" in loss["message"]
    assert loss["fix"].startswith(f"clawgit restore '{JOURNAL}' --as-of {before[:10]}")
    lived.run("adopt", str(lived.root))
    lived.shell(loss["fix"])
    assert "the boat is painted blue" in lived.read(JOURNAL)


def test_lines_that_were_reworded_or_moved_did_not_go(lived: Desk) -> None:
    lived.write(JOURNAL, "- the boat is painted in blue\n")
    lived.write("MEMORY.md", "- The hens moved to the barn\n")
    lived.commit("promote")
    assert list_findings(lived, "lines-lost") == []


def test_the_way_back_of_a_line_finds_it_and_own_acts_are_no_losses(lived: Desk) -> None:
    lived.write(JOURNAL, "- the boat is painted blue\n")
    lived.commit("tidy")
    (loss,) = list_findings(lived, "lines-lost")
    assert loss["fix"].startswith("clawgit read ")
    lived.run("adopt", str(lived.root))
    assert "the hens moved to the barn" in lived.shell(loss["fix"])
    lived.run("remember", "The goat is called Nils.")
    lived.run("undo")
    lived.run("eject", "--yes")
    assert len(list_findings(lived, "lines-lost")) == 1


def test_a_secret_of_history_is_told_and_never_shown(lived: Desk, call: Callable) -> None:
    lived.write("memory/2026-01-21.md", f"- the key is {KEY}\n")
    lived.commit("key")
    lived.write("memory/2026-01-21.md", "- the key is away\n")
    lived.commit("away")
    (secret,) = list_findings(lived, "secret-in-history")
    assert (secret["path"], secret["line"]) == ("memory/2026-01-21.md", 1)
    text = call("adopt", lived.root, "--dry-run")
    assert KEY not in text.out + text.err + str(secret)
    assert "holds a secret (aws-access-key" in text.out


def test_caps_and_versions_are_told(lived: Desk) -> None:
    lived.write("SOUL.md", "# Soul\n\n- Calm, and kind.\n")
    lived.write("AGENTS.md", "# Agents\n\n" + "rule upon rule\n" * 2000)
    lived.commit("grown")
    (cap,) = list_findings(lived, "openclaw-caps")
    assert (cap["path"], "lines" in cap["message"]) == ("AGENTS.md", True)
    report = lived.run("adopt", str(lived.root), "--dry-run")["report"]
    soul = next(row for row in report["identity"] if row["path"] == "SOUL.md")
    assert (soul["commits"], soul["growth"] > 0) == (2, True)


def test_a_folder_without_git_is_looked_at_and_nothing_is_made_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "bare")
    desk.write("SOUL.md", f"# Soul\n\n- {KEY}\n")
    report = desk.run("adopt", str(desk.root), "--dry-run")["report"]
    assert report["commits"] is None
    assert [finding["key"] for finding in report["findings"]] == ["secret-found"]
    assert not (desk.root / ".git").exists()
