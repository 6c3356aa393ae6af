"""Approvals belong to the folder itself: they go where it is moved, and no other folder inherits them."""

import shutil
import tempfile
from pathlib import Path

import pytest

from clawgit.findings.status import status
from clawgit.workspace import trust_review
from clawgit.workspace.capture_and_enforce import capture_all

from .inboxes import EVIL, policy, trusted
from .places import SOUL, Place


@pytest.fixture
def approved(place):
    """A workspace that its operator approved."""
    return trusted(place)


@pytest.fixture
def disk_folder():
    """A folder that lies on a disk, whatever the others lie on."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="clawgit-place-") as folder:
        yield Path(folder)


def told(place):
    return [one.message for one in status(place.open()).untrusted]


def move(place, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    return Place(shutil.move(place.root, target))


def test_a_workspace_that_was_moved_keeps_them(approved, tmp_path):
    folder = approved.ws.trusted.folder
    moved = move(approved, tmp_path / "other" / "name")
    assert moved.ws.trust.approves("SOUL.md", SOUL)
    assert moved.ws.trusted.folder == folder
    assert told(moved) == []


@pytest.mark.parametrize("how", ["cp -a", "clone", "other file system"])
def test_a_copy_or_a_clone_inherits_nothing_and_says_so(approved, tmp_path, disk_folder, how):
    target = tmp_path / "copy"
    if how == "clone":
        approved.git("clone", "-q", approved.root, target)
    elif how == "other file system":
        if disk_folder.stat().st_dev == approved.root.stat().st_dev:
            pytest.skip("there is one file system alone")
        target = Path(shutil.move(approved.root, disk_folder / "copy"))
    else:
        shutil.copytree(approved.root, target, symlinks=True, copy_function=shutil.copy2 if "a" in how else shutil.copy)
    copy = Place(target)
    assert not copy.ws.trust.known
    (said,) = told(copy)
    assert said.startswith("nothing here is approved yet: ")
    assert said.endswith("inherits no approvals")
    trust_review.accept(copy.open(), trust_review.review(copy.open()))
    assert told(copy) == []
    assert approved.root.exists() is False or told(approved) == []


def test_a_folder_that_came_back_from_a_backup_inherits_nothing(approved, tmp_path):
    policy(approved, "locked")
    shutil.copytree(approved.root, tmp_path / "backup", symlinks=True)
    shutil.rmtree(approved.root)
    tmp_path.joinpath("takes the inode").mkdir()
    back = Place(shutil.copytree(tmp_path / "backup", approved.root, symlinks=True))
    assert not back.ws.trust.known
    (said,) = told(back)
    assert "from a backup perhaps" in said
    assert back.ws.config.soul_policy == "locked"
    trust_review.accept(back.open(), trust_review.review(back.open()))
    assert told(back) == []
    assert back.open().trust.said("SOUL.md") == SOUL


def test_a_policy_that_was_locked_holds_in_what_took_its_place(approved, tmp_path):
    """Or whoever may write there would swap the folder for a copy, and loosen that."""
    policy(approved, "locked")
    shutil.copytree(approved.root, tmp_path / "copy", symlinks=True)
    approved.root.rename(tmp_path / "old")
    (tmp_path / "copy").rename(approved.root)
    approved.write("CONFIG.md", "# Config\n\n```yaml\nsoul_policy: evolve\n```\n")
    swapped = Place(approved.root)
    assert swapped.ws.config.soul_policy == "locked"
    swapped.write("SOUL.md", SOUL + f"- {EVIL}\n")
    capture_all(swapped.open())
    assert swapped.text("SOUL.md") == SOUL


@pytest.mark.parametrize("data", [b"[]", b"\xff"])
def test_a_damaged_note_approves_nothing(approved, data):
    (approved.ws.trusted.folder / "place.json").write_bytes(data)
    assert not approved.open().trust.known
    assert told(approved)
    trust_review.accept(approved.open(), trust_review.review(approved.open()))
    assert told(approved) == []
