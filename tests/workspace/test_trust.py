"""What the operator approved is kept out of the workspace's reach."""

import contextlib
import json
import threading

import pytest

from clawgit.errors import ClawgitError
from clawgit.findings.status import status
from clawgit.workspace import trust_review
from clawgit.workspace.capture_and_enforce import capture_all

from .inboxes import EVIL, policy, trusted
from .places import SOUL, Place

EVIL_SOUL = SOUL.replace("- Calm and plain.", f"- {EVIL}")


def seen(place):
    """Look as another process would."""
    return trust_review.review(place.open())


def names(found):
    return [one.path for one in found.files]


# --- the store


def test_it_is_kept_outside_and_private(place):
    store = trusted(place).ws.trusted
    assert not store.file.is_relative_to(place.root)
    assert (store.folder.stat().st_mode & 0o777, store.file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert json.loads(store.file.read_text())["files"]["SOUL.md"]["said"] == SOUL
    place.agrees()


def test_linked_worktrees_share_it_and_clones_do_not(place, tmp_path):
    trusted(place)
    place.git("worktree", "add", "-q", tmp_path / "linked", "-b", "other")
    assert Place(tmp_path / "linked").ws.trust.known
    place.git("clone", "-q", place.root, tmp_path / "clone")
    assert not Place(tmp_path / "clone").ws.trust.known
    place.git("worktree", "remove", "--force", tmp_path / "linked")


@pytest.mark.parametrize("data", [b"{", b"\xff", b'{"known": true, "files": {"a": 1}, "config": {}}'])
def test_a_damaged_file_approves_nothing(place, data):
    trusted(place).ws.trusted.file.write_bytes(data)
    assert not place.open().trust.known


def test_two_that_approve_at_once_lose_nothing(place):
    trusted(place)
    threads = [
        threading.Thread(target=lambda number=number: place.open().trusted.approve({f"agents/{number}/SOUL.md": "x"}))
        for number in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = place.open().trust.files
    assert {f"agents/{number}/SOUL.md" for number in range(12)} <= set(found)
    assert found["SOUL.md"].said == SOUL
    assert not list(place.ws.trusted.folder.glob("*.tmp"))


# --- the review


def test_exactly_what_was_shown_is_accepted(place):
    """A file that changes between the look and the answer is not approved."""
    trusted(place)
    place.write("SOUL.md", SOUL + "- New.\n")
    shown = trust_review.review(place.ws)
    place.write("SOUL.md", EVIL_SOUL)
    trust_review.accept(place.ws, shown)
    known = place.open().trust
    assert known.approves("SOUL.md", SOUL + "- New.\n")
    assert not known.approves("SOUL.md", EVIL_SOUL)
    (one,) = seen(place).files
    assert (one.approved, one.text) == (SOUL + "- New.\n", EVIL_SOUL)


def policy_line(place, row):
    key = row.partition(":")[0]
    rows = [line for line in place.text("CONFIG.md").split("\n") if not line.startswith(f"{key}:")]
    rows.insert(rows.index("```yaml") + 1, row)
    place.write("CONFIG.md", "\n".join(rows))


def test_a_looser_value_is_not_used_before_it_is_trusted(place):
    policy(trusted(place), "review")
    policy_line(place, "soul_policy: evolve")
    space = place.open()
    assert space.config.soul_policy == "review"
    (key,) = trust_review.review(space).keys
    assert (key.key.name, key.value, key.untrusted) == ("soul_policy", "review", "evolve")
    (said,) = status(space).untrusted
    assert (said.key, said.path, said.line) == ("setting-unapproved", "CONFIG.md", key.line)
    assert said.message.startswith(f"CONFIG.md:{key.line}: soul_policy ")
    trust_review.accept(space, trust_review.review(space))
    assert place.open().config.soul_policy == "evolve"


BROKEN = ["# Config\n\n```yaml\nsoul_policy: [\n```\n", None]


@pytest.mark.parametrize("data", BROKEN, ids=["no yaml", "gone"])
def test_a_broken_configuration_loosens_nothing(place, data):
    policy(trusted(place), "review")
    place.write("CONFIG.md", data)
    space = place.open()
    place.write("SOUL.md", EVIL_SOUL)
    assert "SOUL.md" in trust_review.list_waiting(space)
    assert status(space).untrusted
    with contextlib.suppress(ClawgitError):  # of CONFIG.md
        capture_all(space, lambda path: path == "SOUL.md")
    assert place.committed("SOUL.md").decode() == SOUL
