"""The defaults, patterns and thresholds of the seeds are those of a new workspace."""

import pytest

from tests.promises.desk import Desk

MUTATION = ("text/confidence.py", "INFERRED = 0.95, 1.0, 0.6", "INFERRED = 0.9, 1.0, 0.6")

SETTINGS = {
    "context_budget_tokens": 6000,
    "identity_tokens": 800,
    "user_profile_tokens": 600,
    "corrections_tokens": 400,
    "recent_memory_tokens": 1200,
    "semantic_recall_tokens": 1500,
    "crm_tokens": 1000,
    "longterm_memory_tokens": 500,
    "memory_retention_hours": 48,
    "compaction_age_days": 30,
    "correction_archive_days": 14,
    "correction_overflow_strategy": "prioritize_unverified",
    "corrected_embedding_grace_days": 7,
    "confidence_decay_interval_days": 30,
    "confidence_decay_amount": 0.05,
    "confidence_floor": 0.2,
    "confidence_boost_per_mention": 0.05,
    "correction_relevance_boost": 1.5,
    "soul_max_tokens": 800,
    "soul_history_retention_days": 90,
    "cron_soul_keeper": "02:30",
    "cron_memory_miner": "06:00",
    "cron_conflict_detector": "07:00",
    "cron_compactor_weekly": "Sunday 03:00",
    "external_context_budget": 0,
    "external_context_source": "",
    "recall_external_handler": "",
    "heartbeat_custom_patterns": [],
}
"""Spec P13, all 28."""
REMEMBERED = (
    "Remember that the boiler is loud.",
    "Please remember this for me.",
    "don't forget the keys",
    "Important: the gate code changed.",
    "Decision: we take the blue one.",
    "Well, we agreed on Thursday.",
    "So the plan is to leave early.",
    "Note to self, buy twine.",
)
"""Spec P7, memory triggers: flagged for the miner."""
FORGOTTEN = (
    "I already told you that.",
    "I just told you.",
    "We talked about this.",
    "We discussed this.",
    "You forgot the milk.",
    "Remember when I said no?",
    "I mentioned that before.",
    "I mentioned it yesterday.",
    "No, I said Monday.",
    "No it's Monday.",
    "How many times do I have to say it?",
    "Don't you remember?",
)
"""Spec P7, recall failures: high confidence."""
CORRECTED = (
    "Actually, it's Tuesday.",
    "Actually the meeting moved.",
    "No, that's the old one.",
    "I switched banks.",
    "I moved to Porto.",
    "That's outdated.",
    "That's not right.",
    "It's Marek's job now.",
)
"""Spec P7, soft corrections: medium confidence."""
QUIET = ("Good morning!", "Thanks a lot.", "Write me a poem about rain.", "What is the weather like?")


@pytest.mark.parametrize(("key", "value"), SETTINGS.items(), ids=SETTINGS)
def test_a_setting_of_the_spec(desk: Desk, key: str, value: object) -> None:
    assert desk.run("config", key)["default"] == value


@pytest.mark.parametrize("text", REMEMBERED)
def test_a_memory_trigger(desk: Desk, text: str) -> None:
    assert desk.run("triage", text)["priority"]


@pytest.mark.parametrize("text", FORGOTTEN)
def test_a_recall_failure(desk: Desk, text: str) -> None:
    assert "high" in certainties(desk, text)


@pytest.mark.parametrize("text", CORRECTED)
def test_a_soft_correction(desk: Desk, text: str) -> None:
    assert certainties(desk, text) == {"medium"}


@pytest.mark.parametrize("text", QUIET)
def test_small_talk_triggers_nothing(desk: Desk, text: str) -> None:
    assert not desk.run("triage", text)["priority"]
    assert certainties(desk, text) == set()


def certainties(desk: Desk, text: str) -> set[str]:
    """Return how certain the triggers are that a message corrects something."""
    return {match["trigger_confidence"] for match in desk.run("triage", text)["matches"] if match["trigger_confidence"]}


def test_the_schedule_has_its_default_times(desk: Desk) -> None:
    times = {row["job"]: (row["day"], row["at"]) for row in desk.run("schedule", "status")}
    assert times["soul-keeper"] == ("daily", "02:30")
    assert times["memory-miner"] == ("daily", "06:00")
    assert times["conflict-detector"] == ("daily", "07:00")
    assert times["memory-compactor"] == ("Sunday", "03:00")


def test_an_explicit_statement_has_its_confidence(desk: Desk) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    row = next(row for row in desk.run("memory", "list") if "watts" in row["text"])
    assert row["confidence"] == 0.95


def test_a_correction_has_its_confidence(desk: Desk) -> None:
    desk.run("correct", "not Tuesday evening, Thursday evening")
    row = next(row for row in desk.run("memory", "list") if "Thursday" in row["text"])
    assert row["confidence"] == 1.0


def test_decay_has_one_switch(desk: Desk) -> None:
    desk.refuse("config", "temporal_decay", key="setting-unknown", code=2)
    scores = []
    for setting in (("min_score", "0"), ("half_life_days", "23"), ("half_life_days", "0")):
        desk.run("config", *setting)
        (hit,) = (
            hit for hit in desk.run("search", "Marek replaced the pump")["results"] if "2026-01-20" in hit["path"]
        )
        scores.append(hit["score"])
    assert scores[0] == scores[2] > 2 * scores[1]
