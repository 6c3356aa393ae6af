"""What a sentence is for is told by weights that were learnt."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language import message_intent
from clawgit.language.message_intent import BITS, HEADS, Weights, features, hear, packed, weights

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("Please keep in mind that the alarm code at the lake house is 7731.", "request"),
        ("Merk dir bitte, dass der Zweitschlüssel bei Frau Öztürk liegt.", "request"),
        ("We're going with the blue tiles from Faro, that's settled.", "decision"),
        ("We fly to Porto on the 14th of March at six in the morning.", "plan"),
        ("From now on never send a mail to a client before I have seen it.", "rule"),
    ],
)
def test_what_is_worth_keeping_is_told_by_what_it_is_for(said: str, intent: str) -> None:
    heard = hear("", said, "")
    assert heard.intent == intent
    assert heard.score >= weights().loose


@pytest.mark.parametrize(
    "said", ["What did we decide?", "ok thanks", "send Tom the file", "haha good one", "print(x)", "", "\0\0\0", "🙂"]
)
def test_small_talk_and_errands_are_not(said: str) -> None:
    assert hear("", said, "").score < weights().loose


@given(st.text(), st.text(max_size=50), st.text(max_size=50))
def test_any_text_has_a_score(own: str, before: str, behind: str) -> None:
    heard = hear(before, own, behind)
    assert heard == hear(before, own, behind)
    assert all(0 <= place < 1 << BITS for place in features(before, own, behind))


def test_weights_are_kept_to_the_byte() -> None:
    shipped = message_intent.WEIGHTS.read_bytes()
    assert len(weights().rows) == len(HEADS) << BITS
    assert packed(weights()) == packed(Weights(**{one: getattr(weights(), one) for one in Weights.__struct_fields__}))
    assert len(shipped) < 300_000


def test_the_weights_are_those_of_the_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who changes a message fits anew: `python benchmarks/memory/fit_intent.py --write`."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.memory import fit_intent  # noqa: PLC0415 - a script beside the package

    assert weights().corpora == fit_intent.fingerprint()
    assert "sklearn" not in sys.modules
