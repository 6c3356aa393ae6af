"""What programs and files outside of the workspace add."""

import json
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from clawgit.context import prompt_pieces
from clawgit.context.prompt_pieces import Piece
from clawgit.context.relevant_memory import Talk
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.outside.subprocess_runner import Bounds, OutsideError, run
from clawgit.safety import injection
from clawgit.safety.redaction import redacted
from clawgit.workspace import settings
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.workspace import Workspace

COMMAND, SOURCE = "crm_command", "external_context_source"
_SECONDS = 2.0
_LARGEST = 256 << 10
_TEXT = ("profile", "text", "summary", "content", "notes")
_NAME = ("name", "entity", "id")


class Refused(ClawgitError):  # noqa: N818 - it ends a slot, not the answer
    """Somebody outside gave nothing that may go into a context."""


def profiles(workspace: Workspace, talk: Talk, asked: str) -> list[Piece]:
    """Return what the CRM command knows of those that a conversation names (spec P10).

    It is given `{"entities", "query", "session_kind"}` on stdin and prints a list of profiles, or an object that has
    one as `profiles`; a profile is a text, or an object with `name` and `profile`. Raises ClawgitError when it is not
    trusted, fails, takes too long or says too much.
    """
    words = _trusted(workspace, COMMAND)
    if not words or not talk.names:
        return []
    said = {"entities": talk.names, "query": asked, "session_kind": talk.kind}
    bounds = Bounds(_SECONDS, _LARGEST)
    ended = run([str(one) for one in words], json.dumps(said, ensure_ascii=False), bounds, os.environ, workspace.root)
    if ended.code:
        raise OutsideError(
            "program-failed", f"{words[0]} ended with {ended.code}", fix=Command(f"clawgit config get {COMMAND}")
        )
    return list(_profiles(_read(ended.output, str(words[0])), f"crm:{Path(str(words[0])).name}"))


def external(workspace: Workspace) -> list[Piece]:
    """Return the lines of the file that `external_context_source` names (spec P10). Raises ClawgitError."""
    named = _trusted(workspace, SOURCE)
    if not named:
        return []
    place = Path(os.path.normpath(workspace.root / Path(str(named)).expanduser()))
    try:
        text = _bounded(place)
    except OSError as exc:
        raise Refused(
            "source-unreadable", f"{named} cannot be read: {exc.strerror or exc}", fix=Command("ls -l {}", named)
        ) from exc
    _innocent(text, str(named))
    rows = enumerate(redacted(text).split("\n"), 1)
    return [prompt_pieces.line(str(named), at, row) for at, row in rows if row.strip()]


def _trusted(workspace: Workspace, key: str) -> Any:
    """Return a value of CONFIG.md that may be used. Raises ClawgitError for one that the operator has not approved."""
    shown = workspace.config.shown(settings.KEYS[key])
    if shown.problem:
        raise shown.problem
    if shown.untrusted is not None and not shown.value:
        words = f"names {list_names(shown.changed)}, which changed" if shown.changed else "is set"
        raise Refused("setting-unapproved", f"{key} {words}, and nobody approved it", fix=Command("clawgit trust"))
    return shown.value


def _read(output: str, name: str) -> list[Any]:
    try:
        found = json.loads(output) if output.strip() else []
    except (ValueError, RecursionError) as exc:
        raise Refused(
            "source-unreadable", f"{name} printed no JSON", fix=Command(f"clawgit config get {COMMAND}")
        ) from exc
    found = found.get("profiles", found) if isinstance(found, dict) else found
    if isinstance(found, dict):  # profiles by name
        found = [one if isinstance(one, dict) else {"name": name, "text": one} for name, one in found.items()]
    if not isinstance(found, list):
        raise Refused(
            "source-unreadable", f"{name} printed no list of profiles", fix=Command(f"clawgit config get {COMMAND}")
        )
    return found


def _profiles(found: list[Any], source: str) -> Iterator[Piece]:
    for number, one in enumerate(found, 1):
        text = redacted(_said(one)).strip()
        if text:
            _innocent(text, f"{source} {number}")
            yield Piece(f"{source}:{number}", 0, 0, "\n".join(row for row in text.splitlines() if row.strip()))


def _said(one: Any) -> str:
    if not isinstance(one, dict):
        return one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
    name = next((str(one[key]) for key in _NAME if one.get(key)), "")
    text = next((str(one[key]) for key in _TEXT if one.get(key)), "")
    others = {key: value for key, value in one.items() if key not in (*_NAME, *_TEXT) and value not in (None, "", [])}
    facts = "; ".join(f"{key}: {_plain(value)}" for key, value in others.items())
    return f"{name}: {'. '.join(filter(None, (text, facts)))}" if name else " ".join(chain((text,), (facts,)))


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _innocent(text: str, source: str) -> None:
    """Raise ClawgitError for what talks to the agent instead of telling it something."""
    if signals := injection.scan(text):
        words = signals[0].phrase
        raise Refused(
            "source-hostile",
            f"{source} gives instructions ({words[:60]!r}); it is left out",
            fix=Advice(f"check {source}"),
        )


def _bounded(place: Path) -> str:
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        data = file.read(_LARGEST + 1) or b""
    if len(data) > _LARGEST:
        raise Refused(
            "file-too-large", f"{place.name} is larger than {_LARGEST >> 10} KB", fix=Command("ls -l {}", place)
        )
    return data.decode("utf-8", "replace").replace("\0", " ").replace("\r\n", "\n")
