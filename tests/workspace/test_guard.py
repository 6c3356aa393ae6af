"""What may not be written, whoever asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.safety import hidden_text, secrets
from clawgit.workspace import write_guard

AWS = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak
HIDDEN = "in\u200bvisible \u202e \U000e0041"


def check(before, after, path="SOUL.md", known=""):
    write_guard.check_write(path, before, after, known)


def test_hidden_characters_of_others_may_stay_move_and_come_back():
    check(f"a\n{HIDDEN}\n", f"{HIDDEN}\nb\n")
    check("a\n", f"a\n{HIDDEN}\n", known=f"z\n{HIDDEN}\n")
    with pytest.raises(ClawgitError, match=r"SOUL.md:1"):
        check(f"{HIDDEN}\n", f"{HIDDEN} more\n")


@given(
    st.lists(st.sampled_from([AWS, HIDDEN, "word", " ", "\n", "中", "\u200d", "password: Tr0ub4dor&3x"]), max_size=8)
)
def test_what_is_cleaned_holds_nothing_that_would_be_refused(parts):
    text = write_guard.cleaned(" ".join(parts))
    assert AWS not in text
    assert not hidden_text.find_hidden_text(text)
    assert not [found for found in secrets.find_secrets(text) if text[found.start : found.end] != "[password]"]
