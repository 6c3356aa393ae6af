"""A voice that is asked the same thing once."""

import os
from collections.abc import Mapping
from hashlib import sha256

from msgspec import to_builtins

from clawgit.llm import fencing, voice_record, voices
from clawgit.llm.answers import Answers
from clawgit.llm.budget import Budget
from clawgit.llm.speaker import Speaker
from clawgit.workspace.workspace import Workspace


class AskedOnce:
    """A voice within the budget of a run; what it said to the same material before is what it says.

    So a preview and what is applied after it are the same, and a second run costs nothing.
    """

    def __init__(self, speaker: Speaker, known: Answers) -> None:
        self._speaker, self._known = speaker, known

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        """Return what is said to material, which is fenced here. Raises ModelError where the voice fails."""
        parts = (rules, material, str(tokens), self._speaker.name)
        key = sha256(b"".join(sha256(one.encode("utf-8", "surrogatepass")).digest() for one in parts)).digest()
        said = self._known.get(key)
        if said is None:
            said = self._speaker.say(rules, fencing.fenced(material), tokens).text
            self._known.put(key, said)
        return said

    @property
    def usage(self) -> Mapping[str, float]:
        """What was asked so far."""
        used: Mapping[str, float] = to_builtins(self._speaker.used)
        return used


def asked_once(workspace: Workspace, budget: Budget | None = None) -> AskedOnce | None:
    """Return the voice of a workspace for one run, None where rules do without.

    `budget` is what it may use, `run_tokens` unless given. Raises ModelError for half a configuration.
    """
    voice = voices.find(workspace.config.value, os.environ, workspace.state)
    if voice is None:
        return None
    allowed = budget or Budget(tokens=int(workspace.config.value("run_tokens")))
    speaker = Speaker(voice, allowed, noted=voice_record.noting(workspace.state, voice.name, workspace.now))
    return AskedOnce(speaker, Answers(workspace.state.parent / "cache" / "answers.db"))
