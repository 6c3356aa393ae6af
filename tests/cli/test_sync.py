"""`clawgit sync`, `sync clone` and the driver that git calls."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


def git(folder: Path, *arguments: str | Path) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def hub(space: Path, tmp_path: Path) -> Path:
    """A bare remote of the workspace."""
    place = tmp_path / "hub.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", place)
    git(space, "remote", "add", "origin", place)
    return place


@pytest.fixture
def second(call: Callable, hub: Path, tmp_path: Path) -> Path:
    """Another machine."""
    assert call("sync").code == 0
    answer = call("sync", "clone", hub, tmp_path / "second")
    assert answer.code == 0, answer.err
    return tmp_path / "second"


def test_a_skill_of_another_machine_is_asked_about_once(call: Callable, space: Path, second: Path) -> None:
    call("-C", second, "sync")
    script = second / "skills" / "weather" / "fetch.sh"
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\nid\n")
    script.chmod(0o755)
    git(second, "add", "-A")
    git(second, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--no-verify", "-m", "weather")
    call("-C", second, "sync")
    answer = call("sync", "--json")
    assert answer.code == 3
    control = answer.json["control"]
    assert control["files"] == ["skills/weather/fetch.sh"]
    assert control["proposal"] in answer.json["waiting"]
    assert not (space / "skills/weather/fetch.sh").exists()
    assert call("sync").code == 0
    assert call("reject", control["proposal"], "no").code == 0
    assert call("sync").code == 0
    assert call("-C", second, "sync").code == 0
    assert script.exists()


def test_of_several_remotes_the_one_to_name_is_asked_for(call: Callable, space: Path, tmp_path: Path) -> None:
    for name in ("here", "there"):
        git(space, "remote", "add", name, tmp_path / name)
    answer = call("sync", "--json")
    assert answer.code == 1
    assert "clawgit sync --remote here" in answer.err + answer.out
    assert call("sync", "--remote", "nowhere").code == 1


def test_a_dry_run_touches_nothing(call: Callable, space: Path, second: Path) -> None:
    call("-C", second, "memory", "add", "Chose REST.")
    call("-C", second, "sync")
    before = (git(space, "rev-parse", "HEAD"), (space / "MEMORY.md").read_text())
    answer = call("sync", "--dry-run")
    assert "MEMORY.md" in answer.out
    assert (git(space, "rev-parse", "HEAD"), (space / "MEMORY.md").read_text()) == before


def test_a_clone_says_what_it_did(call: Callable, hub: Path, tmp_path: Path) -> None:
    call("sync")
    answer = call("init", tmp_path / "there", "--from", hub)
    assert answer.code == 0
    assert "pre-push" in answer.out
    assert "trust" in answer.err
    assert git(tmp_path / "there", "config", "merge.clawgit.driver").strip().endswith("%A %O %B")


def test_a_folder_takes_the_place_of_a_remote(call: Callable, space: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared folder"
    shared.mkdir()
    call("memory", "add", "Chose REST.")
    assert call("sync", "--folder", shared).code == 0
    assert call("init", tmp_path / "second", "--from", shared).code == 0
    second = tmp_path / "second"
    assert "Chose REST" in (second / "MEMORY.md").read_text()
    call("-C", second, "memory", "add", "The office is in Porto.")
    assert call("-C", second, "sync", "--folder", shared).code == 0
    assert call("sync", "--folder", shared).code == 0
    assert "Porto" in (space / "MEMORY.md").read_text()


@pytest.mark.parametrize("inner", [".", "memory", "exchange"])
def test_the_workspace_is_no_place_to_sync_with(call: Callable, space: Path, inner: str) -> None:
    (space / inner).mkdir(exist_ok=True)
    before = git(space, "rev-parse", "HEAD")
    answer = call("sync", "--folder", inner, "--json")
    assert (answer.code, answer.json["key"]) == (2, "value-invalid")
    assert (git(space, "rev-parse", "HEAD"), list(space.rglob("*.bundle"))) == (before, [])


def test_a_secret_stays_here(call: Callable, space: Path, second: Path) -> None:
    (space / "notes.txt").write_text(f"key {KEY}\n")
    git(space, "add", "notes.txt")
    git(space, "commit", "-q", "--no-verify", "-m", "leak")
    answer = call("sync")
    assert answer.code == 3
    assert "secret" in answer.err
    assert KEY not in answer.err
    assert "notes.txt" not in git(second, "ls-remote", "origin")
    call("-C", second, "sync")
    assert not (second / "notes.txt").exists()


JJ = (
    "<<<<<<< conflict 1 of 1\n%%%%%%% diff from: base\n-- Prune figs on Sunday.\n+- Prune figs on Monday.\n"
    "+++++++ side #2\n- Prune figs on Saturday.\n>>>>>>> conflict 1 of 1 ends\n"
)
DIFF3_HALF = "<<<<<<< HEAD\n- Prune figs on Monday.\n||||||| base\n- Prune figs on Sunday.\n=======\n"


@pytest.mark.parametrize("text", [JJ, JJ[JJ.index("%") :], DIFF3_HALF], ids=["jj", "no begin", "diff3 without its end"])
def test_markers_that_cannot_be_read_are_served_nowhere(call: Callable, space: Path, second: Path, text: str) -> None:
    """Each sync names the file, which stays as it came."""
    (second / "memory/figs.md").write_text(text)
    git(second, "add", "-A")
    git(second, "commit", "-q", "--no-verify", "-m", "half merged")
    git(second, "push", "-q", "--no-verify", "origin", "HEAD:main")
    for _ in range(2):
        answer = call("sync")
        assert answer.code == 3
        assert "memory/figs.md" in answer.err
    assert (space / "memory/figs.md").read_text() == text
    assert "memory/figs.md" in call("doctor").out
    for words in (["search", "prune figs"], ["search", "--deleted", "prune figs"], ["context", "when to prune figs"]):
        assert "Sunday" not in call(*words).out


def test_what_another_machine_gives_back_stays_here(call: Callable, space: Path, second: Path) -> None:
    """Its memory comes in, and nothing of the ejection waits."""
    files = [*space.glob("*.md"), *space.glob("agents/*/SOUL.md"), space / ".gitignore"]
    before = {place: place.read_bytes() for place in files if place.name != "MEMORY.md"}
    call("-C", second, "memory", "add", "The office is in Porto.")
    assert call("-C", second, "eject", "--yes").code == 0
    git(second, "push", "-q", "origin", "HEAD:main")
    answer = call("sync", "--json")
    assert answer.code == 3
    assert (answer.json["files"], answer.json["waiting"]) == (["MEMORY.md"], [])
    assert "left clawgit" in answer.err
    assert {place: place.read_bytes() for place in before} == before
    assert "Porto" in (space / "MEMORY.md").read_text()
    assert call("memory", "add", "Chose REST.").code == 0
    assert call("sync").code == 0
    assert (space / "CONFIG.md").exists()


def test_a_file_whose_name_is_taken_is_named_until_it_has_another_one(
    call: Callable, space: Path, second: Path
) -> None:
    """On both machines, until one of them has another name."""
    (space / "memory/people.md").write_text("- Marek, 1979.\n")
    (second / "memory/People.md").write_text("- Ines, 1985.\n")
    assert call("sync").code == 0
    for place, left_out in ((second, "people.md"), (space, "People.md")):
        answer = call("-C", place, "sync", "--json")
        assert answer.code == 3
        (problem,) = answer.json["problems"]
        assert f"memory/{left_out} is left out" in problem["message"]
        call("-C", place, "sync")
        (check,) = [one for one in call("-C", place, "doctor", "--json").json if one["key"] == "names-collide"]
        assert check["message"] == problem["message"]
    subprocess.run(problem["fix"].split(" && ")[0], shell=True, cwd=space, check=True)
    for place in (space, second, space, second):
        call("-C", place, "sync")
    for place in (space, second):
        assert sorted(path.name for path in place.glob("memory/[pP]eople*")) == ["People.md", "people-2.md"]
        assert call("-C", place, "sync").code == 0


def test_git_merges_by_entry_once_it_is_told(call: Callable, space: Path, second: Path) -> None:
    call("memory", "add", "Chose REST.")
    call("journal", "add", "here")
    call("-C", second, "memory", "add", "The office is in Porto.")
    call("-C", second, "journal", "add", "there")
    git(space, "push", "-q", "--no-verify", "origin", "main")
    git(second, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    text = (second / "MEMORY.md").read_text()
    assert "Chose REST" in text
    assert "Porto" in text
    assert "<<<<" not in text
    assert call("-C", second, "doctor").code == 0


def test_the_driver_comes_and_goes(call: Callable, space: Path) -> None:
    rules = space / ".git/info/attributes"
    rules.parent.mkdir(exist_ok=True)
    rules.write_text("*.txt text")
    before = rules.read_bytes()
    assert call("hooks", "install").code == 0
    assert b"merge=clawgit" in rules.read_bytes()
    (check,) = [one for one in call("doctor", "--json").json if one["check"] == "merge driver"]
    assert (check["ok"], check["message"]) == (True, "installed")
    assert call("hooks", "uninstall").code == 0
    assert rules.read_bytes().rstrip(b"\n") == before
    assert git(space, "config", "--list", "--local").count("merge.clawgit") == 0
