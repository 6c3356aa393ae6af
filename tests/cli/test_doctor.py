"""`clawgit doctor`: its findings, its repairs, and that nothing stops it."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import killed

SECRET = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
Prepare = Callable[[Path, Callable[..., str]], object]


def list_rows(call: Callable, *arguments: str) -> list[dict[str, Any]]:
    answer = call("doctor", "--json", *arguments)
    assert answer.code == (0 if all(row["ok"] for row in answer.json) else 3)
    fields = ["check", "ok", "message", "fix", "repaired", "key", "level", "paths", "line"]
    assert all(list(row) == fields for row in answer.json)
    assert all(row["message"] for row in answer.json)
    assert all(row["fix"] or row["ok"] or row["message"].startswith("not looked at") for row in answer.json)
    return answer.json


def bad(call: Callable, *arguments: str) -> list[tuple[str, str]]:
    return [(row["check"], row["message"]) for row in list_rows(call, *arguments) if not row["ok"]]


def write(name: str, data: str | bytes) -> Prepare:
    def run(space: Path, _: Callable[..., str]) -> None:
        (space / name).parent.mkdir(parents=True, exist_ok=True)
        (space / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    return run


def committed(name: str, data: str | bytes) -> Prepare:
    def run(space: Path, git: Callable[..., str]) -> None:
        write(name, data)(space, git)
        git("add", "-f", name)
        git("commit", "-qm", "by hand")

    return run


def leaked(space: Path, git: Callable[..., str]) -> None:
    committed("TOOLS.md", f"x\nkey {SECRET}\n")(space, git)
    committed("TOOLS.md", "x\n")(space, git)
    git("revert", "--no-edit", "HEAD")
    write("TOOLS.md", "x\n")(space, git)


def merging(space: Path, git: Callable[..., str]) -> None:
    (space / ".git/MERGE_HEAD").write_text(git("rev-parse", "HEAD"))


def linked_folder(space: Path, _: Callable[..., str]) -> None:
    (space / "memory/out.md").symlink_to("/usr")


def locked(space: Path, _: Callable[..., str]) -> None:
    place = space / ".git/index.lock"
    place.write_text("")
    os.utime(place, (0, 0))


def nested(space: Path, git: Callable[..., str]) -> None:
    git("init", "-q", "memory/inner")
    git("init", "-q", "projects/other")


def ignored(space: Path, git: Callable[..., str]) -> None:
    committed(".gitignore", "*.tmp\nmemory/\n")(space, git)
    write("memory/2026-01-20.md", "x\n")(space, git)


def filtered(space: Path, _: Callable[..., str]) -> None:
    (space / ".gitattributes").write_text("*.md filter=crypt\n")


def row(text: str) -> Prepare:
    return committed(".clawgit/entries.tsv", f"# clawgit entries 1\n{text}\n")


FAULTS: list[tuple[Prepare, str, str, str]] = [
    (nested, "nested repositories", "memory/inner is a repository of its own", "rm -r 'memory/inner/.git'"),
    (write("memory/latin.md", b"a\n\xff\n"), "files", "memory/latin.md:2 is not valid UTF-8", "iconv"),
    (write("memory/both.md", "<<<<<<< a\n=======\n>>>>>>> b\n"), "files", "memory/both.md:1 has conflict", "resolve"),
    (linked_folder, "files", "memory/out.md is a symbolic link to /usr", "rm 'memory/out.md'   # /usr stays as it is"),
    (write("TOOLS.md", f"x\nkey {SECRET}\n"), "secrets on disk", "TOOLS.md:2 holds a secret (github)", "move it"),
    (committed("SOUL.md", "# S\nin\u200bvisible\n"), "hidden text", "SOUL.md:2 holds characters that nobody", "cat"),
    (committed("USER.md", "x" * 5_000), "sizes", "never sees 1,104: its cap is 4,000", "shorten USER.md"),
    (row("broken"), "sidecar", ".clawgit/entries.tsv:2", "git log -p"),
]


def look_for(call: Callable, check: str, words: str, fix: str, rows: list[dict[str, Any]]) -> None:
    matching = [row for row in rows if row["check"] == check and words in row["message"]]
    assert matching, [row for row in rows if not row["ok"]]
    assert not matching[0]["ok"]
    assert fix in matching[0]["fix"]


def test_each_fault_of_many_is_named_with_a_way_out(call: Callable, space: Path, inside: Callable) -> None:
    for prepare, _, _, _ in FAULTS[::-1]:
        prepare(space, inside)
    before = inside("status", "--porcelain")
    rows = list_rows(call)
    for _, check, words, fix in FAULTS:
        look_for(call, check, words, fix, rows)
    assert SECRET not in call("doctor").out
    assert inside("status", "--porcelain") == before


@pytest.mark.parametrize(
    ("prepare", "check", "words", "fix"),
    [
        (merging, "branch", "a merge is under way", "git merge --abort"),
        (locked, "branch", "died left ", "clawgit doctor --fix"),
        (filtered, "attributes", "AGENTS.md has the attribute filter=crypt", "echo '*.md -filter' >> .gitattributes"),
        (ignored, "ignored files", ".gitignore:2: memory/", "drop "),
        (leaked, "secrets in HEAD", "TOOLS.md:2 in HEAD holds a secret (github)", "replace the secret"),
    ],
)
def test_what_is_broken_is_named_with_a_way_out_and_the_rest_goes_on(
    call: Callable, space: Path, inside: Callable, prepare: Prepare, check: str, words: str, fix: str
) -> None:
    prepare(space, inside)
    before = inside("status", "--porcelain")
    look_for(call, check, words, fix, list_rows(call))
    assert inside("status", "--porcelain") == before


# --- repairs


def test_an_interrupted_write_is_finished(call: Callable, space: Path) -> None:
    with killed():
        call("memory", "add", "Ana likes tea.")
    (finding,) = [row for row in list_rows(call) if row["check"] == "interrupted writes"]
    assert (finding["ok"], finding["fix"]) == (False, "clawgit doctor --fix")
    (finding,) = [row for row in list_rows(call, "--fix") if row["check"] == "interrupted writes"]
    assert (finding["ok"], finding["repaired"]) == (True, True)
    assert bad(call) == []
    assert "Ana likes tea." in (space / "MEMORY.md").read_text()


# --- repositories that are something else


def test_a_repository_that_cannot_be_read_is_named_once_and_the_files_are_looked_at(
    call: Callable, space: Path
) -> None:
    (space / "TOOLS.md").write_text(f"key {SECRET}\n")
    (space / "AGENTS.md").write_text("x" * 25_000)
    shutil.rmtree(space / ".git/objects")
    (space / ".git/objects").mkdir()
    findings = bad(call)
    assert findings[0][0] == "repository"
    assert " is not here" in findings[0][1]
    assert ("branch", "not looked at: see “repository”") in findings
    assert ("secrets on disk", "TOOLS.md:1 holds a secret (github)") in findings
    assert any("AGENTS.md" in message for check, message in findings if check == "sizes")


def test_a_clone_that_has_not_all_is_named(call: Callable, space: Path, tmp_path: Path) -> None:
    for text in ("One.", "Two."):
        call("memory", "add", text)
    target = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{space}", target], check=True, capture_output=True)
    (cut,) = [row for row in list_rows(lambda *rest: call("-C", target, *rest)) if not row["ok"]]
    assert (cut["check"], cut["fix"]) == ("history", "git fetch --unshallow")
    subprocess.run(cut["fix"].split(), cwd=target, check=True, capture_output=True)
    assert bad(lambda *rest: call("-C", target, *rest)) == []


def test_neither_a_missing_git_nor_a_broken_check_ends_the_others(
    call: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.safety.hidden_text.find_hidden_text", lambda _: 1 // 0)
    assert any(check == "hidden text" and "ZeroDivisionError" in message for check, message in bad(call))
    monkeypatch.setenv("PATH", "/nowhere")
    assert ("git", "git is not installed, or not on PATH") in bad(call)


def test_a_file_that_git_is_told_to_overlook_is_told_of_and_captured_after_the_printed_commands(
    call: Callable, space: Path, inside: Callable
) -> None:
    """The owner of the bit may want to keep his edit to himself; nobody is told that all is committed."""
    for bit in ("--skip-worktree", "--assume-unchanged"):
        inside("update-index", bit, "USER.md")
    assert call("capture", "--json").json["commits"] == []
    (space / "USER.md").write_text("# User\n\nAda.\n")
    answer = call("capture")
    assert "everything is committed" not in answer.err
    assert "USER.md has changes that git was told to overlook" in answer.err
    assert "USER.md" in call("status").out
    fix = next(line for line in answer.err.splitlines() if line.startswith("  fix: ")).removeprefix("  fix: ")
    subprocess.run(["sh", "-c", fix], cwd=space, check=True)
    assert call("capture", "--json").json["files"] == ["USER.md"]
    assert inside("show", "HEAD:USER.md") == "# User\n\nAda.\n"


def test_sizes_are_those_of_openclaw(
    call: Callable, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "openclaw.json"
    workspace = {"workspace": str(space)}
    config.write_text(json.dumps({"meta": {"lastTouchedVersion": "2026.9.6"}, "agents": {"defaults": workspace}}))
    monkeypatch.setenv("OPENCLAW_CONFIG_PATH", str(config))
    for name, size in (("USER.md", 5_000), ("TOOLS.md", 25_000)):
        (space / name).write_text("x" * size)
    assert [row["message"].split()[0] for row in list_rows(call) if row["check"] == "sizes" and not row["ok"]] == [
        "USER.md"
    ]
