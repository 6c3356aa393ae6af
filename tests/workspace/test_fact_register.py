"""The register of facts."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.fact_register import CATEGORIES, Fact, joined, parse, render, term

DAY = date(2026, 5, 4)
days = st.dates(date(2026, 1, 1), date(2027, 12, 31))
facts = st.builds(
    Fact,
    st.sampled_from(["kkkkkkkkkk", "mmmmmmmmmm", "zzzzzzzzzz"]),
    st.sampled_from(CATEGORIES),
    st.sampled_from(["Ana likes tea.", "Der Server heißt Heron.", "茶が好き", "a b\tc"]).map(
        lambda text: text.replace("\t", " ")
    ),
    st.sampled_from(["live", "expired", "dropped"]),
    days,
    st.none() | days,
    st.booleans(),
    st.frozensets(st.sampled_from(["kkkkkkkkkk", "nnnnnnnnnn"])),
)


@given(st.lists(facts, unique_by=lambda one: one.id))
def test_what_is_written_is_read_again(some):
    assert parse(render(some)) == {one.id: one for one in some}


@given(facts, facts, facts)
def test_two_versions_come_to_the_same_in_any_order_and_nothing_comes_back(one, other, third):
    assert joined(one, other) == joined(other, one)
    both = joined(one, other)
    assert joined(both, both) == both
    if "dropped" in (one.state, other.state):
        assert both.state == "dropped"
    assert both.expires is None or both.expires >= max(one.expires, other.expires)
    assert joined(both, third).sources == one.sources | other.sources | third.sources


@given(days, st.none() | days)
def test_a_term_is_that_of_its_class_and_no_shorter_than_its_day(said, due):
    assert term("personal", said, due) is term("system", said, due) is None
    for category, length in (("tasks", 7), ("agents", 30)):
        last = term(category, said, due)
        assert last == max(said + timedelta(days=length), due or date.min)


def test_lines_that_are_none_are_passed_over():
    text = render([Fact("kkkkkkkkkk", "tasks", "Ana likes tea.")])
    assert len(parse(f"{text}not a row\nk\tmoods\tlive\t\t\t\t\tx\n")) == 1
    assert parse(text + text) == parse(text)
