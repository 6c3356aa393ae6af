"""Recorded voices, good, weak and bad: nothing wrong lands, nothing is lost, and no run costs more than it may."""

import re
from itertools import product

import pytest

from clawgit.agents import reading_landing, requested_memories
from clawgit.llm.model import Budget
from clawgit.messages.triage import BUILT_IN
from clawgit.reading import backlog
from clawgit.reading.turns import Turn
from tests.agents.reading import recorded
from tests.agents.reading.recorded import RecordedVoice
from tests.agents.talk import Talk
from tests.amounts import amount

TALKS = recorded.talks()
FALSE = ("inventing", "obeying", "swapping", "injected")
USELESS = ("refusing", "half")
KINDS = ("good", "weak", "inventing", "obeying", "lazy", "half", "refusing", "swapping", "dropping", "yes", "injected")
MINER = "memory-miner"
RUN = Budget().tokens


def files(talk: Talk) -> str:
    """Return all that the agent is shown or a search finds."""
    return "\n".join(talk.text(str(place.relative_to(talk.root))) for place in sorted(talk.root.glob("**/*.md")))


def played(talk: Talk, name: str, kind: str) -> tuple[RecordedVoice, Talk]:
    recorded.have(talk, TALKS[name])
    voice = RecordedVoice(TALKS[name], kind)
    recorded.play(talk, voice)
    return voice, talk


def requests(name: str) -> list[str]:
    turns = [text for one in TALKS[name]["sessions"] for _, by, text in one["turns"] if by == "operator"]
    heard = (Turn(1, "", "", "operator", may_cite=True, text=text) for text in turns)
    return [one.text for turn in heard for one in requested_memories.list_operations(turn, BUILT_IN)]


@pytest.mark.parametrize(("name", "kind"), list(product(TALKS, KINDS))[:: amount(1, 3)])
def test_nothing_wrong_lands_nothing_is_lost_and_a_run_costs_what_it_may(talk: Talk, name: str, kind: str) -> None:
    voice, _ = played(talk, name, kind)
    said = files(talk)
    assert [one for one in TALKS[name]["wrong"] if one.casefold() in said.casefold()] == []
    assert kind == "good" or [one for one in TALKS[name]["memory"] if one not in said] == []
    assert voice.tokens <= RUN
    assert voice.calls <= 6 * len(recorded.AGENTS)
    left = list(reading_landing.load_all(talk.workspace.store))
    read = backlog.load_read(talk.workspace, backlog.name_reader(MINER, by_rules=False)).spans
    assert not left
    if kind in USELESS:
        assert not read
        return
    assert sum(one.count for some in read.values() for one in some) == sum(talk.events.values())
    told = [item.title for item in talk.workspace.store.read_items("open") if item.details.get("asked")]
    waits = "\n".join(value for item in talk.workspace.store.read_items("open") for _, value in item.trailers)
    assert [one for one in requests(name) if one not in told and not covered(one, said + waits)] == []
    voice.calls = 0
    recorded.play(talk, voice, MINER)
    assert voice.calls == 0
    assert files(talk) == said


def covered(request: str, said: str) -> bool:
    """Tell whether some line holds the words of a request that say something."""
    words = {word for word in re.findall(r"\w{5,}", request.casefold()) if word not in ("remember", "decided", "hemos")}
    return any(len(words & set(re.findall(r"\w{5,}", line.casefold()))) * 2 >= len(words) for line in said.splitlines())


@pytest.mark.parametrize(
    ("name", "kind"), list(product(TALKS, ("inventing", "obeying", "swapping", "injected")))[:: amount(1, 3)]
)
def test_what_stands_nowhere_never_lands_even_if_the_voice_vouches_for_it(talk: Talk, name: str, kind: str) -> None:
    recorded.have(talk, TALKS[name])
    voice = RecordedVoice(TALKS[name], kind)
    voice.judge = "own"
    recorded.play(talk, voice)
    assert [one for one in TALKS[name]["nowhere"] if one in files(talk)] == []


@pytest.mark.parametrize("name", list(TALKS)[: amount(len(TALKS), 1)])
def test_a_run_stops_at_what_it_may_cost(talk: Talk, name: str) -> None:
    recorded.have(talk, TALKS[name])
    voice = RecordedVoice(TALKS[name], "good")
    found = recorded.play(talk, voice, MINER, budget=Budget(tokens=900))
    assert voice.tokens <= 900
    assert any("may ask the model for 900 tokens" in note for note in found[MINER].notes)
    assert not backlog.load_read(talk.workspace, backlog.name_reader(MINER, by_rules=False)).spans


@pytest.mark.parametrize(("name", "kind"), list(product(TALKS, USELESS))[:: amount(1, 3)])
def test_what_a_useless_voice_left_a_good_one_reads(talk: Talk, name: str, kind: str) -> None:
    played(talk, name, kind)
    alone = RecordedVoice(TALKS[name], "good")
    alone.known = {**alone.known, "always": '{"operations": []}'}
    recorded.play(talk, alone)
    assert backlog.load_read(talk.workspace, backlog.name_reader(MINER, by_rules=False)).spans


@pytest.mark.parametrize("name", TALKS)
def test_a_good_voice_lands_what_it_says(talk: Talk, name: str) -> None:
    recorded.have(talk, TALKS[name])
    found = recorded.play(talk, RecordedVoice(TALKS[name], "good"))
    verdicts = [one for each in found.values() for one in each.verdicts]
    assert [(one.operation.text, one.state, one.why) for one in verdicts if one.state != "landed"] == []
