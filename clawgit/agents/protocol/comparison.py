"""A batch of memories that changed, beside those like them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from clawgit.agents.heard import Heard
from clawgit.agents.protocol import prompt_files, surroundings
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.batching import Gatherer
from clawgit.agents.protocol.unread import Talk, Unread, name_of
from clawgit.agents.view import View
from clawgit.text.sameness.known import Known as Index
from clawgit.text.tokens import count
from clawgit.workspace.memory import Memory
from clawgit.workspace.workspace import Workspace

NAME = "conflict-detector"
_LATE = timedelta(days=1)
_NEAR = 3
_SHARE = 0.6
_STAMP = "%Y%m%d-%H%M"
_STAMPED = 13
_MOST_TURNS = 60


def gather(gatherer: Gatherer, unread: Unread, since: datetime | None) -> tuple[Batch | None, str]:
    """Return the batch of memories that changed since then, else in the last day, and a note; None where none did.

    Beside each stand the three that it resembles most; of several the newest come first, as many as the tokens hold.
    """
    workspace, now = gatherer.workspace, gatherer.workspace.now()
    first = (since or now - _LATE).date()
    there = {one.id: one for one in surroundings.standing(workspace)}
    changed = [one for one in there.values() if one.last and one.last >= first]
    changed.sort(key=lambda one: (one.last or first, one.id), reverse=True)
    index: Index[str] = Index()
    for key, one in there.items():
        index.add(key, one.text)
    room = _SHARE * int(workspace.config.value("batch_tokens"))
    found: dict[str, Memory] = {}
    for one in changed:
        like = [there[key] for key in index.near(one.text, _NEAR + 1) if key != one.id][:_NEAR]
        size = sum(count(each.text) + _NEAR for each in (one, *like) if each.id not in found)
        if like and size <= room:
            found |= {each.id: each for each in (one, *like)}
            room -= size
    if not found:
        return None, ""
    told, note = prompt_files.instructions(workspace, NAME)
    places = surroundings.places(workspace)
    turns = [replace(turn, n=n) for n, turn in enumerate(_turns(workspace, found.values(), unread), 1)]
    batch = Batch(
        NAME,
        told,
        now.date().isoformat(),
        str(now.tzinfo or ""),
        tuple(turns),
        entries=tuple(surroundings.known(one, places) for one in found.values()),
        corrections=surroundings.corrections(View(workspace)),
        waiting=surroundings.waiting(workspace),
    )
    return batch, note


def _turns(workspace: Workspace, found: Iterable[Memory], unread: Unread) -> Iterator[Turn]:
    """Yield the turns that these memories come from, as far as they are kept."""
    rows = workspace.rows()
    wanted = sorted({mention for one in found if one.id in rows for mention in rows[one.id].mentions}, reverse=True)
    for mention in wanted[:_MOST_TURNS]:
        if turn := _turn(mention, unread):
            yield turn


def _turn(mention: str, unread: Unread) -> Turn | None:
    try:
        minute = datetime.strptime(mention[:_STAMPED], _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:  # a change, or a time that nobody knows
        return None
    for summary in unread.summaries:
        if (summary.first or 0.0) <= minute + 60 and (summary.last or 0.0) >= minute:
            talk = unread.talk(name_of(summary.session))
            if talk and (place := _place(talk, mention, minute)) is not None:
                return unread.turn(talk, place)
    return None


def _place(talk: Talk, mention: str, minute: float) -> int | None:
    for at, one in enumerate(talk.messages):
        near = one.time is not None and minute <= one.time < minute + 60
        if near and one.role == "user" and Heard(one.text, one.origin, one.time).mention == mention:
            return at
    return None
