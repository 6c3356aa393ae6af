"""`clawgit sync`, `sync clone` and the driver that git calls."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


def git(folder: Path, *arguments: str | Path) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    result = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


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


@pytest.mark.parametrize("inner", [".", "memory", "exchange"])
def test_the_workspace_is_no_place_to_sync_with(call: Callable, space: Path, inner: str) -> None:
    (space / inner).mkdir(exist_ok=True)
    before = git(space, "rev-parse", "HEAD")
    answer = call("sync", "--folder", inner, "--json")
    assert (answer.code, answer.json["key"]) == (2, "value-invalid")
    assert (git(space, "rev-parse", "HEAD"), list(space.rglob("*.bundle"))) == (before, [])


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


def test_a_bare_undo_passes_over_what_another_machine_changed(call: Callable, space: Path, second: Path) -> None:
    call("memory", "add", "Chose REST.")
    call("sync")
    call("-C", second, "sync")
    call("-C", second, "memory", "add", "Chose Postgres.")
    call("-C", second, "soul", "edit", "--add", "Be loud.", "--section", "Vibe", "--why", "Asked for.")
    call("-C", second, "sync")
    assert call("sync").code in (0, 3)
    answer = call("undo")
    assert answer.code == 0
    text = (space / "MEMORY.md").read_text()
    assert ("Chose Postgres." in text, "Chose REST." in text) == (True, False)
    document = call("undo", "--json").json
    assert document["key"] == "undo-nothing"
    assert document["fix"].startswith("clawgit undo ")


def test_a_clone_reports_no_loss_of_a_file_that_is_back(call: Callable, space: Path, hub: Path, tmp_path: Path) -> None:
    file = space / "MEMORY.md"
    file.write_text("# MEMORY.md\n\n" + "".join(f"- Bed {number} holds tulips.\n" for number in range(12)))
    call("capture")
    full = git(space, "rev-parse", "HEAD").strip()
    file.unlink()
    call("memory", "add", "New one.")
    call("restore", "MEMORY.md", "--as-of", full)
    for _ in range(2):
        call("undo")
    assert not file.exists()
    call("restore", "MEMORY.md", "--as-of", full)
    call("sync")
    call("init", tmp_path / "there", "--from", hub)
    assert "MEMORY.md was deleted" not in call("-C", tmp_path / "there", "status").out
