"""A model that says the same when asked again."""

import contextlib
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import to_builtins

from clawgit.git import regular_file
from clawgit.llm import model, voice_record, voices
from clawgit.llm.model import Budget
from clawgit.llm.speaker import Speaker
from clawgit.workspace.workspace import Workspace

Say = Callable[[str, str, int], str]
"""Asks a model: rules, material, which it fences, tokens of the answer."""


class AskedOnce:
    """A model within the budget of a run; asked the same again, it says the same.

    So a preview and what is applied after it are the same, and a second run costs nothing. Answers are files of
    `folder`, which anybody may delete: then the model is asked again.
    """

    def __init__(self, speaker: Speaker, folder: Path) -> None:
        self._speaker, self._folder = speaker, folder

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        """Return what is said to material, which is fenced here. Raises ModelError where the model fails."""
        parts = (rules, material, str(tokens), self._speaker.name)
        key = sha256(b"".join(sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)).hexdigest()
        said = regular_file.parse_state(self._folder / key, str)
        if said is None:
            said = self._speaker.say(rules, model.fenced(material), tokens).text
            with contextlib.suppress(OSError):
                regular_file.save_state(self._folder / key, said)
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
    return AskedOnce(speaker, workspace.store.folder / "cache" / "answers")
