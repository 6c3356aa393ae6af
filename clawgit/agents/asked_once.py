"""A model that says the same when asked again."""

import os
from collections.abc import Callable, Mapping
from hashlib import sha256

from msgspec import to_builtins

from clawgit.llm import model, voice_record, voices
from clawgit.llm.asking import Answers
from clawgit.llm.model import Budget
from clawgit.llm.speaker import Speaker
from clawgit.workspace.workspace import Workspace

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
