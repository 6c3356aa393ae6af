"""A confidence explains itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.promoting.promotion_candidates import LEAST
from clawgit.agents.promoting.promotion_categories import CATEGORIES, OFTEN, SUREST, Said, kinds, weigh

# The triggers, word for word, each in a line that anybody would keep.
TRIGGERS = [
    *(("결정", "API 이름을 atlas로 결정"), ("decided", "We decided on Postgres"), ("confirmed", "Ana confirmed 3 May")),
    *(("approved", "The board approved the budget of Q3"), ("아키텍처", "아키텍처는 큐 두 개로 나눈다")),
    *(("design", "Database design: one table per tenant"), ("schema", "Event schema has 12 columns")),
    *(("stack", "Our stack is Go with Postgres"), ("$", "Seats cost $29 a month"), ("₩", "구독료는 ₩9,900")),
    *(("pricing", "New pricing holds from March 2027"), ("margin", "Margin on hardware is 18 percent")),
    *(("BEP", "BEP is reached with 340 teams"), ("revenue", "April revenue was 48k, mostly renewals")),
    *(("상표", "상표 등록번호는 40-1234567"), ("trademark", "The trademark Luma is ours in the EU")),
    *(("patent", "Patent DE10 covers the valve"), ("ToS", "Our ToS name Vienna as the venue")),
    *(("GDPR", "GDPR exports within 30 days"), ("변리사", "변리사는 김민수, 서울 사무소")),
    *(("partner", "Partner Solvia gets 20 percent"), ("client", "Client Nordwind wants German reports")),
    *(("meeting results", "Meeting results: Acme signs for 2 years"), ("출시", "베타를 6월 3일에 출시했다")),
    *(("launch", "Launch of the beta was on 12 June"), ("shipped", "Shipped version 2.0 to everybody")),
    *(("released", "Released 1.4 to the store"), ("Phase 2", "Phase 2 began on 4 May")),
    *(("로드맵", "로드맵: 상반기 모바일"), ("roadmap", "Roadmap for 2027: mobile first")),
    *(("vision", "Vision: a notebook that answers back"), ("strategy", "Strategy: win 5 small clinics first")),
    *(("기억해", "기억해: 금요일 배포 금지"), ("IMPORTANT", "IMPORTANT: staging is shared with finance")),
    *(("CRITICAL", "CRITICAL: never reset the ledger"), ("★", "★ the vault is backed up in Rita's office")),
]
# As the memory tiers document has them, word for word.
PUBLISHED = {
    "decision": "결정, decided, confirmed, approved",
    "architecture": "아키텍처, design, schema, stack",
    "financial": "$, ₩, pricing, margin, BEP, revenue",
    "legal": "상표, trademark, patent, ToS, GDPR",
    "people": "변리사, partner, client, meeting results",
    "milestone": "출시, launch, shipped, released, Phase N",
    "strategy": "로드맵, roadmap, vision, strategy",
    "explicit": "기억해, IMPORTANT, CRITICAL, ★",
}
PLAIN = ["designated drivers were undecided", "It is not critical", "Photos about tosses", "The cat is called Miso."]


def test_the_triggers_are_those_of_the_document() -> None:
    assert {name: ", ".join(kinds()[name].triggers) for name in CATEGORIES} == PUBLISHED


@pytest.mark.parametrize(("trigger", "line"), TRIGGERS, ids=[one for one, _ in TRIGGERS])
def test_each_trigger_calls_its_line(trigger: str, line: str) -> None:
    found = weigh(Said(line))
    assert found.confidence >= LEAST
    assert trigger.casefold() in line.casefold()


@pytest.mark.parametrize("line", PLAIN)
def test_a_part_of_another_word_calls_nothing(line: str) -> None:
    assert weigh(Said(line)).confidence < LEAST


def test_what_three_sessions_were_shown_is_flagged_whatever_it_says() -> None:
    assert weigh(Said("The key is under the mat.", sessions=OFTEN - 1)).confidence < LEAST
    assert weigh(Said("The key is under the mat.", sessions=OFTEN)).confidence >= LEAST


_WORDS = st.lists(st.sampled_from([line for _, line in TRIGGERS] + PLAIN + ["", "\0", "é" * 40, "$1"]), max_size=4)


@given(_WORDS.map(" ".join) | st.text(max_size=200), st.integers(0, 9))
def test_a_confidence_is_the_sum_of_its_parts(text: str, sessions: int) -> None:
    found = weigh(Said(text, sessions=sessions))
    assert 0 <= found.confidence <= 1
    assert found.confidence == round(min(max(sum(value for _, value in found.parts), 0), SUREST), 2)
    assert found.category is None or found.category in CATEGORIES


@pytest.mark.parametrize(
    "part", ["`", "a.", "a/", "“", "not ", "to be ", "$(", "[", "<", "_", "is ", "결정 ", "first then ", "half of the "]
)
def test_a_line_that_repeats_one_mark_is_weighed_in_time(part: str) -> None:
    """A pattern that tries each way to read it would take minutes."""
    assert weigh(Said(part * 999)).confidence <= 1
