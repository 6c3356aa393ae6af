"""Checks sentences of a model that rest on lines."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct, to_builtins

from clawgit.llm import model, voice_record, voices
from clawgit.llm.asking import Answers
from clawgit.llm.model import Budget
from clawgit.llm.speaker import Speaker
from clawgit.reading import judge, nothing_invented
from clawgit.reading.citation import Source
from clawgit.reading.judge import Claim, Pair
from clawgit.safety import hidden_text, secrets
from clawgit.workspace.workspace import Workspace

MAX_SENTENCE_CHARS = 480
Say = Callable[[str, str, int], str]
"""Asks a model: rules, material, which it fences, tokens of the answer."""


class AskedOnce:
    """A model within the budget of a run; asked the same again, it says the same.

    So a preview and what is applied after it are the same, and a second run costs nothing.
    """

    def __init__(self, speaker: Speaker, known: Answers) -> None:
        self._speaker, self._known = speaker, known

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        """Return what is said to material, which is fenced here. Raises ModelError where the model fails."""
        parts = (rules, material, str(tokens), self._speaker.name)
        key = sha256(b"".join(sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)).digest()
        said = self._known.get(key)
        if said is None:
            said = self._speaker.say(rules, model.fenced(material), tokens).text
            self._known.put(key, said)
        return said

    @property
    def usage(self) -> Mapping[str, float]:
        """What was asked so far."""
        used: Mapping[str, float] = to_builtins(self._speaker.used)
        return used


def asked_once(workspace: Workspace, budget: Budget | None = None) -> AskedOnce | None:
    """Return the model of a workspace for one run, None without one.

    `budget` is what it may use, `run_tokens` unless given. Raises ModelError for half a configuration.
    """
    voice = voices.find(workspace.config.value, os.environ, workspace.store)
    if voice is None:
        return None
    allowed = budget or Budget(tokens=int(workspace.config.value("run_tokens")))
    speaker = Speaker(voice, allowed, noted=voice_record.noting(workspace.store, voice.name, workspace.now))
    return AskedOnce(speaker, Answers(workspace.store.folder / "cache" / "answers.db"))


class LineClaim(Struct, frozen=True):
    """A sentence, and the lines that it is made of with the days that they are of."""

    text: str
    sources: tuple[Source, ...]


def fault(claim: LineClaim) -> str:
    """Return what is wrong with a sentence as far as code can tell, "" for nothing.

    Each number, time and identifier stands in its lines, and it is one line without secrets or hidden text.
    """
    return next(_list_faults(claim), "")


def _list_faults(claim: LineClaim) -> Iterator[str]:
    text = claim.text
    if not any(map(str.isalnum, text)) or len(text) > MAX_SENTENCE_CHARS or "\n" in text:
        yield f"one line of at most {MAX_SENTENCE_CHARS} characters"
    if secrets.scan(text) or hidden_text.scan(text):
        yield "it holds a secret or hidden characters"
    if lost := nothing_invented.missing(text, claim.sources):
        yield f"'{lost}' does not stand in its lines"


def unsupported(claims: Sequence[LineClaim], say: Say, seed: str) -> frozenset[int]:
    """Return the places of claims that their lines do not support wholly; all, if the judge is not reliable.

    Raises ModelError where the model fails.
    """
    if not claims:
        return frozenset()
    pairs = [Pair(claim.text, _write_source(claim)) for claim in claims]
    judged = judge.judge([Claim(pair) for pair in pairs], (), say, seed)
    return frozenset(
        place for place, pair in enumerate(pairs) if not judged.reliable or judged.degrees.get(pair) != "wholly"
    )


def _write_source(claim: LineClaim) -> str:
    rows = (f"({source.day}) " if source.day else "" for source in claim.sources)
    texts = (" ".join(source.text.split()) for source in claim.sources)
    return " ".join(f'{day}"{text}"' for day, text in zip(rows, texts, strict=True))
