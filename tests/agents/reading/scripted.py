"""A model that reads from a script, and runs with it."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from clawgit.agents import reading_run
from clawgit.agents.reading_landing import Outcome
from clawgit.llm import asking
from clawgit.llm.asking import Asked, Said
from clawgit.reading.judge import FOR_ALWAYS
from clawgit.sessions import chat_store
from tests.agents.talk import Talk

Reply = Callable[[Asked], str] | str | Exception
_SOURCE = r"^(S\d+): (.*)$"
_CLAIM = r"^(\d+) \[(S\d+)\] (.*)$"


class Scripted:
    """Answers with one reply after another, the last one for ever; keeps what it was asked."""

    name = "scripted"

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = list(replies), list[Asked]()

    def say(self, asked: Asked) -> Said:
        if asked.material == asking._PROBED:
            return Said("ready", 10, 1)
        self.asked.append(asked)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return Said(reply if isinstance(reply, str) else reply(asked))


def answer(*operations: dict[str, Any], **reasons: str) -> str:
    """Return an answer in JSON; reasons by `t1`."""
    told = {name.removeprefix("t"): why for name, why in reasons.items()}
    return json.dumps({"operations": list(operations), "reasons": told})


def add(text: str, *turns: int, **more: Any) -> dict[str, Any]:
    """Return an operation that adds a line."""
    return {"act": "add", "turns": list(turns), "text": text, "tag": "knowledge", **more}


def judge(asked: Asked, is_wholly: Callable[[str, str], bool]) -> str:
    """Return the answer of a judge that knows of each claim and its source whether it is supported."""
    sources = dict(re.findall(_SOURCE, asked.material, re.MULTILINE))
    rows = re.findall(_CLAIM, asked.material, re.MULTILINE)
    return "\n".join(f"{n} {'wholly' if is_wholly(claim, sources[one]) else 'not'}" for n, one, claim in rows)


def stands(claim: str, source: str) -> bool:
    """Return whether a claim stands in its source word for word."""
    return claim.removeprefix(FOR_ALWAYS).rstrip(".").casefold() in source.casefold()


def replying(*replies: str, is_wholly: Callable[[str, str], bool] = stands) -> Scripted:
    """Return a model that answers batches in turn, and judges what it is asked to."""
    left = list(replies)

    def reply(asked: Asked) -> str:
        if "Judge each claim" in asked.rules:
            return judge(asked, is_wholly)
        return left.pop(0) if len(left) > 1 else left[0]

    return Scripted(reply)


def believing(*operations: dict[str, Any]) -> Scripted:
    """Return a model that proposes operations, and says of their own texts that they are supported."""
    claims = {claim for operation in operations for claim in _list_claims(operation)}
    return replying(answer(*operations), is_wholly=lambda claim, source: claim in claims)


def _list_claims(operation: dict[str, Any]) -> Iterator[str]:
    """Yield the forms in which a judge may be asked about an operation."""
    text, wrong, right = (str(operation.get(name, "")) for name in ("text", "wrong", "right"))
    yield from (text, f"{FOR_ALWAYS}{text}", f"{text} (due {operation.get('due')})")
    yield from (f'Not "{wrong}" but "{right}"', f'Not "{wrong}" but "{right}": {text}')
    yield from (str(claim) for claim in operation.pop("claims", ()))


def run(talk: Talk, agent: str, voice: Any, **options: Any) -> Outcome:
    """Have an agent read with a model."""
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        return reading_run.read(talk.workspace, store, agent, voice, **options)
