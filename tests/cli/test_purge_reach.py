"""A purge leaves nothing of a phrase in any object, file or message, breaks no file, and leaves the rest as it was."""

import base64
import json
import os
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.git import history_rewrite
from clawgit.memory import purge as purging
from clawgit.memory import purge_places
from tests.cli.conftest import Answer

pytest.importorskip("git_filter_repo")
SECRET = "kq7-öresund+passphrase/44"
FORMS = history_rewrite.forms(SECRET.encode())
ROW = f"k={SECRET}"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def purge(call: Callable) -> Callable[..., Answer]:
    """Purge the phrase, with the hash of the preview."""

    def run(*options: str | Path, text: str = SECRET) -> Answer:
        preview = call("purge", "--text", "-", "--json", stdin=text.encode())
        if preview.code:
            return Answer(*vars(preview).values())
        words = ("--apply", "--hash", preview.json["hash"], *options, "--json")
        return Answer(*vars(call("purge", "--text", "-", *words, stdin=text.encode())).values())

    return run


def holding(root: Path) -> list[Path]:
    """Return the files below a folder that have the phrase in any form."""
    return [
        place for place in root.rglob("*") if place.is_file() and history_rewrite.has_phrase(place.read_bytes(), FORMS)
    ]


@pytest.fixture
def planted(call: Callable, space: Path, inside: Callable) -> str:
    """Plant the phrase wherever one can stand; return the change that remembered it."""
    soul = space / "SOUL.md"
    soul.write_text(f"{soul.read_text()}- My word is {SECRET}.\n")
    inside("commit", "-qam", "soul")
    call("trust", terminal=True, stdin=b"y\n")
    call("memory", "add", "The cat is called Ida.")
    change = call("memory", "add", f"The vault opens with {SECRET} today.", "--json").json["change"]
    (space / "memory/notes.md").write_text(f"one {SECRET} two\n{quote(SECRET)}\nhonest\n")
    (space / "memory/blob.bin").write_bytes(b"\0\1" + SECRET.encode("utf-16-le") + b"\0" + SECRET.encode())
    for offset in range(3):
        coded = base64.b64encode(b"x" * offset + f"key={SECRET};".encode()).decode()
        (space / f"memory/coded{offset}.md").write_text(coded + "\n")
    inside("add", "-A", "memory")
    inside("-c", f"user.name=Ada {SECRET}", "commit", "-qm", f"notes with {SECRET}")
    inside("tag", "-a", "v1", "-m", f"tag {SECRET}")
    inside("branch", f"other/{SECRET}-tunnel")
    inside("notes", "add", "-m", f"noted {SECRET}")
    (space / "memory/notes.md").write_text(f"stashed {SECRET}\n")
    inside("stash", "-q")
    (space / "memory/notes.md").write_text("honest\nand later\n")
    inside("commit", "-qam", "the phrase is gone from the file")
    return str(change)


def test_nothing_of_a_phrase_is_left_anywhere(
    call: Callable,
    space: Path,
    inside: Callable,
    planted: str,
    purge: Callable,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Nor in another working tree, in a note, in git's last message; and all else is as it was."""
    inside("worktree", "add", "-q", "--detach", "../other")
    other = tmp_path / "other"
    (other / "memory/alone.md").write_text(f"only here {SECRET}\n")
    subprocess.run("git add . && git commit -qm alone", shell=True, cwd=other, check=True)
    (other / "memory/notes.md").write_text(f"not committed {SECRET}\nhonest\n")
    (space / ".git/COMMIT_EDITMSG").write_text(f"notes with {SECRET}\n")
    place = space / ".git/clawgit/state/candidates.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps({"text": SECRET, "commit": inside("rev-parse", "HEAD").strip()}, ensure_ascii=False))
    before = [row["subject"].replace(SECRET, "[purged]") for row in call("log", "--json").json]
    count, commit = int(inside("rev-list", "--count", "--all")), inside("rev-parse", "HEAD~2").strip()
    commands: list[Any] = []
    real = subprocess.run
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda words, **options: (commands.append(words), real(words, **options))[1])
        assert purge().code == 0
    assert not any(SECRET in str(word) for words in commands for word in words)
    assert holding(tmp_path) == []
    assert [*history_rewrite.find_objects(space, FORMS)] == []
    assert "resund" not in inside("for-each-ref")
    assert [row["subject"] for row in call("log", "--json").json][1:] == before
    assert int(inside("rev-list", "--count", "--all")) == count + 1
    assert inside("status", "--porcelain") == ""
    assert (space / "memory/notes.md").read_text() == "honest\nand later\n"
    assert (other / "memory/notes.md").read_text() == "not committed [purged]\nhonest\n"
    assert "stashed [purged]" in inside("stash", "show", "-p")
    assert inside("fsck", "--no-dangling").strip() in ("", "notice: HEAD points to an unborn branch")
    assert inside("cat-file", "-t", json.loads(place.read_text())["commit"]).strip() == "commit"
    assert call("show", commit[:10]).code == 0
    assert [alarm["key"] for alarm in call("status", "--json").json["alarms"] if "identity" in alarm["key"]] == []
    assert call("show", planted).code == 0


OBSTACLES: dict[str, tuple[str, str]] = {
    "staged": ("echo x > x.md; git add x.md", "file-staged"),
    "objects elsewhere": ("echo /nowhere > .git/objects/info/alternates", "purge-shared-objects"),
    "no commit": ("git tag loose HEAD:MEMORY.md", "reference-failed"),
    "another commit in its place": ("git replace --graft HEAD", "purge-replaced"),
}


@pytest.mark.usefixtures("planted")
def test_obstacles_and_what_is_out_of_reach_are_named_before_anything_happens(
    call: Callable, space: Path, inside: Callable, purge: Callable
) -> None:
    head = inside("rev-parse", "HEAD")
    for script, key in OBSTACLES.values():
        subprocess.run(script, shell=True, cwd=space, check=True)
        assert purge().json["key"] == key
        assert inside("rev-parse", "HEAD") == head
        (space / ".git/objects/info/alternates").unlink(missing_ok=True)
        subprocess.run(
            "git reset -q; rm -f x.md; git tag -d loose; git replace -d $(git replace)",
            shell=True,
            cwd=space,
            check=False,
        )
    inside("config", "remote.origin.url", f"https://me:{SECRET}@host/x.git")
    (space / "nested").mkdir()
    (space / "nested/x.md").write_text(SECRET)
    inside("init", "-q", "nested")
    unreached = call("purge", "--text", "-", "--json", stdin=SECRET.encode()).json["unreached"]
    assert [words for words in unreached if ".git/config" in words]
    assert [words for words in unreached if words.endswith(": nested")]


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("step", ["update-ref", "gc"])
def test_whoever_is_stopped_has_all_or_nothing_and_can_go_on(
    inside: Callable, space: Path, monkeypatch: pytest.MonkeyPatch, purge: Callable, step: str
) -> None:
    head, real = inside("rev-parse", "HEAD"), history_rewrite.git

    def stopped(root: Path, *words: str, **options: Any) -> bytes:
        if words[0] == step and (step != "update-ref" or "--stdin" in words):
            raise ClawgitError("test", "stopped", fix=Advice(""))
        return real(root, *words, **options)

    with monkeypatch.context() as patch:
        patch.setattr(history_rewrite, "git", stopped)
        assert purge().json["key"] == "test"
    assert (inside("rev-parse", "HEAD") == head) is (step != "gc")
    assert purge().code == 0
    assert [*history_rewrite.find_objects(space, FORMS)] == []


@pytest.mark.usefixtures("planted")
def test_nobody_writes_while_a_purge_is_halfway_and_its_backup_has_what_was(
    call: Callable, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch, purge: Callable, tmp_path: Path
) -> None:
    head, place = inside("rev-parse", "HEAD").strip(), tmp_path / "new/b.bundle"

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(purging, "_renew_index", interrupt)
        assert purge("--keep-backup", place).code == 130
    assert call("memory", "add", "The cat sleeps.", "--json").json["key"] == "purge-unfinished"
    assert "a purge runs, or was stopped" in str(call("status", "--json").json["alarms"])
    assert purge("--keep-backup", place).code == 0
    assert head in inside("bundle", "list-heads", str(place))
    place.unlink()
    assert holding(tmp_path) == []
    assert call("memory", "add", "The cat sleeps.").code == 0
    assert "a purge" not in str(call("status", "--json").json["alarms"])
    assert inside("status", "--porcelain") == ""


@pytest.mark.usefixtures("planted")
def test_a_backup_is_written_over_nothing_and_not_where_the_phrase_must_not_stay(
    space: Path, inside: Callable, purge: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "diary.txt"
    place.write_text("my only diary")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "link").symlink_to(space)
    inside("worktree", "add", "-q", "--detach", "../other")
    head = inside("rev-parse", "HEAD")
    for target in (place, tmp_path / "dangling"):
        assert "there already" in purge("--keep-backup", target).json["error"]
    for name in ("ws/memory/new/b.bundle", "ws/.git/b.bundle", "link/b.bundle", "other/b.bundle"):
        assert "nothing of it may stay" in purge("--keep-backup", tmp_path / name).json["error"]
        assert not (tmp_path / name).exists()

    def failed(*_: Any) -> None:
        raise ClawgitError("test", "failed", fix=Advice(""))

    monkeypatch.setattr(history_rewrite, "fetch", failed)
    assert purge("--keep-backup", tmp_path / "b.bundle").json["key"] == "test"
    assert not (tmp_path / "b.bundle").exists()
    assert (place.read_text(), inside("rev-parse", "HEAD")) == ("my only diary", head)


def test_folders_links_modes_and_names_follow(space: Path, inside: Callable, purge: Callable, tmp_path: Path) -> None:
    word = "tern-secret-41"
    folder = space / f"d/{word}"
    folder.mkdir(parents=True)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (space / "link").symlink_to(f"/nowhere/{word}")
    for name in (f"{word}-x.md", "[purged]-x.md"):
        (space / name).write_text(f"{name[:3]}\n")
    inside("add", "-A")
    inside("commit", "-qm", "names")
    (space / "loose").symlink_to(f"x-{word}")
    (space / f"empty-{word}").mkdir()
    assert purge(text=word).code == 0
    assert not [place for place in space.rglob("*") if word in str(place.relative_to(space))]
    assert inside("status", "--porcelain") == "?? loose\n"
    assert (space / "d/[purged]/run.sh").stat().st_mode & 0o100
    assert [str((space / name).readlink()) for name in ("link", "loose")] == ["/nowhere/[purged]", "x-[purged]"]
    assert [(space / name).read_text() for name in ("[purged]-x.md", "[purged]-x.md-2")] == ["[pu\n", "ter\n"]


def make_database(place: Path) -> None:
    with sqlite3.connect(place) as store:
        store.execute("create table t(a)")
        store.executemany("insert into t values(?)", [(f"row {index} honest",) for index in range(50)])
        store.execute("insert into t values(?)", (ROW,))
    store.close()


def test_other_files_stay_what_they_are(
    call: Callable, space: Path, inside: Callable, purge: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Databases, an archive, text of Windows, a pipe in the place of a file; a file too large is named."""
    for name, mode in (("tracked.sqlite", 0o644), ("open.sqlite", 0o400)):
        make_database(space / name)
        (space / name).chmod(mode)
    with zipfile.ZipFile(space / "papers.docx", "w") as archive:
        archive.writestr("one.txt", f"{SECRET}\n")
    (space / "windows.txt").write_bytes(f"one {SECRET} two".encode("utf-16"))
    (space / "notes.md").write_text(SECRET)
    inside("add", "-f", "notes.md", "tracked.sqlite")
    inside("commit", "-qm", "it came")
    for name in ("notes.md", f"pipe-{SECRET.partition('/')[0]}"):
        (space / name).unlink(missing_ok=True)
        os.mkfifo(space / name)
    (space / "agent.log").write_text(f"{'x' * 100_000} {SECRET}")
    with monkeypatch.context() as patch:
        patch.setattr(purge_places, "MAX_BYTES", 100_000)
        unreached = call("purge", "--text", "-", "--json", stdin=SECRET.encode()).json["unreached"]
    assert [words for words in unreached if "agent.log" in words]
    assert [words for words in unreached if "papers.docx" in words and "has it" in words]
    assert purge().code == 0
    for name, mode in (("tracked.sqlite", 0o644), ("open.sqlite", 0o400)):
        store = sqlite3.connect(space / name)
        rows = [row for (row,) in store.execute("select a from t")]
        assert store.execute("pragma integrity_check").fetchall() == [("ok",)]
        store.close()
        assert rows == [*(f"row {index} honest" for index in range(50)), "k=[purged]".ljust(len(ROW.encode()), "*")]
        assert (space / name).stat().st_mode & 0o777 == mode
    with zipfile.ZipFile(space / "papers.docx") as archive:
        assert archive.read("one.txt").decode() == f"{SECRET}\n"
    assert (space / "windows.txt").read_bytes().decode("utf-16").startswith("one [purged]")
    assert (space / "notes.md").is_fifo()
