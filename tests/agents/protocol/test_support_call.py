"""The call of support: pairs and twins, and what an answer to them decides."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clawgit.agents.protocol import support_call as support
from clawgit.agents.protocol.check_result import Checked, Ground, Held, Quote
from clawgit.agents.protocol.false_twins import twin
from clawgit.agents.protocol.operations import Operation
from clawgit.language import detect, logic

from . import claims


@cache
def good() -> list[Checked]:
    return [one.checked for part in ("tune", "held-out") for one in claims.load(part) if one.kind == "good"]


def fit() -> list[Checked]:
    return [one for one in good() if one.state == "fits"]


def fitting(text: str, quote: str) -> Checked:
    return Checked(
        Operation("add", (1,), text),
        "fits",
        "",
        (Quote(1, 0, len(quote), quote, "2026-03-18"),),
        0.95,
        needs_support=True,
    )


SOME = [fitting(f"The operator owns {n} cups.", f"I own {n} cups.") for n in (2, 3, 4, 5, 6, 7)]


def say(call: support.SupportCall, claim: str, other: str) -> str:
    return "\n".join(f"{pair.number} {other if pair.twin else claim}" for pair in call.pairs)


def test_each_claim_has_a_twin_and_none_tells_by_its_place() -> None:
    call = support.material(SOME, Ground(), "seed")
    assert len(call.pairs) == 2 * len(SOME)
    assert [pair.number for pair in call.pairs] == list(range(1, 13))
    places = [pair.twin for pair in call.pairs]
    assert places not in (sorted(places), sorted(places, reverse=True))
    assert support.material(SOME, Ground(), "seed") == call
    assert support.material(SOME, Ground(), "other").pairs != call.pairs


@pytest.mark.parametrize(("claim", "other", "state"), [("wholly", "not", "fits"), ("not", "not", "refused")])
def test_corrections_of_one_entry_are_judged_as_the_line_that_they_come_to(claim: str, other: str, state: str) -> None:
    """Each alone would leave the other half wrong, and be untrue."""
    ground = Ground({"k": Held("k", "Xena is 22 and has been here for two years.")})
    said = "Xena is 24 now. She came four years ago."
    quote = Quote(3, 0, len(said), said, "2026-03-18")
    halves = [
        Checked(Operation("correct", (3,), entries=("k",), wrong=wrong, right=right), "fits", "", (quote,), 1.0)
        for wrong, right in (("22", "24"), ("two", "four"))
    ]
    found = [replace(one, needs_support=True) for one in (halves[0], SOME[0], halves[1])]
    call = support.material(found, ground)
    assert [pair.text for pair in call.pairs if pair.operation in (0, 2) and not pair.twin] == [
        "Xena is 24 and has been here for four years."
    ]
    assert call.text.count(said) == 1
    judged = support.judged(call, say(call, claim, other)).checked
    assert [one.state for one in judged] == [state] * 3


def test_the_prompt_holds_quotes_once_with_their_days_and_nothing_else() -> None:
    call = support.material(SOME, Ground())
    assert call.text.count("I own 2 cups.") == 1
    assert "2026-03-18" in call.text
    assert "instructions" not in call.text
    lines = call.text.split("\n")
    assert len(lines) == len(SOME) + 1 + len(call.pairs)


@pytest.mark.parametrize(
    ("claim", "other", "state"),
    [("wholly", "not", "fits"), ("wholly", "partly", "fits"), ("partly", "not", "waits"), ("not", "not", "refused")],
)
def test_a_claim_lands_if_it_is_wholly_supported_and_its_twin_is_not(claim: str, other: str, state: str) -> None:
    call = support.material(SOME, Ground())
    found = support.judged(call, say(call, claim, other))
    assert found.believed
    assert {one.state for one in found.checked} == {state}
    assert not any(one.needs_support for one in found.checked if one.state == "fits")


def test_a_reader_that_agrees_to_all_is_not_believed_at_all() -> None:
    call = support.material(SOME, Ground())
    found = support.judged(call, say(call, "wholly", "wholly"))
    assert not found.believed
    assert {one.state for one in found.checked} == {"waits"}


def test_one_false_claim_taken_for_true_holds_up_its_own_only() -> None:
    call = support.material(SOME, Ground())
    first = next(pair for pair in call.pairs if pair.twin)
    rows = [f"{pair.number} {'wholly' if not pair.twin or pair is first else 'not'}" for pair in call.pairs]
    found = support.judged(call, "\n".join(rows))
    assert found.believed
    assert [at for at, one in enumerate(found.checked) if one.state == "waits"] == [first.operation]


@pytest.mark.parametrize("said", ["", "I cannot help with that.", "1 wholly", "{", "1: maybe\n2: sure"])
def test_what_is_not_judged_waits(said: str) -> None:
    call = support.material(SOME, Ground())
    assert {one.state for one in support.judged(call, said).checked} == {"waits"}


@pytest.mark.parametrize(
    "said",
    [
        "1 wholly\n2 not\n3 partly",
        "1. Wholly\n2. NOT\n3. partly - the day is missing",
        '{"1": "wholly", "2": "not", "3": "partly"}',
        "<think>1 not</think>\n1: wholly\n2: not\n3: partly",
        "**1** **wholly**\n**2** **not**\n**3** **partly**",
        "1 - wholly\n2 - not\n3 - partly\n77 wholly",
    ],
)
def test_an_answer_is_read_in_whatever_form(said: str) -> None:
    assert support.degrees(said, 3) == {1: "wholly", 2: "not", 3: "partly"}


def test_a_number_with_two_degrees_has_none() -> None:
    assert support.degrees("1 wholly\n1 not\n2 not", 2) == {2: "not"}


def test_of_a_long_text_that_a_correction_answers_what_stands_around_its_words_is_shown() -> None:
    wrong = Operation("correct", (1,), "The packet is little endian.", wrong="big endian", right="little endian")
    one = replace(SOME[0], operation=wrong, answers=f"{'byte 0 ' * 60}big endian{' byte 7' * 60}")
    told = support.material([one], Ground()).text
    assert "byte 0 big endian byte 7" in told
    assert len(told) < 600


def test_a_line_of_the_identity_is_looked_at_in_itself_before_it_lands() -> None:
    """What his words bear out he may still have to see first; what nobody judged is asked about later."""
    said = "No emojis in mails to clients."
    soul = Operation("soul", (1,), said, file="SOUL.md")
    call = support.material([*SOME, replace(SOME[0], operation=soul, quotes=SOME[0].quotes)], Ground())
    ((number, at),) = call.lines.items()
    assert (number, at) == (len(call.pairs) + 1, len(SOME))
    assert f"{number} ! {said}" in call.text
    assert "suspicious" in call.rules
    assert "suspicious" not in support.material(SOME, Ground()).rules
    for verdict, state, fine in (("fine", "fits", 1), ("suspicious", "waits", 0), ("", "fits", 0)):
        found = support.judged(call, f"{say(call, 'wholly', 'not')}\n{number} {verdict}")
        assert (found.checked[at].state, len(found.fine)) == (state, fine)


@pytest.mark.parametrize("text", ["Answer in short.", "Answer in brief."])  # each has another kind of twin
@pytest.mark.parametrize(
    ("claim", "other", "state"), [("wholly", "not", "fits"), ("partly", "not", "waits"), ("wholly", "wholly", "waits")]
)
def test_a_line_of_the_identity_lands_where_it_is_judged_to_hold_for_always(
    text: str, claim: str, other: str, state: str
) -> None:
    quotes = (Quote(1, 0, 35, "Keep it short, here and ever after.", "2026-03-18"),)
    soul = Operation("soul", (1,), text, file="SOUL.md")
    one = Checked(soul, "fits", quotes=quotes, confidence=0.95, needs_support=True)
    call = support.material([one], Ground())
    assert support.STANDING in call.rules
    texts = {pair.twin: pair.text for pair in call.pairs}
    assert texts[False] == f"{support.FOR_ALWAYS}{text}"
    assert texts[True] == f"{support.ONCE}{text}" or texts[True].startswith(support.FOR_ALWAYS)
    assert support.judged(call, say(call, claim, other)).checked[0].state == state
    plain = support.material(SOME, Ground())
    assert support.STANDING not in plain.rules
    assert support.FOR_ALWAYS not in plain.text


def test_a_line_that_goes_for_always_is_asked_about_as_gone() -> None:
    quotes = (Quote(1, 0, 35, "Forget about the emojis, for good.", "2026-03-18"),)
    soul = Operation("soul", (1,), "", file="SOUL.md", line=3)
    one = Checked(soul, "fits", quotes=quotes, needs_support=True, before="Use emojis.")
    assert f'{support.FOR_ALWAYS}No longer wanted: "Use emojis."' in support.material([one], Ground()).text


def test_what_needs_no_support_stays_as_it_is() -> None:
    refused = Checked(Operation("add", (1,), "No."), "refused", "because")
    call = support.material([refused, SOME[0]], Ground())
    assert [pair.operation for pair in call.pairs] == [1, 1]
    assert support.judged(call, say(call, "wholly", "not")).checked[0] is refused


def test_a_memory_that_goes_is_asked_about_as_gone() -> None:
    ground = Ground({"k": Held("k", "The operator lives in Bonn.")})
    gone = Checked(Operation("retire", (1,), entries=("k",)), "fits", "", SOME[0].quotes, 0.95, needs_support=True)
    call = support.material([gone], ground)
    assert sorted(pair.text for pair in call.pairs) == [
        'No longer so: "The operator lives in Bonn."',
        'Still so: "The operator lives in Bonn."',
    ]


def test_a_pair_costs_at_most_forty_tokens_beyond_its_quote() -> None:
    call = support.material(fit(), Ground())
    for dense, letters in ((False, 4.0), (True, 1.0)):
        rows = [pair for pair in call.pairs if detect.eastern(pair.text) is dense]
        assert sum(len(pair.text) / letters + 4 for pair in rows) / len(rows) <= 40


@pytest.mark.parametrize(
    "claim",
    [
        "The tax return is due by 20 March 2026.",
        "The operator needs at least 5 rooms.",
        "No calls after 18:00.",
        "Invoices over 500 euros need approval.",
    ],
)
def test_a_twin_does_not_follow_from_its_claim(claim: str) -> None:
    """What is due by an earlier day is due by a later one, too: such a twin would be supported."""
    other = twin(claim, claim, logic.languages(claim))
    assert other != claim
    for later in ("21 March", "26 March", "6 rooms", "20:00", "666"):
        assert later not in other


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("The name has two words.", "The name has three words."),
        ("L'association compte sept personnes.", "L'association compte neuf personnes."),
        ("L'arrêté dit 23h.", "L'arrêté dit 22h."),
    ],
)
def test_a_twin_is_written_as_its_claim_is(claim: str, wanted: str) -> None:
    """What no clock shows, or a digit among words, would tell which of the two is the false one."""
    assert twin(claim, claim, logic.languages(claim)) == wanted


def test_a_twin_is_another_claim_than_the_right_ones() -> None:
    for one in fit()[::3]:
        call = support.material([one], Ground())
        texts = {pair.twin: pair.text for pair in call.pairs}
        assert texts[True] != texts[False], one
        assert texts[True].strip(), one


def test_twins_of_claims_without_values_have_several_forms() -> None:
    """A reader that knows one form would pass for an honest one."""
    plain = [
        f"The operator {one} the garden."
        for one in ("waters", "loves", "paints", "shows", "keeps", "digs", "sells", "plans")
    ]
    others = ["The neighbours own a boat.", "Trains run late."]
    found = [twin(one, one, ("en",), others) for one in plain]
    assert any(one in others for one in found)
    assert any("not true" in one for one in found)
    assert any("only on" in one for one in found)
    assert twin(plain[0], plain[0], ("en",)) not in plain


@pytest.mark.parametrize(
    "claim",
    [
        "When she was a child Joanna wrote a story about a turtle; courage is a part of her writing.",
        "The script begins with a letter by her brother, who used to make her notes when they were kids.",
    ],
)
def test_when_something_has_been_is_not_left_out_of_a_twin_for_what_is_left_would_be_true(claim: str) -> None:
    other = twin(claim, claim, ("en",))
    assert other
    assert "when" in other.lower()


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=100), quote=st.text(max_size=100), said=st.text(max_size=100))
def test_support_never_raises(text: str, quote: str, said: str) -> None:
    call = support.material([fitting(text, quote), SOME[0]], Ground())
    assert len(support.judged(call, said).checked) == 2
