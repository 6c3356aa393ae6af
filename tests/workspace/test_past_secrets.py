"""A secret that somebody committed and took out again is found, told once, and stands until it is answered."""

import pytest

from clawgit.findings.status import status
from clawgit.git import own_commits
from clawgit.workspace import history_secrets, outgoing_secrets
from clawgit.workspace.capture_and_enforce import capture_and_enforce

from .documents import holds
from .places import AWS, DAY

OTHER = AWS[:-4] + "QQ7R"


@pytest.fixture
def gone(place):
    """A workspace whose history has a secret that no file has any more."""
    place.brought = place.commit({".env": f"a=1\nKEY={AWS}\n"})
    place.commit({".env": "a=1\n"})
    return place


def look(place, seconds=9.0):
    return history_secrets.look(place.ws.repo, place.ws.store, seconds)


def test_it_is_told_once_with_its_commit_and_never_its_value(gone):
    (words,) = capture_and_enforce(gone.ws).secrets
    (found,) = history_secrets.list_open_secrets(gone.ws.repo, gone.ws.store)
    assert words == (
        f"{gone.brought[:10]} .env:2 holds a secret (aws-access-key, {found.fingerprint}): "
        "replace it where it is used, for every clone has it"
    )
    assert capture_and_enforce(gone.open()).secrets == ()
    assert not holds(gone, AWS)


def test_status_lists_what_stands_until_it_is_allowed(gone):
    look(gone)
    (alarm,) = status(gone.ws).alarms
    assert alarm.message.startswith(f"{gone.brought[:10]} .env:2 holds a secret")
    fingerprint = str(alarm.fix).split()[3]
    assert str(alarm.fix).startswith(f"clawgit hooks allow {fingerprint} ")
    outgoing_secrets.allow(gone.ws.repo, [fingerprint])
    assert status(gone.open()).alarms == ()


def test_what_was_not_read_is_unknown(gone):
    everything = {*gone.git("rev-list", "--all", "--not", "--glob=refs/clawgit/*").split()}
    assert status(gone.ws).unread == len(everything - own_commits.read_own_commits(gone.ws.repo)) > 0
    look(gone)
    assert status(gone.open()).unread == 0
    gone.commit({DAY: "more\n"})
    assert status(gone.open()).unread == 1


def test_a_branch_and_a_merge_are_read_and_a_history_written_anew_is_too(gone):
    look(gone)
    gone.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    gone.commit({"side.txt": f"x {OTHER}\n"})
    gone.git("checkout", "--quiet", "main")
    gone.git("merge", "--quiet", "--no-edit", "side")
    (words,) = look(gone)
    assert " side.txt:1 holds a secret " in words
    gone.git("reset", "--quiet", "--hard", "HEAD~3")
    gone.git("branch", "-D", "side")
    gone.git("reflog", "expire", "--expire=now", "--all")
    gone.git("gc", "--prune=now", "--quiet")
    assert look(gone) == ()
    gone.commit({"new.txt": f"y {AWS[:-4]}ZZ7Q\n"})
    (words,) = look(gone)
    assert " new.txt:1 holds a secret " in words
