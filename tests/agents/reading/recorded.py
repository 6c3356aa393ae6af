"""Conversations of corpora/answers, and voices that answer as they are recorded there.

A test has a conversation with `have`, and has it read by `play`.
"""

import re
import tomllib
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from clawgit.agents.reading_landing import Outcome
from clawgit.llm import asking
from clawgit.llm.asking import Asked, Said
from clawgit.llm.model import Budget
from clawgit.messages import message_flags
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.reading.judge import FOR_ALWAYS
from clawgit.text.tokens import count
from clawgit.workspace import memory
from tests.agents.reading import scripted
from tests.agents.talk import Talk

FOLDER = Path(__file__).resolve().parents[3] / "corpora/answers"
DAY = "2026-05-31"
AGENTS = ("recall-validator", "memory-miner", "soul-keeper")
_FENCE = re.compile(r"\bdata [0-9a-f]{32}")


class StaleError(AssertionError):
    """An answer is missing for what is read now: the conversation, or the way it is put, is not what it was."""


def talks() -> dict[str, dict[str, Any]]:
    """Return the conversations by name."""
    return {place.stem: tomllib.loads(place.read_text("utf-8")) for place in sorted(FOLDER.glob("*.toml"))}


def key(material: str) -> str:
    """Return what an answer is kept under: a hash of the turns that are to be read, as they are numbered."""
    turns = _FENCE.split(material.partition("\nTurns:\n")[2])[0]
    return sha256(turns.strip().encode()).hexdigest()[:16]


class RecordedVoice:
    """Answers with what is recorded of one kind of voice; `shown` is what it was asked by agent."""

    name = "recorded"

    def __init__(self, talk: dict[str, Any], kind: str) -> None:
        self.known = talk.get("answers", {}).get(kind, {})
        self.true, self.kind, self.agent = set(talk.get("true", ())), kind, ""
        self.judge = self.known.get("judge", "fair")
        self.tokens, self.calls, self.shown = 0, 0, dict[str, str]()

    def say(self, asked: Asked) -> Said:
        text = asked.material
        if text == asking._PROBED:
            return Said("ready", 10, 1)
        self.calls += 1
        self.tokens += count(asked.rules) + count(text)
        return Said(self._judged(text) if "Judge each claim" in asked.rules else self._read(text))

    def _read(self, text: str) -> str:
        if "always" in self.known:
            return str(self.known["always"])
        if "These were refused." in text:
            return str(self.known.get("again", '{"operations": []}'))
        self.shown[self.agent] = text
        found = self.known.get(self.agent)
        if found is None:
            return '{"operations": []}'
        if found["key"] != key(text):
            words = f"{self.kind} {self.agent}: the answer is to {found['key']}, and {key(text)} is read:\n{text}"
            raise StaleError(words)
        return str(found["said"])

    def _judged(self, text: str) -> str:
        sources = dict(re.findall(r"^(S\d+): (.*)$", text, re.MULTILINE))
        pairs = re.findall(rf"^(\d+) \[(S\d+)\] (?:{FOR_ALWAYS})?(.*)$", text, re.MULTILINE)
        own = "".join(str(one["said"]) for one in self.known.values() if isinstance(one, dict))
        believed = {"yes": lambda claim, source: True, "own": lambda claim, source: claim in own, "fair": self._true}
        wholly = believed[self.judge]
        return "\n".join(f"{n} {'wholly' if wholly(claim, sources[one]) else 'not'}" for n, one, claim in pairs)

    def _true(self, claim: str, source: str) -> bool:
        """Tell whether a claim is true, and its source speaks of it: some false twins are true of another source."""
        words = re.findall(r"[^\W\d]{4,}", claim.casefold())
        return claim in self.true and any(word in source.casefold() for word in words)


def have(talk: Talk, said: dict[str, Any]) -> None:
    """Have the conversations of a day in a workspace; what the operator says is looked at as it comes."""
    for text in said["memory"]:
        talk.workspace.apply(memory.add(talk.workspace, text).change)
    talk.workspace.trusted.approve({"SOUL.md": talk.text("SOUL.md")})
    talk.workspace.approvals()
    for session in said["sessions"]:
        for clock, by, text in session["turns"]:
            at = datetime.fromisoformat(f"{session.get('day', DAY)}T{clock}:00+00:00")
            origin = {"operator": "operator", "agent": "agent"}[by]
            talk.say(text.strip(), session=session["id"], at=at.timestamp(), origin=origin)
            found = triage(text, BUILT_IN)
            if by == "operator" and found.matches:
                message_flags.file(talk.workspace.store, text.strip(), found, at, session["id"])


def play(talk: Talk, voice: RecordedVoice, *agents: str, budget: Budget | None = None) -> dict[str, Outcome]:
    """Have agents read with a voice, and return what came of each."""
    found = {}
    for voice.agent in agents or AGENTS:
        found[voice.agent] = scripted.run(talk, voice.agent, voice, budget=budget)
    return found
