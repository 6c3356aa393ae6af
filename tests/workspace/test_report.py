"""The report on a workspace that nobody manages yet."""

import os
import re
import socket
import time
from pathlib import Path

import pytest

from clawgit.git import worktree_files
from clawgit.workspace.report import report as whole
from clawgit.workspace.report import report_files, report_history
from clawgit.workspace.report import report_secrets as report_identity
from clawgit.workspace.report.report import report

from .reports import AWS, GITHUB, JOURNAL, PEM, PEM_BODY, SOUL, leaks, wild


@pytest.fixture
def place(memory_folder):
    """A workspace that is not managed yet."""
    return wild(memory_folder)


def odd(found, kind):
    return {(one.path, one.line) for one in found.odd if one.kind == kind}


# --- secrets


def test_secrets_are_told_by_place_and_never_shown(place):
    """Neither in JSON, nor in a repr, nor on the screen; also not half of one."""
    gone = place.commit({JOURNAL: f"# day\n\n- the token is {GITHUB}\n\n{PEM}\n"})
    place.commit({JOURNAL: f"# day\n\n- aws {AWS}\n", "MEMORY.md": f"# Memory\n\n{PEM}\n"})
    place.write("TOOLS.md", f"# {AWS}\n" + "tool\n" * 9000)
    found = place.report()
    assert leaks(found, AWS, GITHUB, PEM_BODY, PEM_BODY[::-1], PEM_BODY[:12]) == []
    assert {(one.path, one.line, one.rule) for one in found.secrets.files} == {
        (JOURNAL, 3, "aws-access-key"),
        ("MEMORY.md", 3, "private-key"),
        ("TOOLS.md", 1, "aws-access-key"),
    }
    assert [(one.rule, one.commit, one.path, one.line) for one in found.secrets.gone] == [("github", gone, JOURNAL, 3)]
    assert found.secrets.rules == {"aws-access-key": 1, "github": 1, "private-key": 1}


def test_half_of_a_key_that_an_edit_took_out_is_not_quoted(place):
    """The edit took one line of it: alone it looks like any words."""
    place.commit({JOURNAL: f"# day\n\n{PEM}\n"})
    place.commit({JOURNAL: f"# day\n\n{PEM.replace(PEM_BODY, '')}\n"})
    assert leaks(place.report(), PEM_BODY, PEM_BODY[:12]) == []


def test_a_repeated_line_with_a_secret_is_not_quoted(place):
    for number in range(3):
        place.commit({f"memory/2026-01-2{number}.md": f"# day\n\n- log in with {AWS} please\n\n{PEM}\n"})
    found = place.report()
    assert found.repeats.lines > 0
    assert leaks(found, AWS, PEM_BODY[:12], PEM_BODY[::-1][:12]) == []


def test_the_rest_of_a_line_that_ends_a_key_is_quoted_without_it(place):
    """Alone, such a line is not known for a secret."""
    for number in range(3):
        key = f"-----BEGIN PRIVATE KEY-----\n{PEM_BODY}\n{PEM_BODY[::-1]}-----END PRIVATE KEY----- keep this one safe"
        place.commit({f"memory/2026-01-2{number}.md": f"# day\n\n{key}\n"})
    found = place.report()
    assert any(one.words.endswith("keep this one safe") for one in found.repeats.most)
    assert leaks(found, PEM_BODY[:12], PEM_BODY[::-1][:12]) == []


def test_a_secret_of_a_side_branch_is_found_in_the_newest_commit_that_brought_it(place):
    place.git("checkout", "-qb", "side")
    place.commit({"notes/deep.md": f"x\n{AWS}\n"})
    place.commit({"notes/deep.md": None})
    newest = place.commit({"notes/deep.md": f"x\ny\n{AWS}\n"})
    place.git("checkout", "-q", "main")
    (one,) = place.report().secrets.gone
    assert (one.commit, one.path, one.line) == (newest, "notes/deep.md", 3)


# --- identity, sizes, repetition


def test_the_versions_of_every_soul_are_counted_on_this_branch(place):
    place.commit({"SOUL.md": SOUL + "- Be brief.\n", "agents/miner/SOUL.md": "# Miner\n"})
    place.commit({"SOUL.md": SOUL})
    place.commit({"SOUL.md": SOUL + "- Be brief, and kind, and say so when you do not know.\n"})
    place.git("checkout", "-qb", "side")
    place.commit({"SOUL.md": "# another\n"})
    place.git("checkout", "-q", "main")
    soul, miner = place.report().identity
    assert (soul.path, soul.versions, soul.commits) == ("SOUL.md", 3, 4)
    assert soul.growth > 0
    assert soul.first <= soul.last
    assert (miner.path, miner.versions, miner.growth) == ("agents/miner/SOUL.md", 1, 0)


def test_a_missing_identity_file_is_told_without_blame(place):
    place.commit({"IDENTITY.md": "- **Name:** Claw\n"})
    place.commit({"IDENTITY.md": None})
    assert [(one.path, one.tokens) for one in place.report().identity][1] == ("IDENTITY.md", None)


def test_what_the_caps_hide_is_named_by_its_headings(place):
    sections = "".join(f"## Part {number}\n\n{'word ' * 300}\n\n" for number in range(20))
    place.commit({"AGENTS.md": f"# Agents\n\n{sections}", "USER.md": "x" * 3_999})
    (one,) = place.report().caps
    text = place.text("AGENTS.md").rstrip()
    assert (one.path, one.size, one.hidden) == ("AGENTS.md", len(text), len(text) - 12_000)
    assert one.first == text[:9_000].count("\n") + 1
    assert one.last == text[: len(text) - 3_000].count("\n") + 1
    begun = text[:9_000].rpartition("## ")[2].partition("\n")[0]
    assert one.headings == (begun, *re.findall("## (.*)\n", text[9_000 : len(text) - 3_000]))


def test_characters_are_cut_as_javascript_counts_them(place):
    place.commit({"USER.md": "👩\n" * 2_000})
    (one,) = place.report().caps
    assert (one.size, one.hidden) == (5_999, 2_103)
    assert (one.first, one.last) == (2_922 // 3 + 1, -(-(5_999 - 974) // 3))


def test_lines_said_twice_count_but_headings_labels_times_and_dumps_do_not(place):
    day = "# 2026\n\n## Morning routine\n\n- Checked the inbox, nothing new\n- Things to remember:\n- 09:30\n"
    raw = "# Session: x\n\nuser: Checked the inbox, nothing new\nassistant: Checked the inbox, nothing new\n"
    place.commit({f"memory/2026-01-0{number}.md": day for number in range(1, 5)} | {"memory/2026-01-09-1200.md": raw})
    place.commit({"MEMORY.md": "# Memory\n\n* **checked** the inbox,  nothing new\n"})
    found = place.report()
    assert found.repeats.lines == 4
    (one,) = found.repeats.most
    assert (one.words, one.count, one.files) == ("**checked** the inbox, nothing new", 5, 5)
    assert one.places[:2] == ("MEMORY.md:3", "memory/2026-01-01.md:5")
    assert found.dumps.paths == ("memory/2026-01-09-1200.md",)
    assert 0 < found.dumps.share < 1


# --- what stands in the way


def test_every_shape_of_trouble_is_named(place):
    place.commit({"MEMORY.md": "# Memory\n"})
    place.write("memory/latin.md", b"# x\ncaf\xe9\n")
    place.write("memory/nul.md", b"# x\n\n\0\n")
    place.write("memory/large.md", "x\n" * (1 << 20) + "y")
    place.write("memory/open.md", "# x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    place.write("memory/dos.md", "\ufeff# x\r\n")
    place.write("memory/back\\slash.md", "x\n")
    place.write("memory/a\nb.md", "x\n")
    place.write(os.fsdecode(b"memory/\xff.md"), "x\n")
    place.write("memory/Twin.md", "x\n")
    place.write("memory/twin.md", "x\n")
    place.write("C:note.md", "x\n")
    (place.root / "memory/link.md").symlink_to("/etc/hosts")
    (place.root / "memory/away").symlink_to("/tmp")
    os.mkfifo(place.root / "memory/pipe.md")
    (place.root / "memory/folder.md").mkdir()
    (place.root / "agents").mkdir()
    here = Path.cwd()
    os.chdir(place.root / "memory")  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("socket.md")
            found = place.report()
    finally:
        os.chdir(here)
    assert odd(found, "encoding") == {("memory/latin.md", 2)}
    assert odd(found, "binary") == {("memory/nul.md", 3)}
    assert odd(found, "large") == {("memory/large.md", None)}
    assert odd(found, "conflict") == {("memory/open.md", 2)}
    assert odd(found, "line-ends") == odd(found, "byte-order-mark") == {("memory/dos.md", None)}
    names = {"memory/a\nb.md", os.fsdecode(b"memory/\xff.md"), "C:note.md"}
    assert {path for path, _ in odd(found, "name")} == names
    assert odd(found, "twin") == {("memory/twin.md", None)}
    assert {path for path, _ in odd(found, "link")} == {"memory/link.md", "memory/away"}
    assert {path for path, _ in odd(found, "special")} == {"memory/pipe.md", "memory/socket.md", "memory/folder.md"}
    assert found.failures == ()


def test_what_is_left_alone_is_named(place):
    place.git("init", "-q", place.root / "projects/site")
    place.git("init", "-q", place.root / "memory/inner")
    place.write("projects/site/README.md", "x\n")
    place.write("skills/x/SKILL.md", "x\n")
    place.write("node_modules/x/README.md", "x\n")
    place.write(".gitignore", "memory/private*\n")
    place.write("memory/private.md", "x\n")
    place.git("-C", "projects/site", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty")
    place.git("add", "projects/site")
    place.git("commit", "-qm", "all")
    place.git("worktree", "add", "-q", "--detach", place.root.parent / "other")
    place.git("branch", "same")
    place.git("checkout", "-qb", "side")
    place.commit({"x.md": "x\n"})
    place.git("checkout", "-q", "main")
    found = place.report()
    assert {path for path, _ in odd(found, "repository")} == {"projects/site", "memory/inner"}
    assert odd(found, "submodule") == {("projects/site", None)}
    assert [(one.path, one.why) for one in found.odd if one.kind == "ignored"] == [
        ("memory/private.md", ".gitignore:1: memory/private*")
    ]
    assert found.sides.branches == ("side",)
    assert found.sides.worktrees == (str(place.root.parent / "other"),)
    assert found.sizes.elsewhere == 1


def test_files_that_git_would_store_otherwise_are_named(place):
    place.write(".gitattributes", "memory/*.md filter=crypt\nMEMORY.md text eol=crlf\n")
    place.commit({JOURNAL: "# day\n", "MEMORY.md": "# Memory\n"})
    assert {path for path, _ in odd(place.report(), "converted")} == {JOURNAL, "MEMORY.md"}


# --- history that is not whole, parts that fail


def test_a_folder_without_git_is_reported_too(memory_folder):
    (memory_folder / "memory").mkdir()
    (memory_folder / JOURNAL).write_text(f"# day\n\n- {AWS}\n")
    found = report(memory_folder, None)
    assert (found.history, found.failures) == (None, ())
    assert len(found.secrets.files) == 1


def test_a_repository_without_a_commit_is_reported_too(memory_folder):
    place = wild(memory_folder)
    place.git("update-ref", "-d", "HEAD")
    found = place.report()
    assert (found.history.commits, found.failures) == (0, ())


def test_the_orphan_of_another_project_is_no_history_of_this_one(place):
    place.git("checkout", "-q", "--orphan", "pages")
    place.commit({"memory/2026-01-01.md": "- something that is not from here\n"})
    place.commit({"memory/2026-01-01.md": None})
    place.git("checkout", "-qf", "main")
    assert place.report().journals == ()


def test_a_missing_object_leaves_the_rest_to_be_seen(place):
    place.commit({JOURNAL: "# day\n\n- the fox came back tonight\n- and the hedgehog\n"})
    place.commit({JOURNAL: "# day\n\n- and the hedgehog\n"})
    broken = place.commit({"memory/2026-01-21.md": "only here\n"})
    place.commit({"memory/2026-01-21.md": None})
    blob = place.git("rev-parse", f"{broken}:memory/2026-01-21.md").strip()
    (place.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    found = place.report()
    assert broken in found.history.gaps
    assert not found.history.whole
    assert [loss.files[0].words for loss in found.journals] == ["the fox came back tonight"]


def test_a_shallow_clone_says_so(place, memory_folder):
    place.commit({JOURNAL: "# day\n"})
    place.git("clone", "-q", "--depth", "1", f"file://{place.root}", memory_folder / "clone")
    place.root = memory_folder / "clone"
    found = place.report()
    assert found.history.shallow
    assert (found.journals, found.failures) == ((), ())


def test_a_partial_clone_is_not_fetched_for_a_report(place, memory_folder):
    """What old versions held lies elsewhere: asking for each of thousands would take hours."""
    place.commit({JOURNAL: f"# day\n- {AWS}\n"})
    place.commit({JOURNAL: "# day\n"})
    place.git("config", "uploadpack.allowFilter", "true")
    clone = memory_folder / "clone"
    place.git("clone", "-q", "--filter=blob:none", f"file://{place.root}", clone)
    place.root.rename(memory_folder / "away")
    place.root = clone
    found = place.report()
    assert found.sides.promisors == ("origin",)
    assert found.history.note
    assert found.failures == ()


def test_commits_in_other_encodings_and_without_anything_do_no_harm(place):
    place.git("commit", "-q", "--allow-empty", "-m", "nothing")
    place.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-m", "caf\u00e9")
    place.write(JOURNAL, b"# day\n\n- caf\xe9 by the river\n- and the hedgehog\n")
    place.git("add", "-A")
    place.git("commit", "-qm", "latin")
    place.commit({JOURNAL: "# day\n\n- and the hedgehog\n"})
    found = place.report()
    assert found.failures == ()
    assert [loss.lines for loss in found.journals] == [1]


def test_however_slow_the_machine_all_of_history_is_read(place, monkeypatch):
    """No clock ends the reading: what a clock kept from being looked at was said not to exist."""
    for number in range(6):
        place.commit({f"notes/{number}.md": f"key {AWS[:-1]}{number}\n"})
        place.commit({f"notes/{number}.md": None})
    clock = iter(range(0, 10**9, 3600))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    found = place.report()
    assert len(found.secrets.gone) == 6
    assert (found.history.read, found.history.commits, found.unknown) == (13, 13, ())


def test_what_could_not_be_read_is_unknown_and_never_none(place, memory_folder):
    place.commit({JOURNAL: f"# day\n- {AWS}\n"})
    place.commit({JOURNAL: "# day\n"})
    place.git("config", "uploadpack.allowFilter", "true")
    clone = memory_folder / "clone"
    place.git("clone", "-q", "--filter=blob:none", f"file://{place.root}", clone)
    place.root.rename(memory_folder / "away")
    place.root = clone
    found = place.report()
    assert found.unknown == ("secrets in history", "lost journal lines", "lost notes", "identity")
    assert [one.versions for one in found.identity] == [None]


def test_a_secret_that_stands_in_a_file_of_others_is_not_only_in_history(place):
    """That git no longer tracks a file does not mean that nobody has it."""
    place.commit({"skills/mail/README.md": f"key {AWS}\n"})
    place.git("rm", "-q", "--cached", "skills/mail/README.md")
    place.git("commit", "-qm", "not tracked any more")
    found = place.report()
    assert [one.path for one in found.secrets.files] == ["skills/mail/README.md"]
    assert found.secrets.gone == ()


@pytest.mark.parametrize(
    ("module", "name", "part"),
    [
        (report_files, "conflict_markers", "files"),
        (report_identity.Versions, "see", "identity"),
        (whole.Losses, "see", "lost lines"),
        (whole.Leaks, "see", "secrets in history"),
        (whole.report_parts, "unseen", "sizes"),
        (whole.report_parts, "repeats", "repeated lines"),
        (report_history.churn, "churn", None),
        (whole.report_parts, "hidden", "ignored files"),
        (whole.lost_lines, "losses", "lost lines"),
    ],
)
def test_a_part_that_fails_is_told_and_ends_no_other(place, monkeypatch, module, name, part):
    place.commit({JOURNAL: "# day\n\n- the fox\n- <<<<<<<\n", "MEMORY.md": "# M\n"})
    place.commit({JOURNAL: "# day\n\n- <<<<<<<\n"})

    def broken(*_, **__):
        raise RuntimeError(AWS)

    monkeypatch.setattr(module, name, broken)
    found = place.report()
    told = [one.part for one in found.failures] or [None if found.history.note else "nobody"]
    assert told == [part]
    assert found.journals == () or part not in ("files", "lost lines")
    assert leaks(found, AWS) == []


def test_files_that_may_not_be_read_are_named(place, monkeypatch):
    place.commit({JOURNAL: "# day\n", "memory/2026-01-21.md": "# day\n"})
    original = worktree_files.open_quietly

    def refusing(target):
        if target.name == "2026-01-21.md":
            raise PermissionError(13, "Permission denied", str(target))
        return original(target)

    monkeypatch.setattr(worktree_files, "open_quietly", refusing)
    assert odd(place.report(), "closed") == {("memory/2026-01-21.md", None)}


@pytest.mark.parametrize("path", ["memory", JOURNAL])
def test_what_went_behind_a_link_is_not_called_lost(place, memory_folder, path):
    place.commit({JOURNAL: "# day\n\n- the fox came back tonight\n"})
    (place.root / path).rename(memory_folder / "away")
    (place.root / path).symlink_to(memory_folder / "away")
    place.git("add", "-A")
    place.git("commit", "-qm", "linked")
    found = place.report()
    assert (found.journals, found.failures) == ((), ())
    assert {one for one, _ in odd(found, "link")} == {path}
