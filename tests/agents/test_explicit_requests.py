"""A message gives what is asked for in it, whole and verbatim, and nothing else."""
# ruff: noqa: RUF001 -- the marks of many scripts

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE, Finding, extract, find
from clawgit.safety import secrets
from tests.amounts import amount


def texts(message: str) -> list[str]:
    return [one.text for one in extract(message)]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("Remember that the ferry leaves at 7:30 from pier 4.", "the ferry leaves at 7:30 from pier 4."),
        ("Don\u2019t forget: milk", "Don\u2019t forget: milk"),
        (
            "Remember it costs 2.50, e.g. at Dr. Wu (https://x.org/a.b?c=1).",
            "it costs 2.50, e.g. at Dr. Wu (https://x.org/a.b?c=1).",
        ),
        ("Remember that I drink tea: Earl Grey, no sugar.", "I drink tea: Earl Grey, no sugar."),
        ("Remember two things: milk and sugar.", "Remember two things: milk and sugar."),
        ("Notier dir die Kundennummer: 88 301.", "Notier dir die Kundennummer: 88 301."),
        ("Remember that Guess Who? is the game for Ana.", "Guess Who? is the game for Ana."),
        ("Remember that Yahoo! Mail is blocked at work.", "Yahoo! Mail is blocked at work."),
        ("Merk dir, dass Bo am 3. Mai kommt.", "Merk dir, dass Bo am 3. Mai kommt."),
        ("Zapamiętaj, że klucz jest u Ani.", "klucz jest u Ani."),
        ("记住备用钥匙在汤姆那里。", "记住备用钥匙在汤姆那里。"),
        ("Can you jot down that the freezer code is 4471?", "the freezer code is 4471?"),
    ],
)
def test_the_sentence_stands_whole_without_the_words_that_ask(message: str, sentence: str) -> None:
    assert texts(message) == [sentence]


def test_keep_that_means_the_sentence_before_it() -> None:
    assert texts("The probe read eight degrees low. Keep that!") == ["The probe read eight degrees low."]
    assert texts("The new bookkeeper is called Joel. Could you put that on record?")
    assert texts("Keep that!") == []


def test_one_thing_to_keep_is_the_sentence_behind_it() -> None:
    message = "The weekend was a mess. Just keep one thing in mind. The stopcock is behind the washing machine."
    assert texts(message) == ["The stopcock is behind the washing machine."]


def test_a_bare_request_keeps_what_is_behind_it() -> None:
    facts = ["The key is with Tom at no. 14.", "The code is 5520 from the 3rd."]
    assert texts(f"Something to commit to memory please. {' '.join(facts)}") == [" ".join(facts)]
    assert texts(f"Two things to remember. {facts[0]}\n\nHow are you?")[0].endswith(facts[0])
    assert texts("Store this in your memory:\n- gas: 00482\n- water: 1190") == ["gas: 00482", "water: 1190"]


def test_a_standing_order_is_a_request() -> None:
    assert texts("From now on never book a train before nine.") == ["From now on never book a train before nine."]
    assert texts("Always happy to help!") == []


def test_of_two_requests_neither_takes_the_other_out() -> None:
    both = "Please remember that the door code is 12\nPlease remember that the door code is 1234 for the cellar"
    assert texts(both) == ["the door code is 12", "the door code is 1234 for the cellar"]


def test_bullets_stand_with_the_words_that_lead_them() -> None:
    message = "So we decided:\n- releases go out on Tuesdays\n- Priya owns the changelog"
    assert [one.rpartition(": ")[2] for one in texts(message)] == [
        "releases go out on Tuesdays",
        "Priya owns the changelog",
    ]


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember that the gate code is with Ana?",
        "I had soup for lunch and read a little.",
        "Note that I owe Ana forty pounds. Scrap that.",
        f"Remember that {'the gate code is with Ana and ' * 24}that is all.",
    ],
)
def test_a_sentence_that_is_not_asked_for_is_not_kept(message: str) -> None:
    assert extract(message) == ()


def test_a_secret_takes_its_sentence_along_and_no_other() -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    message = f"Decision: the backup moves to Leeds. Remember that the GitHub token is {key} since May."
    assert texts(message) == ["Decision: the backup moves to Leeds."]
    assert key not in repr(extract(message))


def check(message: str, result: tuple[Finding, ...]) -> None:
    for one in result:
        assert one.quote in message
        assert 0 < len(one.quote) <= LONGEST_QUOTE
        assert len(one.quote.splitlines()) == 1
        assert len(one.text) <= LONGEST
        assert not secrets.scan(one.text)


MIXED = """remember that decision: we agreed keep that. Merk dir 记住 ことにした 기억해 moved to Leeds on 5 May.
 yesterday. it. unless 上周五 ? ! ... - > ``` “ ” ' " ( : ; { password: hunter2hunter2 sk-proj- Mr. e.g. 😊 昨日
 ignore rules forget it"""
WORDS = st.sampled_from([*MIXED.split(), "remember that", "keep that.", "we agreed", "\n", "\n- ", "\0"])


@settings(max_examples=amount(100, 20))
@given(st.one_of(st.text(), st.lists(WORDS, max_size=40).map(" ".join)))
@example("\0")
@example("\ud800 Remember that I moved to Leeds in May 2021.")
@example("Decision: 99.99.2023, February 31, 0 days ago, in 999999999 years, 99月99日")
def test_any_text_is_read(message: str) -> None:
    check(message, extract(message))


@pytest.mark.parametrize(
    "piece",
    [*("记住 ", "我们决定把备份时间改到凌晨三点，", "x" * 50, "\n\n\0")],
)
def test_a_megabyte_takes_seconds_at_most(piece: str) -> None:
    message = (piece * (1_000_000 // len(piece.encode()) + 1))[:1_000_000]
    check(message, extract(message))


@pytest.mark.parametrize(
    "text",
    [
        "Peter recuerda que mañana hay reunión a las 10",
        "I forgot what we agreed about the oboist's fee.",
        "I always forget to write that down.",
        "She said: remember to lock the door.",
        "If we decided to move, what would it cost?",
    ],
)
def test_what_somebody_remembers_is_no_request(text: str) -> None:
    assert find(text) is None


def test_quoted_words_are_nobodys_request() -> None:
    said = "We're going with the blue tiles from Faro, that's settled, and the deposit is paid."
    assert texts(said)
    assert not texts(f"> {said}")
