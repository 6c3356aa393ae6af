"""A chronicle loses nothing that somebody could ask for."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.compacting import chronicle, quarter, sources
from clawgit.agents.compacting.journals import Journal
from clawgit.agents.compacting.statements import DECISIONS, statements
from clawgit.agents.compacting.telling import ByRules
from clawgit.text.document import parse

DAY = date(2026, 3, 5)
MONTH = chronicle.path(DAY)
FACTS = st.sampled_from(
    (
        "Ana moved the deploy to 14:30.",
        "Chose REST over GraphQL. #decision",
        "we decided to keep Postgres",
        "Zoë's flight LH 456 leaves on 2026-03-09",
        "budget is 4,200 EUR",
        "会議は3月10日に決定した。",
        "Решили: сервер в Бонне, порт 8080",
        "https://example.org/a?b=1 is the board",
        "user: the wifi password hint is on page 12",
    )
)
NOISE = st.sampled_from(
    ("ok", "Thanks!", "how are you?", "", "---", "<b>", "<!-- x", "```", "> quoted 7", "***", "|", "1.")
)
SHAPES = st.sampled_from(("{}", "- {}", "* {}", "1. {}", "- [ ] {}", "## {}\n\n{}", "  - {}", "> {}"))


def told(text: str) -> str:
    return chronicle.add(None, MONTH, [Journal("memory/2026-03-05.md", DAY, text)], ByRules())


def bare(text: str) -> str:
    return re.sub(r"\W+|(?<=\s)#\w+", "", text)


@given(st.lists(st.tuples(FACTS, SHAPES), max_size=8), st.sampled_from(("\n", "\n\n", "\r\n\r\n")))
def test_each_fact_is_in_it(some: list[tuple[str, str]], glue: str) -> None:
    text = told(glue.join(shape.format(fact, fact) for fact, shape in some))
    for fact, _ in some:
        assert bare(fact.removesuffix(" #decision")) in bare(text)


@given(st.lists(st.one_of(FACTS, NOISE, st.text(max_size=60)), max_size=10), st.integers(1, 9))
def test_whatever_a_journal_holds_the_chronicle_can_be_read_and_grows(some: list[str], cut: int) -> None:
    """What opens a comment or a code block swallows nothing, and no line that stood there goes."""
    first, second = "\n".join(some[:cut]), "\n".join(some[cut:])
    one = told(first)
    more = Journal("memory/2026-03-06.md", date(2026, 3, 6), second)
    two = chronicle.add(one, MONTH, [more], ByRules())
    assert {line for line in one.split("\n") if line.strip()} <= set(two.split("\n"))
    assert sources.named(two) >= sources.named(one) | {(more.path, more.blob)}
    kinds = {block.kind for block in parse(two).blocks}
    assert kinds <= {"heading", "paragraph", "bullet", "continuation", "comment", "blank"}


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_quarter_holds_each_day_whole_below_its_heading(one: str, other: str) -> None:
    days = [Journal(f"memory/2026-03-0{at}.md", date(2026, 3, at), text) for at, text in ((5, one), (6, other))]
    text = quarter.add(quarter.add(None, days[:1]), days[1:])
    heads = [parse(text).source(block) for block in parse(text).blocks if block.kind == "heading"]
    assert "# 2026-03-05\n" in heads
    assert "# 2026-03-06\n" in heads
    assert sources.named(text) == {(day.path, day.blob) for day in days}


@pytest.mark.parametrize(
    "title",
    ["## 14:05 - Relay", "### Relay", "## [14:05] Relay", "## 2026-03-05 14:05 Relay", "Relay\n-----", "# Relay #"],
)
def test_a_subject_is_the_title_without_its_time(title: str) -> None:
    (found,) = statements(f"# 2026-03-05\n\n{title}\n\n- It moved to port 9090.\n")
    assert found.subject == "Relay"


@pytest.mark.parametrize(
    "said", ["Chose tea. #decision", "We decided to use Postgres 16.", "Wir haben beschlossen, in Bonn zu bleiben."]
)
def test_a_decision_comes_first(said: str) -> None:
    assert statements(f"## Walk\n\n- Met Ana at 9.\n- {said}\n")[1].subject == DECISIONS


def test_what_is_said_on_several_days_is_said_once_with_all_of_them() -> None:
    days = [Journal(f"memory/2026-03-0{at}.md", date(2026, 3, at), "- Backup runs at 03:00.\n") for at in (5, 6, 7)]
    text = chronicle.add(None, MONTH, days, ByRules())
    assert text.count("Backup runs at 03:00") == 1
    assert "Again on 2026-03-06, 2026-03-07." in text


def test_what_differs_in_a_number_is_said_twice() -> None:
    text = told("- Backup runs at 03:00.\n- Backup runs at 04:00.\n")
    assert text.count("Backup runs at") == 2


def test_front_matter_and_code_are_left_to_the_original() -> None:
    text = told("---\nmood: 7\n---\n\n- Paid 12 EUR.\n\n```\nmake deploy\n```\n")
    assert "Paid 12 EUR" in text
    assert "make deploy" not in text


def test_a_line_that_leads_a_list_is_its_title() -> None:
    found = statements(
        "## Kickoff\n\n**Decisions:**\n\n- go with Hetzner\n- no more Docker\n\nThe rest was talk of 2 hours.\n"
    )
    assert [(one.subject, one.said) for one in found] == [
        (DECISIONS, "go with Hetzner"),
        (DECISIONS, "no more Docker"),
        ("Kickoff", "The rest was talk of 2 hours."),
    ]


def test_what_is_done_and_what_is_not_stays_apart() -> None:
    text = told("- [x] Renewed the certificate\n- [ ] Call the plumber\n")
    assert "- [x] Renewed the certificate\n- [ ] Call the plumber\n" in text


def test_of_a_chat_the_turns_that_say_something_stay() -> None:
    text = told("user: hey, how are you?\nassistant: Fine, thanks!\nuser: Flight LH 456 leaves at 14:30.\n")
    assert "- user: Flight LH 456 leaves at 14:30." in text
    assert "how are you" not in text
    assert "Fine" not in text
