"""Checks what a voice says of lines."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct, to_builtins

from clawgit.agents.protocol import check_result as protocol_checked
from clawgit.agents.protocol import nothing_invented, support_call
from clawgit.agents.protocol.check_result import Checked, Ground, Quote
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic, sentences
from clawgit.llm import model, voice_record, voices
from clawgit.llm.asking import Answers
from clawgit.llm.model import Budget
from clawgit.llm.speaker import Speaker
from clawgit.safety import hidden_text, injection, secrets
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
    """Return the voice of a workspace for one run, None where rules do without.

    `budget` is what it may use, `run_tokens` unless given. Raises ModelError for half a configuration.
    """
    voice = voices.find(workspace.config.value, os.environ, workspace.store)
    if voice is None:
        return None
    allowed = budget or Budget(tokens=int(workspace.config.value("run_tokens")))
    speaker = Speaker(voice, allowed, noted=voice_record.noting(workspace.store, voice.name, workspace.now))
    return AskedOnce(speaker, Answers(workspace.store.folder / "cache" / "answers.db"))


Say = Callable[[str, str, int], str]
"""Asks a voice: rules, material, which it fences, tokens of the answer."""
RULES = support_call.RULES.replace(
    'what an operator said ("I" is the operator), and the day on which it was said',
    "lines of a journal, and the day that it is of",
)


_LABEL = re.compile(r"\A\W*\*\*([^*\n]{1,40}?)(?::\*\*|\*\*:)\s+")


class LineClaim(Struct, frozen=True):
    """A sentence, and the lines that it is made of with the days that they are of.

    `above` are the headings that the lines stand under: what they name may be said, and need not. `longest` is how many
    characters it may have.
    """

    text: str
    sources: tuple[Source, ...]
    above: str = ""
    longest: int = protocol_checked.LONGEST

    @property
    def evidence(self) -> tuple[Source, ...]:
        """All that bears the sentence out."""
        return (*self.sources, Source(self.above, self.sources[0].day)) if self.above else self.sources


def labelled(text: str) -> tuple[str, str]:
    """Return the bold words with a colon that a line begins with, as in `**Lesson:** …`, "" without; and the rest."""
    found = _LABEL.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def fault(claim: LineClaim) -> str:
    """Return what is wrong with a sentence as far as code can tell, in words that a reader can act on; "" for nothing.

    Each number, time and identifier stands in its lines, and it is one sentence without secrets, hidden text or orders.
    """
    if not claim.sources:
        return "name the lines that say it"
    isos = logic.languages(claim.text, *(one.text for one in claim.evidence))
    return next(_faults(claim, isos), "")


def _faults(claim: LineClaim, isos: tuple[str, ...]) -> Iterator[str]:
    text = claim.text
    added = Operation("add", text=text, tag="knowledge")
    if wrong := protocol_checked.fault(added, longest=claim.longest):
        yield wrong.why
    if len(list(sentences.sentences(text))) > 1:
        yield "these are several sentences: one line for each"
    if secrets.scan(text) or hidden_text.scan(text) or injection.scan(text):
        yield "it holds a secret, hidden characters, or what could be an instruction"
    if lost := nothing_invented.missing(text, claim.evidence, isos):
        yield f"'{lost}' does not stand in its lines"


def unsupported(claims: Sequence[LineClaim], say: Say, seed: str) -> Mapping[int, str]:
    """Return why claims are not borne out by their lines, by their place: a second, blind call with twins.

    Raises ModelError where the voice fails. A claim that is not in it is wholly supported and its twin is not.
    """
    checked = [_checked(at, one) for at, one in enumerate(claims)]
    call = support_call.material(checked, Ground(), seed)
    if not call.pairs:
        return {}
    said = say(RULES, call.text, call.answer_tokens)
    found = support_call.judged(call, said).checked
    return {at: one.why for at, one in enumerate(found) if one.state != "fits"}


def _checked(at: int, claim: LineClaim) -> Checked:
    quotes = tuple(
        Quote(at + 1, 0, len(one.text), one.text, one.day.isoformat() if one.day else "")
        for one in reversed(claim.evidence)
    )
    return Checked(Operation("add", (at + 1,), claim.text, "knowledge"), "fits", quotes=quotes, needs_support=True)
