"""Words that ask to remember something."""

import time

import pytest

from clawgit.language import requests


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("put this away where you won't lose it: lane 5 has a left hand thread", "lane 5 has a left hand thread"),
        ("Remember also that they take pods only on Saturdays", "they take pods only on Saturdays"),
        ("gobo remember for us please: the lamp stays on universe 3", "the lamp stays on universe 3"),
        ("pelle das merk du dir bitte: der Schlüssel hängt hinten", "der Schlüssel hängt hinten"),
        ("tiens rappelle toi ben de ça: mon hydromètre lit trop bas", "mon hydromètre lit trop bas"),
        ("guardame esto que se me va a olvidar: la ve el 17 de noviembre", "la ve el 17 de noviembre"),
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
    "said",
    [
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
    begun = time.process_time()
    requests.find(said * (20_000 // len(said)))
    assert time.process_time() - begun < 5  # the first took 20 seconds
