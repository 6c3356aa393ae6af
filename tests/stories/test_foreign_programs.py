"""No program that a repository names runs before its operator accepted it."""

import os
import subprocess

import pytest

from tests.messy import calls

RESTORE = ("restore", "SOUL.md", "--as-of", "HEAD~3")
COMMANDS = (
    ("adopt", "--dry-run"),
    ("adopt",),
    ("status",),
    ("doctor",),
    ("capture",),
    ("log",),
    ("soul", "log"),
    ("soul", "diff"),
    ("why", "SOUL.md:3"),
    ("search", "kettle"),
    ("context",),
    ("memory", "add", "The kettle is blue."),
    ("memory", "story", "kettle"),
    RESTORE,
    ("undo",),
    ("changelog",),
    ("trust",),
    ("digest",),
    ("eject", "--yes"),
)
SOUL = "# Soul\n\n- Calm and plain.\n"


def make_trap(folder):
    """Return a function that makes a program, and one that names the programs that ran."""
    ran = folder / "ran"
    ran.mkdir(parents=True)

    def program(name):
        place = folder / f"program-{name}"
        place.write_text(f"#!/bin/sh\ntouch '{ran}/{name}'\ncat 2>/dev/null\nexit 0\n")
        place.chmod(0o755)
        return str(place)

    return program, lambda: sorted(path.name for path in ran.iterdir())


@pytest.fixture
def hostile(tmp_path):
    """A workspace with a configuration that names a program at every place that git knows."""
    root = tmp_path / "ws"
    program, ran = make_trap(tmp_path / "trap")

    def git(*arguments, cwd=root):
        subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True)

    subprocess.run(["git", "init", "--quiet", "-b", "main", str(root)], check=True)
    git("config", "user.name", "Ada")
    git("config", "user.email", "ada@example.org")
    for number in range(3):
        (root / "SOUL.md").write_text(SOUL + f"- Rule {number}.\n")
        (root / "MEMORY.md").write_text(f"# Memory\n\n- The kettle is {number}.\n")
        (root / "one.dat").write_text(f"{number}\n")
        (root / "two.txt").write_text(f"{number}\n")
        git("add", ".")
        git("commit", "--quiet", "-m", f"state {number}")
    inner = root / "inner"
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(inner)], check=True)
    (inner / "a.md").write_text("a\n")
    git("add", ".", cwd=inner)
    git("-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "inner", cwd=inner)
    git("config", "core.fsmonitor", program("inner-fsmonitor"), cwd=inner)
    git("-c", "advice.addEmbeddedRepo=false", "add", "inner")
    git("commit", "--quiet", "-m", "inner")
    for key, name in {
        "filter.evil.clean": "clean",
        "filter.evil.smudge": "smudge",
        "filter.evil.process": "process",
        "core.fsmonitor": "fsmonitor",
        "diff.evil.textconv": "textconv",
        "diff.evil.command": "diff-command",
        "diff.external": "external",
        "merge.evil.driver": "merge-driver",
        "core.pager": "pager",
        "pager.log": "pager-log",
        "core.editor": "editor",
        "sequence.editor": "sequence-editor",
        "core.sshCommand": "ssh",
        "core.askPass": "askpass",
        "gpg.program": "gpg",
        "credential.helper": "credential",
        "interactive.diffFilter": "diff-filter",
        "remote.origin.uploadpack": "uploadpack",
        "trailer.clawgit.cmd": "trailer",
        "uploadpack.packObjectsHook": "pack-objects",
        "core.alternateRefsCommand": "alternate-refs",
    }.items():
        git("config", key, program(name))
    for name in ("status", "log", "diff"):
        git("config", f"alias.{name}", f"!{program('alias')}")
    git("config", "log.showSignature", "true")
    git("config", "commit.gpgSign", "true")
    git("config", "filter.evil.required", "true")
    git("config", "remote.origin.url", f"ext::{program('ext')}")
    git("config", "protocol.ext.allow", "always")
    git("config", "remote.origin.promisor", "true")
    git("config", "diff.ignoreSubmodules", "none")
    included = root / ".git/more"
    included.write_text(f'[filter "other"]\n\tclean = {program("included")}\n\trequired = true\n')
    git("config", "include.path", "more")
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text("MEMORY.md diff=evil merge=evil\n*.dat filter=other\n")
    (root / ".gitattributes").write_text("SOUL.md diff=evil\n*.txt filter=evil\nmemory/*.json filter=evil\n")
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "pre-commit", "post-commit", "prepare-commit-msg", "commit-msg", "post-checkout", "post-merge", "post-rewrite",
        "pre-auto-gc", "reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-push", "update",
    ):  # fmt: skip
        (hooks / name).write_text(f"#!/bin/sh\ntouch '{tmp_path}/trap/ran/hook-{name}'\n")
        (hooks / name).chmod(0o755)
    (root / "SOUL.md").write_text(SOUL + "- Changed.\n")
    (root / "one.dat").write_text("changed\n")
    (root / "two.txt").write_text("changed\n")
    (root / "memory").mkdir()
    (root / "memory/2026-02-14.md").write_text("## 09:00\n\nThe kettle is green.\n")
    os.utime(root / "MEMORY.md", (1, 1))
    return root, ran


def call(root, *arguments):
    return calls.call(root, *arguments, debug=False)


def test_nothing_that_the_repository_names_runs(hostile):
    """One workspace, every vector at once, one command after the other."""
    root, ran = hostile
    ended = {}
    for command in COMMANDS:
        ended[command] = call(root, *command)
        assert ran() == [], (command, ended[command].err)
    assert all(answer.code in (0, 1, 3) for answer in ended.values()), {
        command: (answer.code, answer.err) for command, answer in ended.items() if answer.code not in (0, 1, 3)
    }
    for command in (("adopt",), ("capture",), ("memory", "add", "The kettle is blue."), RESTORE):
        assert ended[command].code == 0, ended[command].err
    assert all("Traceback" not in answer.err for answer in ended.values())
