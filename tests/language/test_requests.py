"""Words that ask to remember something."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.language import requests
from clawgit.language.sentences import sentences

CORPORA = Path(__file__).parents[2] / "corpora"


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("Remember also that they take pods only on Saturdays", "they take pods only on Saturdays"),
        ("gobo remember for us please: the lamp stays on universe 3", "the lamp stays on universe 3"),
        ("pelle das merk du dir bitte: der Schlüssel hängt hinten", "der Schlüssel hängt hinten"),
        ("tiens rappelle toi ben de ça: mon hydromètre lit trop bas", "mon hydromètre lit trop bas"),
        ("write this down: Ana has the key", "Ana has the key"),
        ("no, merk dir: der Hund heißt Rex", "der Hund heißt Rex"),
        ("e ó, guarda isso aí: a água é da dona Creuza", "a água é da dona Creuza"),
    ],
)
def test_a_verb_that_asks_is_heard_where_a_colon_or_that_follows(said: str, thing: str) -> None:
    found = requests.find(said)
    assert found
    assert said[requests.thing(said, found) :] == thing


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("don't forget I can't have nuts", "don't forget "),
        ("could you please jot this down somewhere?", "jot this down somewhere"),
        ("the one thing I'd like you to remember of all this is that Ana has the key", "remember of all this is that"),
        ("pls bear that in mind from now on, she notices", "bear that in mind from now on"),
        ("Könntest du bitte festhalten, dass der Hund Rex heißt?", "festhalten, dass"),
        ("schreib dir das bitte mal auf, ich vergess es sonst", "schreib dir das bitte mal auf"),
        ("apúntatelo porfa que luego se me va", "apúntatelo porfa"),
        ("tu peux mettre ça par écrit stp ?", "mettre ça par écrit stp"),
        ("書き留めておいてもらえますか。", "書き留めておいてもらえますか"),
        ("麻烦把这个写到你的备忘里,多谢", "写到你的备忘里"),
    ],
)
def test_a_verb_that_keeps_is_heard_with_what_people_put_around_it(said: str, words: str) -> None:
    found = requests.find(said)
    assert found
    assert said[found.start : found.end] == words


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Ich hab mich für den Steuerberater in Bonn entschieden.", True),
        ("pour la boutique j'ai décidé d'arrêter les livraisons", True),
        ("vamos con lo del local de la calle Olmo que me tienen frito", False),
        ("if we decided to move, what would it cost", False),
        ("假如我们决定周一不开门,少赚多少", False),
        ("we have not decided to sell the boat", False),
    ],
)
def test_a_decision_may_stand_anywhere_but_is_not_supposed(said: str, heard: bool) -> None:
    assert (requests.find(said) is not None) == heard


@pytest.mark.parametrize(
    "said",
    [
        "Remember, you are never alone.",
        "remember when phones had buttons. I miss that",
        "I remember the harbour: it was full of boats.",
        "He told me to keep it short. Two boats: one blue, one red.",
        "We keep bees: four hives and a swarm.",
        "Sie behalten recht, sagt er: es regnet.",
        "They note this on the door: no dogs.",
        "Do you remember where we put the ladder?",
        "Juan recuerda el puerto y se ríe.",
        "Never write this down: the code word is harbour.",
        "Please never note this: Ana has cancer.",
        "Nunca anota isto: a Ana mora em Bonn.",
        "Bob said remember this: the keys are in Bonn.",
        "We have not decided to sell the boat.",
        "Write this in French: the meeting is at nine o'clock.",
        "Write it as JSON: Bob lives in Bonn.",
        "Write it so that a child understands the moon.",
        "Write this email for me: Dear Bob, the flat is sold.",
        "Keep it short: the answer needs one line only.",
        "Schreib mir einen Witz über: die Hunde wohnen in Bonn.",
        "Guarda: el perro come.",
    ],
)
def test_the_same_verbs_told_of_something_ask_for_nothing(said: str) -> None:
    assert requests.find(said) is None


@pytest.mark.parametrize("said", ["please and so ", "remember ", "aaa ", "guarda, ", "keep this "])
def test_what_repeats_itself_a_thousand_times_takes_no_time(said: str) -> None:
    requests.find(said * (20_000 // len(said)))


@pytest.mark.parametrize("key", [*requests.KINDS, "recalls", "notes", "withdrawn", "ahead"])
def test_a_sentence_is_passed_over_only_where_the_long_pattern_finds_nothing(key: str) -> None:
    """Most sentences are looked through for pieces of phrases alone."""
    texts = [part.own for one in _messages() for part in sentences(one)]
    phrases = [one.replace(" _ ", " please ").replace(" \u2026 ", " the boat ") for one in requests._listed(key)]
    for pattern in requests._patterns(key):
        for text in (*texts, *phrases, *map(str.upper, phrases), "\ud800", ""):
            assert [*map(str, pattern.finditer(text))] == [*map(str, pattern._whole.finditer(text))], text


def _messages() -> Iterator[str]:
    for name in ("requests.toml", "requests.fresh.toml"):
        for rows in tomllib.loads((CORPORA / name).read_text("utf-8")).values():
            yield from (row[1] for row in rows)
