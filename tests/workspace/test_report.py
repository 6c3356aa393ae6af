"""The report on a workspace that nobody manages yet."""

import os
import re
import socket
from pathlib import Path

import pytest

from clawgit.workspace.report import report as whole
from clawgit.workspace.report import report_files, report_history

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
    place.write("memory/large.md", ("x" * 1023 + "\n") * (2 << 10) + "y")
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


# --- history that is not whole, parts that fail


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


@pytest.mark.parametrize(
    ("module", "name", "part"),
    [
        (report_files, "conflict_markers", "files"),
        (whole.Losses, "see", "lost lines"),
        (report_history.churn, "churn", None),
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
