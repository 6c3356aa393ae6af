"""Who the operator is, as USER.md has it."""

import pytest

from clawgit.safety.normalise import as_operator, operator_names, served_names


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
    assert operator_names(user) == expected


@pytest.mark.parametrize(
    ("soul", "expected"),
    [
        ("I work for Mara Lindqvist, who binds books.", {"Mara Lindqvist", "Mara"}),
        ("<p>I belong to <b>Mara</b>.</p>", {"Mara"}),
        ("You help Tilo with his bread.", {"Tilo"}),
        ("Mara is my operator; Tilo is not.", {"Mara"}),
        ("小林さんと書いた。小林さんに見せる。送るのは小林さん。", {"小林"}),
        ("When Tilo helps Mara, I wait.", set()),
        ("木村さんは月曜に来る。", set()),
    ],
)
def test_a_soul_says_whom_it_serves(soul, expected):
    assert served_names(soul) == expected


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("mara의 부탁", "operator의 부탁"),
        ("告诉小林一声", "告诉operator一声"),
        ("小林さんに言う", "operatorに言う"),
        ("скажи даше", "скажи operator"),
        ("the maranta in mara's window", "the maranta in operator's window"),
    ],
)
def test_a_name_is_the_operator_before_a_particle_and_in_any_case(text, read):
    assert as_operator(text, {"mara", "小林", "даша"}) == read
