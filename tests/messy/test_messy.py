"""The generator makes every shape, and the sight of a workspace misses no change."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.amounts import amount

from . import CYCLE, SHAPES, make, names, snapshot
from .maker import HOLDS


@pytest.mark.skipif(not amount(1, 0), reason="a full round takes minutes: CLAWGIT_TEST_LONG=1")
def test_forty_seeds_have_every_shape_and_each_state_that_forbids_writing(tmp_path: Path) -> None:
    """Not only tried: git itself says that a state holds. And looking changes nothing, not even git's index."""
    many = []
    for seed in range(CYCLE):
        (tmp_path / str(seed)).mkdir()
        many.append(make(tmp_path / str(seed) / "ws", seed))
    assert names() - {shape.name for messy in many for shape in SHAPES if messy.has(shape.name)} == frozenset()
    states = {shape.name for shape in SHAPES if shape.group == "state"} - {"no_state"}
    held = {tag.split(":")[0] for messy in many for tag in messy.tags if tag.endswith(f":{HOLDS}")}
    assert held == states | {"sha256_repository"}
    assert sum(messy.forbidden for messy in many) < len(many) / 2
    for messy in many:
        before = snapshot.walk(messy.root.parent)
        first = snapshot.take(messy.root)
        assert snapshot.unlike(before, snapshot.walk(messy.root.parent)) == []
        assert snapshot.take(messy.root) == first


# ---- the snapshot


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mould") / "ws"
    folder.mkdir()
    for words in (
        ("init", "-q"),
        ("config", "user.name", "Ada"),
        ("config", "user.email", "ada@example.org"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    (folder / "memory").mkdir()
    (folder / "memory/a.md").write_text("- a\n")
    (folder / "b.md").write_text("- b\n")
    (folder / "link").symlink_to("b.md")
    for words in (("add", "-A"), ("commit", "-qm", "one"), ("branch", "side")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.fixture
def place(mould: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(mould, tmp_path / "ws", symlinks=True))


def _git(*words: str) -> Callable[[Path], object]:
    return lambda root: subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def _relink(root: Path) -> None:
    (root / "link").unlink()
    (root / "link").symlink_to("memory/a.md")


def _stash(root: Path) -> None:
    (root / "b.md").write_text("- c\n")
    _git("stash", "-q")(root)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda root: (root / "b.md").write_text("- c\n"),
    "a mode": lambda root: (root / "b.md").chmod(0o755),
    "a time": lambda root: os.utime(root / "b.md", (1, 1)),
    "a new folder": lambda root: (root / "empty").mkdir(),
    "a link's target": _relink,
    "a setting": _git("config", "x.y", "z"),
    "a hook's mode": lambda root: (root / ".git/hooks/pre-push.sample").chmod(0o600),
    "a hidden reference": _git("update-ref", "refs/clawgit/x", "HEAD"),
    "a commit": _git("commit", "-q", "--allow-empty", "-m", "x"),
    "a flag": _git("update-index", "--assume-unchanged", "b.md"),
    "a stash": _stash,
    "our folder": lambda root: (root / ".git/clawgit").mkdir(),
}


def test_every_kind_of_change_is_seen(mould: Path, tmp_path: Path) -> None:
    for name, change in CHANGES.items():
        place = Path(shutil.copytree(mould, tmp_path / name / "ws", symlinks=True))
        before, whole = snapshot.take(place), snapshot.walk(place)
        change(place)
        after = snapshot.take(place)
        assert snapshot.unlike(before.files, after.files) + snapshot.unlike(before.git, after.git) != [], name
        assert snapshot.unlike(whole, snapshot.walk(place)) != [], name
