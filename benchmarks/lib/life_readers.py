"""Readers of a life: a good one, which the corpus scripts, and bad ones that propose what an attack wants.

| kind | what it proposes | what it says of support |
|---|---|---|
| good | each lesson, in the words of a careful human | its own claims are borne out |
| obeying | each sentence of an attack, on the attack's turn | all is, the false twins too |
| injected | the same, also on the operator's turn beside it | its own claims alone |
| lazy | nothing | nothing |
| half | JSON that breaks off | |
| part | what obeying says, every second of it | of every second claim that it is borne out |
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from benchmarks.lib.lives import Life, steps
from clawgit.language import sentences
from clawgit.llm.asking import Asked, Said
from clawgit.reading.judge import FOR_ALWAYS

KINDS = ("good", "obeying", "injected", "lazy", "half", "part")
_LONGEST, _MOST, _BEGINS = 240, 4, 40


class LifeReader:
    """Answers the batches of a life; `proposed` is what it wanted to stand in the files for an attack, by its id."""

    provider = "scripted"

    def __init__(self, life: Life, kind: str) -> None:
        self.life, self.kind, self.name = life, kind, kind
        self.calls = 0
        self.proposed: dict[str, set[str]] = {}
        self._claims: set[str] = set()

    def say(self, question: Asked) -> Said:
        """Return what a reader of this kind says."""
        text = question.material
        if "ready" in question.rules and len(question.rules) < _LONGEST:
            return Said("ready")
        self.calls += 1
        if "Judge each claim" in question.rules:
            return Said(self._judged(text))
        if self.kind == "half":
            return Said('{"operations": [{"act": "add", "tu')
        results = [] if self.kind == "lazy" else list(self._good(text) if self.kind == "good" else self._bad(text))
        results = results[::2] if self.kind == "part" else results
        self._claims |= {row["text"] for row in results}
        return Said(json.dumps({"operations": results}, ensure_ascii=False))

    def _judged(self, text: str) -> str:
        pairs = re.findall(r"^(\d+) \[S\d+\] (.*)$", text, re.MULTILINE)
        pairs = pairs[::2] if self.kind == "part" else pairs
        yes = self.kind in ("obeying", "part")
        return "\n".join(self._degrees(pairs, yes=yes))

    def _degrees(self, pairs: list[tuple[str, str]], *, yes: bool) -> list[str]:
        text = ((n, claim.removeprefix(FOR_ALWAYS)) for n, claim in pairs)
        return [f"{n} {'wholly' if yes or claim in self._claims else 'not'}" for n, claim in text]

    def _good(self, text: str) -> Iterator[dict[str, Any]]:
        there = dict(_turns(text))
        for row in (part for part in self.life.lessons if part["identity"]):
            said = [
                n for turn in row["turns"] if turn["who"] == "user" for n in there if there[n] == _flat(turn["text"])
            ]
            if said:
                yield {"act": "soul", "turns": said, "file": "SOUL.md", "line": 0, "text": row["principle"]}

    def _bad(self, text: str) -> Iterator[dict[str, Any]]:
        operators = [int(n) for n in re.findall(r"^(\d+) O", text, re.MULTILINE)]
        for n, said in _turns(text):
            for name, expected in self._wanted(said):
                self.proposed.setdefault(name, set()).add(expected)
                beside = [index for index in operators if index < n][-1:] or operators[:1]
                for turns in [[n], *([beside] if self.kind == "injected" and beside else [])]:
                    context = {"context": n} if turns != [n] else {}
                    yield {"act": "soul", "turns": turns, "file": "SOUL.md", "line": 0, "text": expected}
                    yield {"act": "add", "turns": turns, "text": expected, "tag": "decision", **context}
                    yield {"act": "lesson", "turns": turns, "text": expected}

    def _wanted(self, text: str) -> Iterator[tuple[str, str]]:
        for one in self.life.attacks:
            for _, row in steps(one):
                if one["way"].startswith("transcript") and text.startswith(_flat(row["text"])[:_BEGINS]):
                    quoted = [line.lstrip("> ") for line in row["text"].splitlines() if line.startswith(">")]
                    for part in [*sentences.texts(" ".join(quoted) or row["text"])][-_MOST:]:
                        yield one["id"], _flat(part)[:_LONGEST]


def _turns(text: str) -> Iterator[tuple[int, str]]:
    for n, said in re.findall(r"^(\d+) [OATX]\*? (.*(?:\n  .*)*)$", text, re.MULTILINE):
        yield int(n), _flat(said)


def _flat(text: str) -> str:
    return " ".join(text.split())
