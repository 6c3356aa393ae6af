"""`clawgit changelog`."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

CLAWGIT = Path(sys.executable).with_name("clawgit")
MARKER = "<!-- clawgit: rendered from the log, do not edit -->"


@pytest.fixture
def kind(call: Callable) -> str:
    """One edit of the soul; returns the change."""
    edit = call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "Ana asked.", "--json")
    return str(edit.json["change"])


def test_the_file_says_what_became_of_the_identity(call: Callable, space: Path, kind: str, inside: Callable) -> None:
    call("memory", "add", "Not of the identity.")
    (space / "IDENTITY.md").write_text("# Me\n")
    inside("commit", "-qam", "by hand")
    answer = call("changelog", "--json")
    assert answer.json == {"path": "CHANGELOG.md", "entries": 4, "current": True, "written": True}
    text = (space / "CHANGELOG.md").read_text()
    assert text.startswith(f"{MARKER}\n# Changelog of the identity\n")
    titles = re.findall(r"^### (.+)$", text, re.MULTILINE)
    assert titles == ["by hand", "soul: Kind.", "workspace: managed by clawgit", "capture: SOUL.md is new (10 lines)"]
    assert (
        f"- why: Ana asked.\n- commit: `{inside('rev-parse', 'HEAD~2')[:10]}`\n- undo: `clawgit undo {kind}`\n" in text
    )
    assert ", by Ada, without clawgit: `IDENTITY.md`\n" in text
    assert "Not of the identity" not in text
    assert call("undo", kind).code == 0
    call("changelog")
    assert re.search(r"^- taken back by `[k-z]{10}`$", (space / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert inside("status", "--porcelain") == ""


def test_a_check_compares_and_writes_nothing(call: Callable, space: Path, kind: str) -> None:
    (space / "CHANGELOG.md").unlink(missing_ok=True)
    answer = call("changelog", "--check")
    assert (answer.code, (space / "CHANGELOG.md").exists()) == (3, False)
    assert "clawgit changelog" in answer.err
    assert call("changelog").code == call("changelog", "--check").code == 0
    before = (space / "CHANGELOG.md").stat()
    assert call("changelog", "--json").json["written"] is False
    assert (space / "CHANGELOG.md").stat().st_mtime_ns == before.st_mtime_ns
    (space / "CHANGELOG.md").write_text(MARKER + "\nforged\n")
    assert call("changelog", "--check", "--json").json["current"] is False
    assert call("changelog", "--check").code == 3


def test_each_clone_renders_the_same_bytes(call: Callable, space: Path, kind: str, tmp_path: Path) -> None:
    """Also in another time zone, and with other settings. The author of a change is a claim there."""
    call("changelog")
    first_clone, second_clone = tmp_path / "one", tmp_path / "two"
    for copy, zone, dates in ((first_clone, "UTC", "iso"), (second_clone, "Asia/Tokyo", "relative")):
        subprocess.run(["git", "clone", "-q", space, copy], check=True)
        subprocess.run(["git", "-C", copy, "config", "log.date", dates], check=True)
        subprocess.run([CLAWGIT, "-C", copy, "changelog"], env={"TZ": zone, "PATH": "/usr/bin:/bin"}, check=True)
    assert (first_clone / "CHANGELOG.md").read_bytes() == (second_clone / "CHANGELOG.md").read_bytes()
    assert [("by claims: " in (root / "CHANGELOG.md").read_text()) for root in (space, first_clone)] == [False, True]


def test_a_file_of_somebody_else_stays(call: Callable, space: Path, inside: Callable) -> None:
    (space / "CHANGELOG.md").write_text("# Ours\n")
    inside("add", "-f", "CHANGELOG.md")
    inside("commit", "-qm", "theirs")
    assert call("changelog", "--json").json["path"] == "SOUL_CHANGELOG.md"
    assert call("changelog", "--check").code == 0
    assert (space / "CHANGELOG.md").read_text() == "# Ours\n"
    (space / "SOUL_CHANGELOG.md").write_text("# Ours too\n")
    answer = call("changelog")
    assert (answer.code, "somebody else's" in answer.err) == (1, True)
    assert (space / "SOUL_CHANGELOG.md").read_text() == "# Ours too\n"


UGLY = [
    "- [x] not *a* list _item_ `code` ~~gone~~",
    "</details><script>alert(1)</script> <!-- open",
    "one\n\n## two\n\n---\n\n> three",
    "\u202ereversed\u202c \x1b[31mred",
    "ends with \\",
]


def test_no_words_break_the_file(call: Callable, space: Path, inside: Callable) -> None:
    """Markdown shows them as they are: every heading, list and code span is ours."""
    for number, ugly in enumerate(UGLY):
        (space / "SOUL.md").write_text(f"# Soul\n\n{number}\n")
        inside("-c", "user.name=*A* <b>_c_", "commit", "-qam", "soul: x", "--allow-empty")
        inside(
            "commit", "-q", "--amend", "--allow-empty", "-m", f"soul: {' '.join(ugly.split())}", "-m", ugly, "-m", "end"
        )
        assert call("changelog").code == 0
        text = (space / "CHANGELOG.md").read_text()
        tokens = MarkdownIt().parse(text)
        assert {token.type for token in tokens if token.nesting >= 0} <= {
            *("html_block", "heading_open", "inline", "paragraph_open", "bullet_list_open", "list_item_open")
        }
        assert sum(token.type == "html_block" for token in tokens) == 1
        (newest, *_) = [
            tokens[index + 1]
            for index, token in enumerate(tokens)
            if token.type == "heading_open" and token.tag == "h3"
        ]
        words = "".join(child.content for child in newest.children or [])
        assert {child.type for child in newest.children or []} <= {"text", "text_special"}
        assert words == " ".join(re.sub("[\x00-\x1f\u202a-\u202e]", " ", f"soul: {ugly}").split())


@pytest.mark.parametrize("arguments", [("init", "--hooks"), ("adopt",)])
def test_the_changelog_is_as_the_log_says_from_the_first_day_on(
    arguments: tuple[str, ...], call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Covers P9: the creation of the workspace, and each write of ours after it, is in the rendered file."""
    folder = tmp_path / "new"
    folder.mkdir()
    if arguments[0] == "adopt":
        (folder / "SOUL.md").write_text("# Soul\n\n## Core Truths\n\n- Have a view.\n")
    monkeypatch.chdir(folder)
    assert call(*arguments, ".").code == 0
    assert call("changelog", "--check").code == 0
    assert call("soul", "edit", "--add", "Ask first.", "--section", "Core Truths", "--why", "w").code == 0
    assert call("changelog", "--check").code == 0
    assert call("undo").code == 0
    assert call("changelog", "--check").code == 0
    (folder / "SOUL.md").write_text("# Soul\n\n- Mine.\n")
    assert call("capture").code in (0, 3)
    assert call("changelog", "--check").code == 0
    assert call("status", "--json").json["dirty"] == []
