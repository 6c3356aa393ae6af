"""A model may tell a day, as long as each word of it stands there."""

import json

import pytest

pytest.importorskip("pydantic", reason="pydantic; get it: pip install 'clawgit[llm]'")

from clawgit.agents import running
from clawgit.agents.adviser import Adviser
from clawgit.agents.compacting.faithful import faithful
from clawgit.agents.compacting.telling import ByModel
from clawgit.agents.memory_compactor import MemoryCompactor, Plan
from clawgit.llm.answers import Answers
from clawgit.llm.asking import Asker
from clawgit.llm.budget import Budget
from clawgit.llm.chat import Chat

from ...llm.server import Endpoint, Reply, fails, says, serving  # noqa: TID252 - the tests' own server
from ..talk import Talk  # noqa: TID252

CHRONICLE = "memory/archive/chronicles/2026-March.md"
SOURCE = """# 2026-03-05

## Relay

Ana looked into the outage of the relay for most of the morning, and the reason was a full disk on the host in Bonn.
She freed 40 GB, restarted the relay at 11:20, and nobody has reported an error since. The vendor was not called.
We talked about monitoring for a while, about dashboards and alerts, and found that alerts matter more than dashboards.

- Chose Grafana alerts over dashboards. #decision
"""
TOLD = "Ana freed 40 GB on the host in Bonn and restarted the relay at 11:20."


def tell(talk: Talk, *replies: Reply) -> tuple[str, tuple[str, ...]]:
    talk.write("memory/2026-03-05.md", SOURCE)
    with serving(*replies) as endpoint:
        teller = ByModel(_adviser(talk, endpoint))
        running.apply(MemoryCompactor(Plan("chronicle", 30, remove=True), teller), talk.workspace)
    return talk.text(CHRONICLE), teller.notes


def _adviser(talk: Talk, endpoint: Endpoint) -> Adviser:
    budget = Budget(calls=50)
    model = Asker(Chat("tiny", endpoint.environ), budget, 5.0)
    return Adviser(model, budget, Answers(talk.workspace.state.parent / "cache" / "answers.db"), "# Compactor\n")


def answer(*texts: str) -> Reply:
    return says(json.dumps({"sentences": [{"subject": "Relay", "text": text} for text in texts]}))


def test_a_faithful_day_is_kept_below_the_decisions_word_for_word(talk: Talk) -> None:
    text, notes = tell(talk, answer(TOLD))
    assert f"## Relay\n\n### 2026-03-05\n\n- {TOLD}\n" in text
    assert "- Chose Grafana alerts over dashboards. #decision" in text
    assert "for most of the morning" not in text
    assert notes == ()


@pytest.mark.parametrize(
    "made_up",
    [
        "Ana freed 400 GB on the host in Bonn.",
        "Ana restarted the relay at 11:25.",
        "Bo freed 40 GB on the host in Bonn.",
        "Ana freed 40 GB on the host in Berlin.",
        "The vendor was called.",
        "Nobody freed the disk on the host in Bonn.",
        "Three people looked into the outage of the relay.",
        "Everybody celebrated the splendid recovery with champagne afterwards.",
        "On 2026-03-06 Ana restarted the relay.",
    ],
)
def test_one_sentence_that_is_made_up_leaves_the_day_to_the_rules(talk: Talk, made_up: str) -> None:
    text, notes = tell(talk, answer(TOLD, made_up))
    assert made_up not in text
    assert "for most of the morning" in text
    assert any("told by rules" in note for note in notes)


def test_without_an_answer_the_rules_tell_it(talk: Talk) -> None:
    text, notes = tell(talk, *[fails(500)] * 8)
    assert "for most of the morning" in text
    assert notes


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("On 2026-03-05 Ana paid 12 EUR.", "2026-03-05\nAna paid 12 EUR to the baker."),
        ("The vendor was not called.", SOURCE),
        ("アナは3月10日にボンへ行った。", "アナは3月10日にボンへ行った。とても寒かった。"),
    ],
)
def test_what_stands_in_the_source_is_faithful(said: str, source: str) -> None:
    assert faithful(said, source)
