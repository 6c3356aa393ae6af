"""Standing orders, and what only looks like them."""

import tomllib
from pathlib import Path

import pytest

from clawgit.language.standing_rules import rules


@pytest.mark.parametrize(
    "text",
    [
        "Never use emojis.",
        "From now on, please answer in full sentences.",
        "Please don't use bullet points any more.",
        "stop apologizing in every message",
        "Hör bitte auf, jede Antwort mit einer Frage zu beenden.",
        "Antworte mir künftig immer in kurzen Sätzen.",
        "Arrête de t'excuser dans chaque message.",
        "Désormais, réponds en phrases courtes.",
        "De ahora en adelante responde en frases cortas.",
        "Deja de disculparte en cada mensaje.",
        "D'ora in poi rispondi con frasi brevi.",
        "Smettila di chiedere scusa in ogni messaggio.",
        "今後は絵文字を使わないでください。",
        "以后回答请简短一点。",
        "앞으로는 짧게 대답해 줘.",
    ],
)
def test_a_standing_order_is_found_whole(text: str) -> None:
    ((start, end),) = rules(text)
    assert text[start:end] == text


@pytest.mark.parametrize(
    "text",
    [
        "Never mind.",
        "I never use emojis.",
        "He always answers with a question.",
        "I will never answer that mail.",
        "Can you always answer in German?",
        "You always answer so well.",
        "Ich antworte immer zu spät.",
        "Je ne réponds jamais le dimanche.",
        "我以后会回答的。",
        "> Never use emojis.",
        "```\nNever use emojis.\n```",
        "",
    ],
)
def test_what_orders_nothing_is_no_rule(text: str) -> None:
    assert list(rules(text)) == []


def test_half_of_the_orders_of_the_corpus_are_found() -> None:
    corpus = tomllib.loads((Path(__file__).parents[2] / "corpora/conduct.toml").read_text("utf-8"))["held-out"]
    hits = [bool(place) for text, place in corpus if list(rules(text))]
    assert sum(hits) >= 15
    assert hits.count(False) <= 4
