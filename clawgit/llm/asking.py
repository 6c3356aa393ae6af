"""Asks a model within a budget; reads JSON answers."""

import json
import re
import time
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from clawgit.errors import NO_FIX, Command, Fix
from clawgit.llm.model import RULE, Budget, BudgetError, ModelError, Usage
from clawgit.text.tokens import count

_MAX_CHARS = 400_000
_MAX_PLACES = 64
_THOUGHT = re.compile(r"\s*<(think|thinking)>")
_BEGIN = re.compile(r"""\{\s*["}]|\[\s*["\[{\]\d-]""")
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_FLAT = re.compile(r'[\[{](?:"(?:[^"\\]|\\.)*+"|[^\[\]{}"])*+[\]}]', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


def strip_thoughts(text: str) -> str:
    """Return the answer after thoughts; "" for a thought without an end."""
    thought = _THOUGHT.match(text)
    return text.partition(f"</{thought[1]}>")[2].strip() if thought else text.strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists in a text, the longest first.

    Around them may be prose and fences, in them commas before a closing bracket and bare line feeds. A truncated or
    broken one ends the search, as its inner parts would pass for an answer, unless it has none: `[2027-02-01]`. At most
    64 places are looked at.
    """
    rest, matches = strip_thoughts(text)[:_MAX_CHARS], list[tuple[int, Any]]()
    for _ in range(_MAX_PLACES):
        match = _BEGIN.search(rest)
        if match is None:
            break
        rest = rest[match.start() :]
        for tidy in (rest, _COMMA.sub(lambda part: part[1] or "", rest)):
            try:
                value, end = _DECODER.raw_decode(tidy)
            except (ValueError, RecursionError):
                continue
            matches.append((end, value))
            rest = tidy[end:]
            break
        else:
            flat = _FLAT.match(rest)
            if flat is None:
                break
            rest = rest[flat.end() :]
    return [value for _, value in sorted(matches, key=lambda pair: -pair[0])]


class Asked(Struct, frozen=True):
    """One request in full: the rules, the material, the most tokens of the answer, and the seconds that it may take."""

    rules: str
    material: str
    answer_tokens: int
    seconds: float


class Said(Struct, frozen=True):
    """An answer; `read` and `written` are tokens, None if uncounted; `cut` when it had no room to end.

    `model` is the one that answered, if the voice reports it.
    """

    text: str
    read: int | None = None
    written: int | None = None
    cut: bool = False
    model: str = ""


class LostError(ModelError):
    """No answer came, or half of one; `wait` is the pause in seconds that the voice asks for, 0 for none."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, wait: float = 0.0) -> None:
        super().__init__(key, message, fix=fix)
        self.wait = wait


class Voice(Protocol):
    """Something that can be talked to: OpenClaw's model, an endpoint, a command."""

    @property
    def name(self) -> str:
        """A name that differs for each source of answers."""

    @property
    def provider(self) -> str:
        """The recipient of prompts: a host, a program, OpenClaw's provider; "" if not yet known."""

    def say(self, request: Asked) -> Said:
        """Return the answer to this. Raises LostError, or else ModelError."""


_MARGIN = 1.1


def ask_within_budget(voice: Voice, budget: Budget, query: Asked) -> Said:
    """Return a voice's answer, within the budget; a lost try is paid for as well.

    Raises BudgetError if there is no room for the answer, and the errors of asking.
    """
    read, output_tokens, is_exact = round(_MARGIN * (count(query.rules) + count(query.material))), 0, False
    # The whole answer has to fit: one without room for its end would be paid for and useless.
    budget.admit(read + query.answer_tokens)
    start = time.monotonic()
    try:
        reply = voice.say(query)
        is_exact = reply.read is not None and reply.written is not None
        read = read if reply.read is None else reply.read
        output_tokens = count(reply.text) if reply.written is None else reply.written
    except ModelError as exc:
        is_exact = not isinstance(exc, LostError) or exc.wait > 0
        read = 0 if is_exact else read  # what was refused cost nothing
        raise
    finally:
        budget.spend(Usage(1, read, output_tokens, time.monotonic() - start, estimated=not is_exact))
    return reply


def answer(voice: Voice, budget: Budget, rules: str, material: str, answer_tokens: int, seconds: float = 120.0) -> str:
    """Return a voice's answer to `material` in one try, without its thoughts; the rule on fences is added.

    Raises ModelError for an answer that is empty or was cut off, and the errors of asking.
    """
    request = Asked(f"{rules}\n\n{RULE}", material, answer_tokens, min(seconds, budget.left))
    reply = ask_within_budget(voice, budget, request)
    text = strip_thoughts(reply.text)
    if reply.cut or not text:
        reason = "it was cut off at the limit" if reply.cut else "it is empty"
        message = f"unusable answer from {voice.name}: {reason}"
        raise ModelError("model-answer", message, fix=Command("clawgit model --test"))
    return text


_PROBE = "You are tried out before some work begins.", "Answer with the one word: ready"
_PROBE_TOKENS, _PROBE_SECONDS = 64, 60.0
_REQUEST_SECONDS = 300.0
_PAUSE = 2.0


class StoppedError(ModelError):
    """This run may ask no more: its budget is used up, the voice failed, or it asks for more time than there is."""


class Speaker(Struct):
    """A voice in one run.

    It is probed before its first request: a model that is down costs 64 tokens, not a whole reading. Two failures in a
    row end the run, and so does a voice that asks for a pause longer than the run's time. `noted` gets the error that
    ends a run, and None for the first answer.
    """

    voice: Voice
    budget: Budget
    noted: Callable[[ModelError | None], None] = lambda _: None
    is_probed: bool = False
    failures: int = 0
    stopped: StoppedError | None = None

    @property
    def name(self) -> str:
        """A name that differs for each source of answers."""
        return self.voice.name

    @property
    def used(self) -> Usage:
        """The use of the run so far."""
        return self.budget.used

    def say(self, rules: str, material: str, answer_tokens: int) -> Said:
        """Return the voice's answer to `material` under `rules`, plus the rule on fenced text.

        Raises StoppedError when the run must end, now and ever after; another ModelError if this was refused and
        something else may not be, such as a shorter text.
        """
        if self.stopped:
            raise self.stopped
        if not self.is_probed:
            self._ask(*_PROBE, _PROBE_TOKENS, _PROBE_SECONDS)
            self.is_probed = True
            self.noted(None)
        return self._ask(f"{rules}\n\n{RULE}", material, answer_tokens, _REQUEST_SECONDS)

    def answer(self, rules: str, material: str, answer_tokens: int) -> str:
        """Return the words alone of what `say` returns."""
        return self.say(rules, material, answer_tokens).text

    def _ask(self, rules: str, material: str, answer_tokens: int, seconds: float) -> Said:
        """Return one answer, after as much waiting as the voice asks for; a lost one is requested once more."""
        while True:
            request = Asked(rules, material, answer_tokens, min(seconds, self.budget.left))
            try:
                reply = ask_within_budget(self.voice, self.budget, request)
            except ModelError as exc:
                wait = (exc.wait or _PAUSE) if isinstance(exc, LostError) else 0.0
                self.failures += not (isinstance(exc, LostError) and exc.wait)
                # A refusal of the probe comes from the setup, so the next request would fail alike.
                is_over = self.failures > 1 or wait >= self.budget.left or not (wait or self.is_probed)
                if is_over or isinstance(exc, BudgetError):
                    message = f"{exc.message}; the run goes on at the next run"
                    self.stopped = StoppedError(exc.key, message, fix=exc.fix)
                    if not isinstance(exc, BudgetError):
                        self.noted(exc)
                    raise self.stopped from None
                if not wait:
                    raise
                self.budget.spend(Usage(seconds=wait))
                time.sleep(wait)
            else:
                self.failures = 0
                return reply
