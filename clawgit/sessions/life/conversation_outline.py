"""What a conversation came to: decisions, questions, requests, files."""

import contextlib
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from msgspec import Struct

from clawgit.language.pasted import CHAT_MARKS
from clawgit.language.sentences import sentences
from clawgit.safety.redaction import redacted
from clawgit.sessions.life.model_context import Item, is_result, parts
from clawgit.sessions.session_messages import Event
from clawgit.workspace import write_guard

Find = Callable[[Event], Iterable[str]]
"""Returns the sentences of a message that were decided, or asked to be kept."""

LONGEST = 300
"""Letters of a quote."""
_READ = 4_000
_LOOKED = 10_000  # messages in which decisions are looked for, the newest
_DECISIONS, _FILES, _QUESTIONS = 20, 30, 6
_ASKS = ("?", "\uff1f")
_BEHIND = "\"')*_] \u201d\u2019\u300d\u300f"
_PATHS = ("path", "file_path", "filePath", "filepath", "file", "filename")
_COMMANDS = ("command", "cmd")
_WRITES = ("write", "edit", "patch", "create", "delete", "move")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_TAGS = re.compile(
    r"</?(?:think|tool_calls?|function_calls?|invoke|parameter|system(?:-reminder)?|antml:\w+)\b[^>\n]*>"
)
_SPEAKERS = "system|developer|user|human|assistant|tool"
_ROLE = re.compile(rf"(?im)^[ \t#>*_]*(?:{_SPEAKERS})[ \t*_]*[:\uff1a][ \t*_]*")
_ROLE_ALONE = re.compile(rf"(?im)^[ \t]*(?:{_SPEAKERS})[ \t]*$")
_ID = re.compile(r"[A-Za-z0-9~][A-Za-z0-9._~-]{0,127}")
_SPACE = re.compile(r"\s+")


class Quote(Struct, frozen=True):
    """Words of a message on one line, with the pointer to it; `who` is the origin of the message."""

    text: str
    pointer: str
    who: str = ""


class Outline(Struct, frozen=True):
    """What is worth knowing of a conversation that is over.

    `questions` nobody answered; `files` are paths with what was done to them: "write" or "read".
    """

    decisions: tuple[Quote, ...] = ()
    questions: tuple[Quote, ...] = ()
    request: Quote | None = None
    files: tuple[tuple[str, str], ...] = ()


def outline(items: Sequence[Item], session: str, find: Find) -> Outline:
    """Return what a conversation came to, each thing quoted with its pointer (spec A9).

    `find` tells what was decided; only the operator's own words are asked about. The newest are given where there are
    many.
    """
    said = [item.event for item in items if item.event.is_message and item.event.text and item.event.role != "tool"]
    own = [one for one in said if one.role == "user" and one.origin == "operator"]
    mine = own[: -_LOOKED - 1 : -1]
    decided = tuple(islice((quote(one, session, words) for one in mine for words in [*find(one)][::-1]), _DECISIONS))[
        ::-1
    ]
    request = quote(own[-1], session) if own else None
    questions = tuple(quote(one, session, words) for one, words in _open(said))
    return Outline(decided, questions[-_QUESTIONS:], request, tuple(_files(items)))


def quote(event: Event, session: str, words: str = "") -> Quote:
    """Return words of a message, else all of it, as it may be quoted: on one line, shortened, and without marks."""
    text = plain(words or event.text)
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return Quote(shown, f"session:{named(session)}#{named(event.id)}", event.origin)


def named(name: str) -> str:
    """Return an id as OpenClaw makes them, "?" for anything else: what a file calls itself may hold any letters."""
    return name if _ID.fullmatch(name) else "?"


def plain(text: str) -> str:
    """Return words of a conversation on one line, without secrets, hidden letters, and what a model takes for marks.

    The marks of chat templates go, and words at the beginning of a line that name a speaker.
    """
    text = _TAGS.sub(" ", CHAT_MARKS.sub("\n", write_guard.cleaned(text[:_READ])))
    while (rest := _ROLE_ALONE.sub(" ", _ROLE.sub("", text))) != text:
        text = rest
    return _SPACE.sub(" ", text).strip()


def _open(said: Sequence[Event]) -> Iterator[tuple[Event, str]]:
    """Yield the questions that nobody answered: those of the last turn of each side, behind which nobody spoke."""
    for one in said[-1:]:
        asked = [part for part in sentences(one.text) if part.own.rstrip(_BEHIND).endswith(_ASKS)]
        yield from ((one, one.text[part.start : part.end]) for part in asked)


def _files(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """Yield the files that tools were called with, those that were written to first; failed calls do not count."""
    failed = {item.answers for item in items if is_result(item.message) and item.event.failed}
    acts = dict[str, str]()
    for one in items:
        for part in parts(one.message) if one.makes else ():
            if "name" not in part or str(part.get("id") or "") in failed:
                continue
            given = part.get("arguments", part.get("input"))
            named = any(word in str(part["name"]).lower() for word in _WRITES)
            for path, writes in (
                *((path, named) for path in _paths(given)),
                *((path, True) for path in _shelled(given)),
            ):
                acts[path] = "write" if writes or acts.pop(path, "") == "write" else "read"
    newest = list(acts.items())[-_FILES:]
    yield from sorted(newest, key=lambda one: one[1] != "write")


def _paths(given: Any) -> Iterator[str]:
    for key, value in _told(given):
        for path in [value] if key in _PATHS else _PATCHED.findall(value):
            yield from _shown(path)


def _shelled(given: Any) -> Iterator[str]:
    """Yield the files that a command of a shell writes its output to; of a text that it is given nothing is read."""
    for key, value in _told(given):
        if key in _COMMANDS:
            before, mark, behind = value[:_READ].partition("<<")
            lexer = shlex.shlex(before + mark + behind.partition("\n")[0], posix=True, punctuation_chars=True)
            lexer.whitespace_split, lexer.commenters = True, ""
            with contextlib.suppress(ValueError):  # a quotation mark that nothing closes
                for one, word in pairwise(lexer):
                    if one in (">", ">>") and not word.startswith(("/dev/", "&", "$")):
                        yield from _shown(word)


def _told(given: Any) -> Iterator[tuple[str, str]]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return
    if isinstance(given, Mapping):
        yield from ((key, value) for key, value in given.items() if isinstance(value, str))


def _shown(path: str) -> Iterator[str]:
    if named := plain(redacted(path))[:200]:
        yield named
