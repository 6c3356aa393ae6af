"""Text that may not be written, for any writer."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.safety import hidden_text, secrets
from clawgit.workspace import file_contents

AWS = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak
HIDDEN = "in\u200bvisible \u202e \U000e0041"


@given(
    st.lists(st.sampled_from([AWS, HIDDEN, "word", " ", "\n", "中", "\u200d", "password: Tr0ub4dor&3x"]), max_size=8)
)
def test_what_is_cleaned_holds_nothing_that_would_be_refused(parts):
    text = file_contents.clean_for_writing(" ".join(parts))
    assert AWS not in text
    assert not hidden_text.find_hidden_text(text)
    assert not [secret for secret in secrets.find_secrets(text) if text[secret.start : secret.end] != "[password]"]
