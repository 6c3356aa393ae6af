"""A secret that history holds already stops nobody's work, and is told once."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.safety import secrets
from clawgit.workspace.capture_and_enforce import capture_all, capture_and_enforce

from .documents import holds
from .places import AWS, DAY

OTHER = AWS[:-4] + "QQ7R"


def fingerprint(secret):
    (found,) = secrets.scan(f"key {secret}")
    return found.fingerprint


@pytest.fixture
def gone(place):
    """A workspace whose history has a secret that no file has any more."""
    place.commit({"memory/old.md": f"key {AWS}\n"})
    place.commit({"memory/old.md": "nothing\n"})
    return place


def test_it_is_captured_wherever_it_comes_back_and_told_once(gone):
    gone.write(DAY, f"key {AWS}\n")
    done = capture_and_enforce(gone.ws)
    assert [one.files for one in done.captured] == [(DAY,)]
    (words,) = done.secrets
    assert fingerprint(AWS) in words
    gone.write("notes.md", f"key {AWS}\n")
    assert capture_and_enforce(gone.ws).secrets == ()
    assert gone.ws.store.read_rows("told-secrets", str) == [fingerprint(AWS)]
    assert not holds(gone, AWS)


def test_one_that_history_does_not_have_is_held_back_all_the_same(gone):
    gone.write(DAY, f"key {AWS}\nkey {OTHER}\n")
    outcome = capture_all(gone.ws)
    assert [one.reason for one in outcome.held] == [f"{DAY}:2 holds a secret (aws-access-key)"]
    with pytest.raises(ClawgitError, match=f"{DAY}:2"):
        gone.open().capture([DAY])
