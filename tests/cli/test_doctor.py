"""`clawgit doctor`: what it finds, what it repairs, and that nothing stops it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SECRET = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
CHECKS = [
    "git",
    "repository",
    "managed",
    "branch",
    "interrupted writes",
    "permissions",
    "state",
    "index",
    "history cuts",
    "history",
    "identity",
    "clock",
    "nested repositories",
    "programs",
    "other machines",
    "CONFIG.md",
    "approved identity",
    "approvals",
    "losses",
    "secrets on disk",
    "secrets in HEAD",
    "unread history",
    "secrets in history",
    "files",
    "twins",
    "attributes",
    "ignored files",
    "held files",
    "uncommitted files",
    "conflict markers",
    "hidden text",
    "long lines",
    "sizes",
    "skills",
    "old readings",
    "links",
    "sidecar",
    "the agent's writes",
    "memory length",
    "vectors",
    "OpenClaw",
    "forgotten sessions",
    "model",
    "git hooks",
    "merge driver",
    "writing",
]

ON_DISK = {
    "CONFIG.md",
    "secrets on disk",
    "files",
    "twins",
    "hidden text",
    "long lines",
    "sizes",
    "skills",
    "old readings",
    "links",
    "sidecar",
    "the agent's writes",
    "memory length",
    "vectors",
    "OpenClaw",
    "model",
}

Prepare = Callable[[Path, Callable[..., str]], object]


def found(call: Callable, *arguments: str) -> list[dict[str, Any]]:
    answer = call("doctor", "--json", *arguments)
    assert answer.code == (0 if all(one["ok"] for one in answer.json) else 3)
    assert list(dict.fromkeys(one["check"] for one in answer.json)) in (CHECKS, CHECKS[:2])
    fields = ["check", "ok", "message", "fix", "repaired", "key", "level", "paths", "line"]
    assert all(list(one) == fields for one in answer.json)
    assert all(one["message"] for one in answer.json)
    assert all(one["fix"] or one["ok"] or one["message"].startswith("not looked at") for one in answer.json)
    return answer.json


def bad(call: Callable, *arguments: str) -> list[tuple[str, str]]:
    return [(one["check"], one["message"]) for one in found(call, *arguments) if not one["ok"]]


def test_a_sound_workspace_has_nothing_and_is_left_alone(call: Callable, photograph: Callable) -> None:
    before = photograph()
    assert bad(call) == []
    answer = call("doctor")
    assert (answer.code, answer.err) == (0, "note: all is well\n")
    assert answer.out.splitlines()[0].startswith("✓ git                  version 2.")
    assert len(answer.out.splitlines()) == len(CHECKS)
    assert photograph() == before


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


def unmerged(_: Path, git: Callable[..., str]) -> None:
    blob = git("rev-parse", "HEAD:SOUL.md").strip()
    listed = "".join(f"100644 {blob} {stage}\tSOUL.md\n" for stage in (1, 2, 3))
    git("rm", "-q", "--cached", "SOUL.md")
    subprocess.run(["git", "update-index", "--index-info"], cwd=_, input=listed, text=True, check=True)


def linked(space: Path, _: Callable[..., str]) -> None:
    (space / "memory/link.md").symlink_to("/nowhere")


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


def crlf(_: Path, git: Callable[..., str]) -> None:
    git("config", "core.autocrlf", "true")


def config(old: str, new: str) -> Prepare:
    return lambda space, git: committed("CONFIG.md", (space / "CONFIG.md").read_text().replace(old, new))(space, git)


def row(text: str) -> Prepare:
    return committed(".clawgit/entries.tsv", f"# clawgit entries 1\n{text}\n")


@pytest.mark.parametrize(
    ("prepare", "check", "words", "fix"),
    [
        (merging, "branch", "a merge is under way", "git merge --quit"),
        (unmerged, "branch", "SOUL.md is unmerged", "git add 'SOUL.md'"),
        (lambda _, git: git("checkout", "-q", "--detach"), "branch", "HEAD is detached", "git switch main"),
        (lambda _, git: git("switch", "-qc", "x"), "branch", "branch x is checked out", "git switch main"),
        (locked, "branch", " days ago left ", "clawgit doctor --fix"),
        (
            nested,
            "nested repositories",
            "memory/inner is a repository of its own",
            "rm -r 'memory/inner/.git'",
        ),
        (config("soul_max_tokens: 800", "soul_max_tokens: 0"), "CONFIG.md", "CONFIG.md:29: soul_max_tokens: 0 is", ""),
        (config("soul_max_tokens:", "soul_max_token:"), "CONFIG.md", "soul_max_token is no key", "call it"),
        (config("soul_max_tokens: 800", "\t- x"), "CONFIG.md", "CONFIG.md:29: ", "by hand"),
        (write("SOUL.md", "# Soul\n"), "uncommitted files", "SOUL.md is not committed", "clawgit capture"),
        (write("MEMORY.md", b"a\n\xff\n"), "files", "MEMORY.md:2 is not valid UTF-8", "iconv"),
        (write("memory/big.md", b"x" * (3 << 20)), "permissions", "memory/big.md has 3,145,728 bytes", "split"),
        (write("MEMORY.md", "<<<<<<< a\n=======\n>>>>>>> b\n"), "files", "MEMORY.md:1 has conflict", "resolve"),
        (linked, "files", "memory/link.md is a symbolic link to /nowhere", "rm "),
        (filtered, "attributes", "AGENTS.md has the attribute filter=crypt", "echo '*.md -filter' >> .gitattributes"),
        (crlf, "attributes", "core.autocrlf=true converts its line endings", "echo '*.md -text' >> .gitattributes"),
        (ignored, "ignored files", ".gitignore:2: memory/", "drop "),
        (write("TOOLS.md", f"x\nkey {SECRET}\n"), "secrets on disk", "TOOLS.md:2 holds a secret (github)", "move it"),
        (leaked, "secrets in HEAD", "TOOLS.md:2 in HEAD holds a secret (github)", "replace the secret"),
        (
            committed("SOUL.md", "# S\nin\u200bvisible\n"),
            "hidden text",
            "SOUL.md:2 holds characters that nobody",
            "cat",
        ),
        (
            write("memory/a.md", b"\0a" * 99),
            "hidden text",
            "a.md:1 holds characters that nobody sees (U+0000, control), and 98 more",
            "cat",
        ),
        (
            committed("MEMORY.md", "x" * 25_000),
            "sizes",
            "of which the agent never sees 5,111: its cap is 20",
            "memory-compactor",
        ),
        (committed("USER.md", "x" * 5_000), "sizes", "never sees 1,104: its cap is 4,000", "shorten USER.md"),
        (
            committed("MEMORY.md", "# Memory\n\n- More: [memory/heron.md](memory/heron.md)\n"),
            "links",
            "MEMORY.md:3 leads to memory/heron.md, which is not there",
            "correct MEMORY.md:3, or write memory/heron.md",
        ),
        (row("broken"), "sidecar", ".clawgit/entries.tsv:2", "git log -p"),
        (lambda _, git: git("rm", "-qr", ".clawgit"), "uncommitted files", ".clawgit/entries.tsv", "git"),
    ],
)
def test_what_is_broken_is_named_with_a_way_out_and_the_rest_goes_on(
    call: Callable, space: Path, inside: Callable, prepare: Prepare, check: str, words: str, fix: str
) -> None:
    prepare(space, inside)
    before = inside("status", "--porcelain")
    every = found(call)
    matching = [one for one in every if one["check"] == check and words in one["message"]]
    assert matching, [one for one in every if not one["ok"]]
    assert not matching[0]["ok"]
    assert fix in matching[0]["fix"]
    assert SECRET not in call("doctor").out
    assert inside("status", "--porcelain") == before


def test_a_row_whose_entry_has_gone_is_worth_knowing_and_no_fault(
    call: Callable, space: Path, inside: Callable
) -> None:
    row("kkkkkkkkkk\tMEMORY.md\tabc\t\toperator\t0.9\t\t\t\tlive\t")(space, inside)
    (one,) = [one for one in found(call) if one["check"] == "sidecar"]
    assert one["ok"]
    assert "kkkkkkkkkk (MEMORY.md)" in one["message"]


def test_all_files_together_have_a_cap_too(call: Callable, space: Path, inside: Callable) -> None:
    for name in ("AGENTS.md", "SOUL.md", "IDENTITY.md"):
        committed(name, "x" * 19_990)(space, inside)
    said = "\n".join(message for check, message in bad(call) if check == "sizes")
    assert "MEMORY.md has " in said
    assert "all files together may have 60,000, and those before it leave 0" in said
    assert "AGENTS.md" not in said


# --- repairs


class _DeathError(BaseException):
    pass


def test_an_interrupted_write_is_finished(call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:

        def dies(*_: object) -> None:
            raise _DeathError

        patch.setattr("clawgit.git.landing.place", dies)
        with pytest.raises(_DeathError):
            call("memory", "add", "Ana likes tea.")
    (one,) = [one for one in found(call) if one["check"] == "interrupted writes"]
    assert (one["ok"], one["fix"]) == (False, "clawgit doctor --fix")
    (one,) = [one for one in found(call, "--fix") if one["check"] == "interrupted writes"]
    assert (one["ok"], one["repaired"]) == (True, True)
    assert bad(call) == []
    assert "Ana likes tea." in (space / "MEMORY.md").read_text()


def test_a_stale_index_entry_is_put_right(call: Callable, space: Path, inside: Callable) -> None:
    call("memory", "add", "One.")
    old = (space / ".git/index").read_bytes()
    call("memory", "add", "Two.")
    (space / ".git/index").write_bytes(old)
    assert "MEMORY.md: git's index holds an older version than HEAD" in dict(bad(call))["index"]
    answer = call("doctor", "--fix")
    assert answer.code == 0
    assert "✓ index                repaired: " in answer.out
    assert inside("status", "--porcelain") == ""


def test_what_cannot_be_repaired_stays_and_is_said(call: Callable, inside: Callable, space: Path) -> None:
    write("TOOLS.md", f"key {SECRET}\n")(space, inside)
    before = (space / "TOOLS.md").read_bytes()
    assert ("secrets on disk", "TOOLS.md:1 holds a secret (github)") in bad(call, "--fix")
    assert (space / "TOOLS.md").read_bytes() == before


# --- repositories that are something else


def test_a_folder_without_a_repository(call: Callable, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert bad(lambda *rest: call("-C", tmp_path / "plain", *rest)) == [
        ("repository", f"no git repository at {tmp_path / 'plain'}")
    ]


def test_a_workspace_in_the_repository_of_something_larger(
    call: Callable, tmp_path: Path, git: Callable, repo: Path
) -> None:
    (repo / "agent").mkdir()
    (repo / "agent/SOUL.md").write_text("# Soul\n")
    ((check, message),) = bad(lambda *rest: call("-C", repo / "agent", *rest))
    assert (check, message) == (
        "repository",
        f"{repo / 'agent'} lies in the repository {repo}, which holds more than this workspace",
    )


def sha256(space: Path) -> str:
    shutil.rmtree(space / ".git")
    subprocess.run(["git", "init", "-q", "--object-format=sha256", space], check=True)
    return "sha256 objects"


def reftable(space: Path) -> str:
    done = subprocess.run(
        ["git", "init", "-q", "--ref-format=reftable", space / "new"], capture_output=True, check=False
    )
    if done.returncode:  # git before 2.45: as it would look
        with (space / ".git/config").open("a") as file:
            file.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
    else:
        shutil.rmtree(space / ".git")
        (space / "new/.git").rename(space / ".git")
    return "keeps its references as reftable"


def foreign(space: Path) -> str:
    if os.geteuid() != 0:
        pytest.skip("another user; get it: run the tests as root")
    for folder, _, files in os.walk(space):
        for name in (".", *files):
            os.chown(Path(folder) / name, 65534, 65534)
    return "belongs to another user"


def garbage(space: Path) -> str:
    (space / ".git/HEAD").write_text("garbage\n")
    return "names neither a branch nor a commit"


def no_objects(space: Path) -> str:
    shutil.rmtree(space / ".git/objects")
    (space / ".git/objects").mkdir()
    return " is not here"


def bare(space: Path) -> str:
    with (space / ".git/config").open("a") as file:
        file.write("[core]\n\tbare = true\n")
    return "core.bare"


@pytest.mark.parametrize("spoil", [sha256, reftable, foreign, garbage, no_objects, bare])
def test_a_repository_that_cannot_be_read_is_named_once_and_the_files_are_looked_at(
    call: Callable, space: Path, spoil: Callable[[Path], str]
) -> None:
    (space / "TOOLS.md").write_text(f"key {SECRET}\n")
    (space / "AGENTS.md").write_text("x" * 25_000)
    words = spoil(space)
    said = bad(call)
    assert said[0][0] == "repository"
    assert words in said[0][1]
    rest = [check for check, message in said if message == "not looked at: see “repository”"]
    assert rest == [check for check in CHECKS[2:] if check not in ON_DISK]
    assert ("secrets on disk", "TOOLS.md:1 holds a secret (github)") in said
    assert any("AGENTS.md" in message for check, message in said if check == "sizes")


def clone(space: Path, tmp_path: Path, *options: str) -> Path:
    target = tmp_path / "clone"
    source = f"file://{space}"
    subprocess.run(["git", "-C", space, "config", "uploadpack.allowFilter", "true"], check=True)
    subprocess.run(["git", "clone", "-q", *options, source, target], check=True, capture_output=True)
    return target


@pytest.mark.parametrize(
    ("options", "words", "fix"),
    [
        (["--depth=1"], "the clone is shallow", "git fetch --unshallow"),
        (["--filter=blob:none"], "the clone is partial: old contents are fetched from origin", "git fetch --refetch"),
    ],
)
def test_a_clone_that_has_not_all_is_named(
    call: Callable, space: Path, tmp_path: Path, options: list[str], words: str, fix: str
) -> None:
    for text in ("One.", "Two."):
        call("memory", "add", text)
    target = clone(space, tmp_path, *options)
    every = [one for one in found(lambda *rest: call("-C", target, *rest)) if not one["ok"]]
    assert [one["check"] for one in every] == ["history"]
    assert words in every[0]["message"]
    assert fix in every[0]["fix"]
    subprocess.run(every[0]["fix"].replace("'", "").split(), cwd=target, check=True, capture_output=True)
    left = [one for one in found(lambda *rest: call("-C", target, *rest)) if not one["ok"]]
    assert left == [] or words.startswith("the clone is partial")


def test_a_sparse_checkout_that_hides_memory_is_named(call: Callable, space: Path, inside: Callable) -> None:
    committed("projects/x/readme.md", "x\n")(space, inside)
    inside("sparse-checkout", "set", "--no-cone", "/*", "!/projects")
    said = [one for one in found(call) if one["check"] == "history"]
    assert [(one["ok"], "1 files, none of the workspace's own" in one["message"]) for one in said] == [(True, True)]
    inside("sparse-checkout", "set", "--no-cone", "/*", "!/SOUL.md")
    assert [check for check, words in bad(call) if "SOUL.md" in words] == ["history"]


def test_a_linked_working_tree_is_a_workspace_like_any(
    call: Callable, space: Path, inside: Callable, tmp_path: Path
) -> None:
    inside("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    said = bad(lambda *rest: call("-C", tmp_path / "side", *rest))
    assert [check for check, _ in said] == ["branch", "writing"]
    assert "branch side is checked out" in said[0][1]


def test_an_old_git_or_none_is_named(call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("clawgit.git.repository_health.version", lambda: (2, 25, 1))
        assert [check for check, words in bad(call) if "2.25.1" in words and "2.30" in words] == ["git"]
    monkeypatch.setenv("PATH", "/nowhere")
    assert ("git", "git is not installed, or not on PATH") in bad(call)


def test_a_check_that_is_itself_broken_ends_no_other(call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr("clawgit.safety.hidden_text.scan", broken)
    assert any(check == "hidden text" and "ZeroDivisionError" in message for check, message in bad(call))


def test_a_lock_that_a_dead_git_left_is_named_by_every_command_and_removed_by_fix_alone(
    call: Callable, space: Path, inside: Callable
) -> None:
    """A fresh one is waited for, and stays."""
    locked(space, inside)
    refused = call("memory", "add", "Kettle is blue.")
    assert refused.code == 1
    assert "  fix: clawgit doctor --fix" in refused.err
    assert (space / ".git/index.lock").exists()
    call("doctor", "--fix")
    assert not (space / ".git/index.lock").exists()
    assert call("memory", "add", "Kettle is blue.").code == 0
    (space / ".git/index.lock").touch()
    call("doctor", "--fix")
    assert (space / ".git/index.lock").exists()


@pytest.mark.parametrize(
    "bits", [("--skip-worktree",), ("--assume-unchanged",), ("--skip-worktree", "--assume-unchanged")]
)
def test_a_file_that_git_is_told_to_overlook_is_told_of_and_captured_after_the_printed_commands(
    call: Callable, space: Path, inside: Callable, bits: tuple[str, ...]
) -> None:
    """Whoever set the bit may want to keep his edit to himself; nobody is told that all is committed."""
    for bit in bits:
        inside("update-index", bit, "USER.md")
    assert "nothing to do" in call("capture").out
    (space / "USER.md").write_text("# User\n\nAda.\n")
    answer = call("capture")
    assert "everything is committed" not in answer.out
    assert "USER.md has changes that git was told to overlook" in answer.err
    assert "USER.md" in call("status").out
    fix = next(line for line in answer.err.splitlines() if line.startswith("  fix: ")).removeprefix("  fix: ")
    subprocess.run(["sh", "-c", fix], cwd=space, check=True)
    assert "captured USER.md" in call("capture").out
    assert inside("show", "HEAD:USER.md") == "# User\n\nAda.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\nname: deploy\ndescription: Put the site online.\n---\n\n# Deploy\n", ""),
        ("# Deploy\n", "has no name and no description in its front matter"),
        ("---\nname: deploy\non: push\n5: five\n---\n# Deploy\n", "has no description in its front matter"),
        ("---\nname: [deploy\n---\n# Deploy\n", "has front matter that cannot be read"),
        ("---\n- deploy\n---\n# Deploy\n", "has no name and no description in its front matter"),
    ],
)
def test_a_skill_that_openclaw_would_not_know_is_told(space: Path, call: Callable, text: str, said: str) -> None:
    """OpenClaw knows a skill by the name and the description of its front matter."""
    place = space / "skills" / "deploy" / "SKILL.md"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    told = [message for name, message in bad(call) if name == "skills"]
    assert told == ([f"skills/deploy/SKILL.md {said}, by which OpenClaw knows a skill"] if said else [])
    assert place.read_text() == text


def test_no_tick_stands_before_a_sentence_with_a_fix(call: Callable, space: Path) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n" + "".join(f"- Fact {number}.\n" for number in range(400)))
    call("capture")
    rows = call("doctor").out.splitlines()
    fixed = [rows[at - 1] for at, row in enumerate(rows) if row.strip().startswith("fix: ")]
    assert fixed
    assert not [row for row in fixed if row.startswith("✓")]


def test_nothing_is_told_twice(call: Callable) -> None:
    told = [row.split("  ", 1)[1].strip() for row in call("doctor").out.splitlines() if row[0] in "✓✗•"]
    sentences = [row for row in told if row not in ("none", "none found")]
    assert len(sentences) == len(set(sentences))
