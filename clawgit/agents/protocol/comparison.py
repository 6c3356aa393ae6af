"""Batches of memories that are alike, pair by pair."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.detecting import conflict_findings, contradiction, past_statements
from clawgit.agents.detecting.contradiction import Held, Pool, clashing
from clawgit.agents.messages_to_read import Heard
from clawgit.agents.protocol import kept_batches, prompt_text, surroundings
from clawgit.agents.protocol.batch import Batch, Known, Pair, Turn
from clawgit.agents.protocol.batching import Gatherer
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.agents.protocol.unread_turns import OVERHEAD, Talk, Unread, name_of
from clawgit.agents.running import View
from clawgit.language import logic
from clawgit.safety.redaction import redacted
from clawgit.text.entry import digest
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.text.tokens import count
from clawgit.workspace import file_roles, run_ledger
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.workspace import Workspace

NAME = "conflict-detector"
_NEAR = 3
"""Entries that one is held against: what took the place of another was among the first two in 23 of 24 talks."""
_COMMON, _FEW, _RARE = 0.2, 5, 3
"""What of the entries, and how many at least, may have a word that still tells two of them from the rest; and how many
at most, where it is the only one."""
_SHARE, _TURNS = 0.55, 0.2
"""What of a batch the entries may take, and the turns that they come from."""
_PAIR = 14
"""Tokens of an id with its day, and of a pair."""
_MOST = 150
"""Pairs of one batch."""
_AT_ONCE = 100
_STAMP = "%Y%m%d-%H%M"
_STAMPED = 13


class Alike(Struct, frozen=True):
    """An entry, those that it is held against, and the names under which that is remembered."""

    one: Held
    others: tuple[Held, ...]
    names: tuple[str, ...]


def batches(gatherer: Gatherer, unread: Unread, since: datetime | None) -> Iterator[tuple[Kept, str]]:
    """Yield batches of pairs that no reader was asked about yet, the newest entries first, each with a note.

    Memories and the journals of a month are compared. With `since` all that changed from then on is, also again.
    """
    workspace = gatherer.workspace
    view = View(workspace)
    told, note = prompt_text.instructions(workspace, NAME)
    room = _SHARE * int(workspace.config.value("batch_tokens"))
    some: list[Alike] = []
    shown: dict[str, int] = {}
    for one in _alike(workspace, view, since):
        if not one.others:  # nothing is like it: that is remembered with the next batch
            some.append(one)
            continue
        size = {each.row.id: count(each.told) + _PAIR for each in (one.one, *one.others)}
        taken = sum(shown.values()) + _PAIR * sum(len(each.others) for each in some)
        pairs = sum(len(each.others) for each in (*some, one))
        if shown and (taken + sum(size.values()) + _PAIR * len(one.others) > room or pairs > _MOST):
            yield _batch(gatherer, unread, told, some), note
            some, shown = [], {}
        some.append(one)
        shown |= size
    if any(one.others for one in some):
        yield _batch(gatherer, unread, told, some), note


def _alike(workspace: Workspace, view: View, since: datetime | None) -> Iterator[Alike]:
    now = workspace.now()
    first = now - contradiction.JOURNALS
    paths = contradiction.places(workspace, min(first, since or first).date())
    pool = [one for one in Pool(view, paths) if one.in_force]
    names = {name for kept in kept_batches.every(workspace.store, NAME) for name in kept.names}
    known = {*past_statements.settled(view), *names}
    if since is None:
        known |= kept_batches.compared(workspace.store)
        changed = [one for one in pool if conflict_findings.pair(one.key, one.key) not in known]
    else:
        before = contradiction.old(workspace, paths, since)
        changed = [one for one in pool if digest(one.entry.text) not in before]
    if not changed:
        return
    together = kept_batches.read_together(workspace.store) if since is None else lambda *_: False

    def wanted(one: Held, other: Held) -> bool:
        """Return whether nobody held one against the other: the miner corrects what it is shown beside its turns.

        Two lines of a log are not held against each other.
        """
        if one.is_logged and other.is_logged:
            return False
        return not together(one.key, other.key) or clashing(one, other).contradicts

    index: Index[int] = Index()
    for number, one in enumerate(pool):
        index.add(number, one.told)
    telling = _telling(pool)
    meant = _meant(workspace, pool, sorted(changed, key=_age, reverse=True))
    for one in sorted(changed, key=_age, reverse=True):
        near = [pool[number] for number in index.near(one.told, _NEAR + 1) if pool[number].key != one.key][:_NEAR]
        near = [each for each in near if telling(one, each) or clashing(one, each).contradicts]
        fresh = {conflict_findings.pair(one.key, other.key): other for other in near}
        fresh |= {conflict_findings.pair(one.key, other.key): other for other in meant(one)}
        fresh = {name: other for name, other in fresh.items() if name not in known and wanted(one, other)}
        known |= fresh.keys()
        yield Alike(one, tuple(fresh.values()), (*fresh, conflict_findings.pair(one.key, one.key)))


def _meant(workspace: Workspace, pool: Sequence[Held], some: Sequence[Held]) -> Callable[[Held], list[Held]]:
    """Return what finds the memories that mean the like of one of these, whatever their words (spec §5.4, 2).

    It is to be asked in their order, for a hundred are looked for together.
    """
    by_id = {one.row.id: one for one in pool}
    waiting = [one.told for one in some]
    known: dict[str, tuple[str, ...]] = {}

    def near(one: Held) -> list[Held]:
        while one.told not in known and waiting:
            part = waiting[:_AT_ONCE]
            del waiting[:_AT_ONCE]
            known.update(dict.fromkeys(part, ()) | surroundings.by_meaning(workspace, part, "conflict_similarity"))
        found = (by_id[key] for key in known.get(one.told, ()) if key in by_id)
        return [each for each in found if each.key != one.key][:_NEAR]

    return near


def _telling(pool: Sequence[Held]) -> Callable[[Held, Held], bool]:
    """Return what tells whether two may be of one matter.

    They share half of what the shorter says, two words that tell them from the rest, or a rare one that is a quarter of
    the shorter: 24 of 24 that took the place of another do, in eight talks, and two of five neighbours.
    """
    stems = {one.key: logic.content(one.told, logic.languages(one.told)) for one in pool}
    often = Counter(stem for some in stems.values() for stem in some)
    most = max(_FEW, len(pool) * _COMMON)

    def same(one: Held, other: Held) -> bool:
        mine, theirs = stems[one.key], stems[other.key]
        both = mine & theirs
        telling = [often[stem] for stem in both if often[stem] <= most]
        shorter = min(len(mine), len(theirs))
        rare = any(count <= _RARE for count in telling) and 4 * len(both) >= shorter
        return len(telling) > 1 or rare or 2 * len(both) >= shorter

    return same


def _age(one: Held) -> tuple[date, str]:
    return one.row.last or one.row.first or file_roles.journal_day(one.path) or date.min, one.row.id


def _batch(gatherer: Gatherer, unread: Unread, told: str, some: Sequence[Alike]) -> Kept:
    workspace, now = gatherer.workspace, gatherer.workspace.now()
    found = {each.row.id: each for one in some if one.others for each in (one.one, *one.others)}
    both = [(one.one, other) for one in some for other in one.others]
    pairs = [
        Pair(n, one.row.id, other.row.id, clashing(one, other).contradicts) for n, (one, other) in enumerate(both, 1)
    ]
    room = _TURNS * int(workspace.config.value("batch_tokens"))
    turns = tuple(replace(turn, n=n) for n, turn in enumerate(_turns(found.values(), unread, room), 1))
    batch = Batch(
        NAME,
        told,
        now.date().isoformat(),
        str(now.tzinfo or ""),
        turns,
        entries=tuple(_known(one) for one in found.values()),
        corrections=surroundings.corrections(View(workspace)),
        pairs=tuple(pairs),
    )
    return Kept(batch, {}, made=now.isoformat(), names=tuple(name for one in some for name in one.names))


def _known(one: Held) -> Known:
    day = file_roles.journal_day(one.path) or one.row.first
    return Known(one.row.id, one.path, "", shown(one), day.isoformat() if day else "", len(one.row.mentions))


def shown(one: Held) -> str:
    """Return an entry as a batch shows it."""
    return redacted(one_line(one.told))


def _turns(found: Iterable[Held], unread: Unread, room: float) -> Iterator[Turn]:
    """Yield the turns that these memories come from, as far as they are kept and there is room, the newest first."""
    for mention in sorted({mention for one in found for mention in one.row.mentions}, reverse=True):
        if turn := _turn(mention, unread):
            room -= count(turn.text) + OVERHEAD
            if room < 0:
                return
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


def close(workspace: Workspace) -> tuple[Change, Applied] | None:
    """Close the records of which a side is gone, as a run of its own; None where none is. Raises ClawgitError."""
    change = past_statements.closing(View(workspace), workspace.now(), NAME)
    if change is None:
        return None
    started = workspace.now().isoformat()
    applied = workspace.apply(change)
    commits = (applied.commit,) if applied.commit else ()
    run_ledger.note(workspace.store, Ran(NAME, started, workspace.now().isoformat(), 0, 1, commits))
    return change, applied
