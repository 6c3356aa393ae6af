"""Standing rules of how to talk, told from what only holds once, or for others."""

import pytest

from clawgit.language import lexicon
from clawgit.language.standing_rules import Rule, rules


def one(text: str) -> Rule | None:
    return next(rules(text), None)


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
def test_a_whole_unconditional_rule_is_taken(text: str) -> None:
    found = one(text)
    assert found is not None
    assert (text[found.start : found.end], found.doubt, found.work) == (text, "", False)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("Can you always answer in German?", "it is a question"),
        ("From now on answer in German if I write German.", "it holds in one case only"),
        ("Wenn ich müde bin, antworte immer kurz.", "it may hold for one case only"),
        ("Never use emojis, maybe.", "it may not be meant for always"),
        ("Never use emojis. Haha.", "it may not be meant for always"),
        ("Never say that to anyone.", "it is about others, too"),
        ("Never answer like that.", "it points to something said before"),
        ("Never use emojis. Unless it is a birthday.", "the next sentence limits it"),
        ("She sent me this:\nNever use emojis.", "what stands before it may say whose words it is"),
        ("From now on ring first.", None),
        ("No exclamation marks!", "it may hold for one case only"),
        ("Always use the same words.", "it does not speak of talking"),
    ],
)
def test_what_is_doubtful_says_why(text: str, doubt: str | None) -> None:
    found = one(text)
    assert (found.doubt if found else None) == doubt


@pytest.mark.parametrize("text", ["Never commit to the main branch.", "Always run scripts/check.sh first."])
def test_what_is_about_work_says_so(text: str) -> None:
    found = one(text)
    assert found is not None
    assert found.work


@pytest.mark.parametrize(
    "text",
    [
        "Never mind.",
        "I never use emojis.",
        "He always answers with a question.",
        "I will never answer that mail.",
        "Always a pleasure.",
        "Stop the music at ten.",
        "You always answer so well.",
        "Ich antworte immer zu spät.",
        "Je ne réponds jamais le dimanche.",
        "我以后会回答的。",
        "いつも返事が遅い人だ。",
        "> Never use emojis.",
        "```\nNever use emojis.\n```",
        "",
    ],
)
def test_what_orders_nothing_is_no_rule(text: str) -> None:
    assert [found for found in rules(text) if not found.doubt] == []


def test_each_language_says_all_that_a_rule_takes() -> None:
    known = lexicon.having("conduct")
    assert {"en", "de", "fr", "es", "it", "ja", "zh", "ko"} <= known
    for iso in known:
        for key in ("standing", "talk", "hedges", "others", "points", "leave", "sections"):
            assert lexicon.phrases(iso, "conduct", key), (iso, key)
