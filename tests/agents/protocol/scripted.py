"""A voice that reads from a script, and checks that believe what is marked."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from clawgit.agents.protocol import turn_spans
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batch_decision import Say
from clawgit.agents.protocol.batch_landing import Lander
from clawgit.agents.protocol.batch_run import Outcome, Reading
from clawgit.agents.protocol.batching import Gatherer
from clawgit.agents.protocol.check_result import Checked, Quote
from clawgit.agents.protocol.operations import Answer, Operation
from clawgit.agents.protocol.prompt_text import Exchange
from clawgit.agents.protocol.unread_turns import Unread
from clawgit.llm import speaker
from clawgit.llm.asking import Asked, Said
from clawgit.llm.model import Budget
from clawgit.messages.patterns import BUILT_IN
from clawgit.sessions import chat_store_choice
from tests.agents.talk import Talk

Reply = Callable[[Asked], str] | str | Exception


class Scripted:
    """Answers with one reply after another, the last one for ever; keeps what it was asked."""

    name = "scripted"

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = list(replies), list[Asked]()

    def say(self, asked: Asked) -> Said:
        asked.admit()
        if asked.material == speaker._PROBED:
            return Said("ready", 10, 1)
        self.asked.append(asked)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return Said(reply if isinstance(reply, str) else reply(asked))


class Believing:
    """Lets everything land but what says INVENTED; what says PARTLY waits."""

    def check(self, batch: Batch, answer: Answer) -> Sequence[Checked]:
        return [self._one(batch, one) for one in answer.operations]

    def support(self, batch: Batch, found: Sequence[Checked], say: Say | None) -> Sequence[Checked]:
        return found

    def _one(self, batch: Batch, one: Operation) -> Checked:
        turns = [turn for n in one.turns if (turn := batch.turn(n))]
        quotes = tuple(Quote(turn.n, 0, len(turn.text), turn.text) for turn in turns)
        if "INVENTED" in one.text or not all(turn.may_cite for turn in turns):
            return Checked(one, "refused", "turn 1 does not say it")
        return Checked(one, "waits" if "PARTLY" in one.text else "fits", "", quotes, 0.95)


def answer(*operations: dict[str, Any], **reasons: str) -> str:
    """Return an answer in JSON; reasons by `t1`."""
    told = {name.removeprefix("t"): why for name, why in reasons.items()}
    return json.dumps({"operations": list(operations), "reasons": told})


def add(text: str, *turns: int, **more: Any) -> dict[str, Any]:
    """Return an operation that adds a line."""
    return {"act": "add", "turns": list(turns), "text": text, "tag": "knowledge", **more}


def echo(asked: Asked) -> str:
    """Return an answer that keeps what begins with FACT, word for word."""
    found = []
    for line in asked.material.splitlines():
        n, _, rest = line.partition(" ")
        who, _, text = rest.partition(" ")
        if n.isdecimal() and who.startswith("O") and text.startswith("FACT"):
            found.append(add(text.removeprefix("FACT "), int(n)))
    return answer(*found)


@contextmanager
def reading(
    talk: Talk,
    voice: Scripted | None,
    *,
    agent: str = "memory-miner",
    budget: Budget | None = None,
    start: float | None = None,
    landing: Callable[[], None] = lambda: None,
    most: int | None = None,
) -> Iterator[Reading]:
    """Yield what a run is made of."""
    workspace = talk.workspace
    with chat_store_choice.opened(workspace.store, {}) as store:
        gatherer = Gatherer(workspace, agent, BUILT_IN)
        unread = Unread(
            store,
            turn_spans.load(workspace, agent),
            turn_spans.rules_progress(workspace, agent),
            workspace.now(),
            start=start,
            wanted=gatherer.wants,
        )
        spoken = speaker.Speaker(voice, budget or Budget(), sleep=lambda seconds: None) if voice else None
        talking = Exchange(spoken) if spoken else None
        usage = (lambda: talking.usage) if talking else dict
        lander = Lander(workspace, unread, BUILT_IN, usage, landing)
        yield Reading(workspace, gatherer, unread, lander, Believing(), talking, most)


def run(talk: Talk, voice: Scripted, **more: Any) -> Outcome:
    """Run an agent with a voice."""
    with reading(talk, voice, **more) as found:
        return found.run()
