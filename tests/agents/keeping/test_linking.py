"""Remarks of several days, one lesson."""

import pytest

from ..talk import DAY, NOON, Talk  # noqa: TID252 - the tests' own workspace
from .kept import adopt, exchange, keep, soul


def said(talk: Talk, *turns: tuple[int, str, str]) -> list[str]:
    """Hold talks, each an answer and the remark on it, and return the lines that they added to the soul."""
    before = soul(talk)
    for day, answer, remark in turns:
        exchange(talk, remark, day, answer=answer)
    keep(talk)
    return [line for line in soul(talk) if line not in before]


def test_a_complaint_that_is_not_the_first_becomes_the_order_that_was_given_before(talk: Talk) -> None:
    found = said(
        talk,
        (1, "The order is drafted. Anything else today?", "drop the call-centre ending"),
        (9, "Appointment moved. Anything else?", "and there it is again"),
    )
    assert found == ["- Drop the call-centre ending."]
    assert talk.git("log", "-1", "--format=%B").count("Evidence: session:") == 2
    assert keep(talk).learnt == []


def test_a_first_complaint_waits_for_a_second(talk: Talk) -> None:
    assert said(talk, (1, "The order is drafted. Anything else today?", "drop the call-centre ending")) == []


def test_what_happens_again_after_a_month_opens_anew(talk: Talk) -> None:
    turns = [(1, "Done. Anything else?", "drop the call-centre ending"), (50, "Rain.", "and there it is again")]
    assert said(talk, *turns) == []


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        (
            ("Unsure of two: line 8 and line 20.", "I like it when you tell me where to look"),
            ("Unsure of one: page 3.", "yes. like this always"),
            '- Keep to what was welcomed: "I like it when you tell me where to look"',
        ),
        (
            ("Primero lo urgente: el gas.", "me gusta que empieces por lo urgente"),
            ("Primero lo urgente: la luz.", "perfecto, sigue así"),
            '- Keep to what was welcomed: "me gusta que empieces por lo urgente"',
        ),
    ],
)
def test_praise_that_asks_for_more_names_what_was_praised(
    talk: Talk, first: tuple[str, str], second: tuple[str, str], line: str
) -> None:
    assert [one.rstrip(".") for one in said(talk, (1, *first), (8, *second))] == [line]
    assert "Origin: agent" in talk.git("log", "-1", "--format=%B")


def test_what_was_left_is_written_beside_the_principle(talk: Talk) -> None:
    adopt(talk, "# Soul\n\n## Work\n\n- The morning note has at most eight lines.\n- Look before asking.\n")
    found = said(talk, (2, "Good morning! (31 lines)", "these used to be eight lines"))
    assert len(found) == 1
    assert found[0].startswith('- Back to "The morning note has at most eight lines": "these used to be eight lines"')


def test_what_was_left_and_the_soul_does_not_say_is_told_in_the_operators_words(talk: Talk) -> None:
    found = said(talk, (2, "Good morning! (31 lines)", "these used to be eight lines"))
    assert found == ['- Back to how it was: "these used to be eight lines"']


def test_what_the_operator_counts_on_is_a_proven_skill(talk: Talk) -> None:
    words = "you can read my handwriting! ok then from now on I'll just photograph the notebooks"
    (line,) = said(talk, (3, "Here is page 14 as text.", words))
    assert line.startswith("- I can read ")
    assert "handwriting" in line


def test_talk_of_the_world_links_with_nothing(talk: Talk) -> None:
    for day, (answer, remark) in enumerate(
        [
            ("The film is three hours.", "Nolan makes them long, he did it again"),
            ("Gate B12.", "they changed the gate again??"),
            ("Mum called.", "always the drama with her"),
            ("Ticket bought.", "from now on I take the bus, I swear"),
            ("Uploaded.", "love the one with the dog! that first picture made my day"),
        ]
    ):
        exchange(talk, remark, day, answer=answer)
    assert keep(talk).learnt == []


def test_a_standing_order_needs_no_answer_before_it(talk: Talk) -> None:
    talk.say("From now on put the decision in the first line.", at=NOON + DAY)
    keep(talk)
    assert soul(talk)[-1] == "- Put the decision in the first line."
