"""Gathers remarks: from conversations, corrections, memories."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time

from msgspec.structs import replace

from clawgit.agents.heard import Heard, message_of
from clawgit.agents.keeping import SPOKEN
from clawgit.agents.keeping.aspects import Aim, aims
from clawgit.agents.keeping.hearing import hear
from clawgit.agents.keeping.signal import Signal
from clawgit.agents.mining.finding import LONGEST_QUOTE
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.language.detect import language
from clawgit.language.iso_dates import parse_date
from clawgit.sessions.chat_store import ChatStore
from clawgit.text import evidence
from clawgit.text.correction import SOURCE, Correction, corrections
from clawgit.text.entry import entries
from clawgit.text.evidence import Pointer
from clawgit.text.identity import digest
from clawgit.workspace import scope
from clawgit.workspace.entries import Row

_NAMED = ": "


def corrected(view: View, store: ChatStore, start: float) -> Iterator[Signal]:
    """Yield what the records of corrections say of conduct, from `start` on (seconds since 1970).

    Only one whose source is a message of the operator's, kept here, is proven to be his.
    """
    committed = _committed(view, scope.CORRECTIONS)
    for one in corrections(committed):
        day = parse_date(one.at)
        if not one.id or day is None or _noon(day) < start:
            continue
        text = one.values[1] or one.true
        found = [aim for aim in aims(text) if aim != Aim("ask", -1)]
        if text and found:
            quote = text[:LONGEST_QUOTE]
            pointer = evidence.format(Pointer("correction", path=scope.CORRECTIONS, id=one.id, quote=quote))
            mention = f"{day:%Y%m%d}-0000-{digest(text)[:8]}"
            yield Signal(
                "complaint",
                " ".join(text.split()),
                found[0],
                strong=True,
                pointer=pointer,
                mention=mention,
                time=_noon(day),
                lang=language(text, SPOKEN),
                proven=_is_operators(store, one),
            )


def _is_operators(store: ChatStore, one: Correction) -> bool:
    """Tell whether the source of a record is a message of the operator's that says its words."""
    try:
        pointer = evidence.parse(one.fields.get(SOURCE.casefold(), ""))
    except ClawgitError:
        return False
    message = store.message(pointer.id, pointer.event) if pointer.kind == "session" else None
    if message is None or message.origin != "operator":
        return False
    said = " ".join(message.text.split()).casefold()
    return " ".join((one.values[1] or one.true).split()).casefold() in said


def remembered(view: View, start: float, heard: Collection[str]) -> Iterator[Signal]:
    """Yield what memories and notes of the operator say of conduct, from `start` on.

    Those of messages in `heard` are left out: they are read where they were said. Nobody can tell who wrote the
    others' rows of the sidecar, so that what they say waits.
    """
    rows = [one for one in view.rows().values() if one.origin == "operator" and one.status == "live"]
    for path in sorted({one.file for one in rows if _holds(one.file)}):
        known = {one.hash: one for one in rows if one.file == path}
        yield from _lines(view, path, known, start, heard)


def _holds(path: str) -> bool:
    return scope.memory(path) and path not in (scope.CORRECTIONS, scope.CONFLICTS, scope.CONFIG)


def _lines(view: View, path: str, known: Mapping[str, Row], start: float, heard: Collection[str]) -> Iterator[Signal]:
    head = view.workspace.head
    for one in entries(_committed(view, path)):
        row = known.get(digest(one.text))
        if row is None or row.first is None or _noon(row.first) < start or _told(row.mentions, heard):
            continue
        said = one.text.partition(_NAMED)[2] if one.text.startswith("Operator: ") else one.text
        for signal in hear(Heard(said, "operator", _noon(row.first), "memory", "line")).signals:
            quote = evidence.parse(signal.pointer).quote
            where = Pointer("lines", path, one.start, one.end, (head or "")[:10], quote)
            yield replace(signal, pointer=evidence.format(where), session="", proven=False)


def _told(mentions: Iterable[str], heard: Collection[str]) -> bool:
    return any(message_of(one) in heard for one in mentions)


def _committed(view: View, path: str) -> str:
    """Return a file as HEAD has it: what is cited must be there to be looked up."""
    data = repository.read(view.workspace.repo, view.workspace.head, path)
    return (data or b"").decode("utf-8", "replace")


def _noon(day: date) -> float:
    return datetime.combine(day, time(12), UTC).timestamp()
