"""Who the operator is, as USER.md has it."""

import pytest

from clawgit.safety.called import names


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("- **Name:** Mara Lindqvist\n- **What to call them:** Mim\n", {"Mara Lindqvist", "Mara", "Mim"}),
        ("- Name: 小林\n", {"小林"}),
        ("- **Name:**\n- **Pronouns:** she/her\n", set()),
        ("- **Name:** _(fill in)_\n", set()),
        ("", set()),
    ],
)
def test_names_are_those_that_were_filled_in(user, expected):
    assert names(user) == expected
