"""What stands already, as far as a batch needs it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import to_builtins

from clawgit.agents import standing_corrections
from clawgit.agents.protocol.batch import Known, Line, Observation, Room, Rule, Turn
from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.language import sentences
from clawgit.safety.redaction import redacted
from clawgit.search import entry_vectors
from clawgit.store.database import StateStore
from clawgit.text import entry as texts
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.text.tokens import count
from clawgit.workspace import file_roles, openclaw_limits
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.memory import Memory, files, memories
from clawgit.workspace.workspace import Workspace

LINES = 200
"""What MEMORY.md holds at the most."""
LINE = 100
"""Characters of a line, about."""
MOST_OBSERVATIONS = 30
EACH = 3
"""Entries that are shown for one turn, at the most."""
_HEARD, _LEAST = 2_000, 800
_SHARE = 0.3
_WAITING, _RULES = 20, 40
_QUOTE = 200
OBSERVED = "observations"


def entries(workspace: Workspace, turns: Sequence[Turn], most: float, likeness: str = "") -> tuple[Known, ...]:
    """Return the memories that citable turns resemble, at most three for each, those of flagged turns first.

    By their words, and, after those, by their meaning: a sentence whose cosine is that of the key `likeness` or more.
    All together take no more than a third of what the turns take, and `most` tokens.
    """
    there = {one.id: one for one in standing(workspace)}
    index: Index[str] = Index()
    for key, one in there.items():
        index.add(key, one.text)
    room = min(most, max(_LEAST, _SHARE * sum(count(turn.text) for turn in turns)))
    found: dict[str, Memory] = {}
    heard = [one.text[:_HEARD] for one in sorted(turns, key=lambda one: not one.priority) if one.may_cite]
    alike = by_meaning(workspace, heard, likeness)
    for text in heard:
        more = (key for key in alike.get(text, ()) if key in there)
        for key in (*index.near(text, EACH)[:EACH], *islice(more, EACH)):
            if key not in found and room >= (size := count(there[key].text) + EACH):
                found[key] = there[key]
                room -= size
    sections = places(workspace)
    return tuple(known(one, sections) for one in found.values())


def by_meaning(workspace: Workspace, texts: Sequence[str], key: str) -> dict[str, tuple[str, ...]]:
    """Return for each text the ids of the entries that mean the like of it, or of a sentence in it.

    Their cosine is what `key` of CONFIG.md sets, or more. None where there are no vectors, or none can be had: then
    words alone tell.
    """
    choice = workspace.config.value("embedder") and workspace.config.value("search_tier") != "core"
    if not choice or not key:
        return {}
    parts = {text: [redacted(one) for one in dict.fromkeys((text, *sentences.texts(text)))] for text in texts}
    least = float(workspace.config.value(key))
    try:
        found = entry_vectors.near(workspace, [one for some in parts.values() for one in some], least)
    except ClawgitError:
        return {}
    each = {text: (near for one in some for near in found.get(one, ())) for text, some in parts.items()}
    return {
        text: tuple(dict.fromkeys(one.id for one in sorted(near, key=lambda one: -one.cosine)))
        for text, near in each.items()
    }


def standing(workspace: Workspace) -> Iterator[Memory]:
    """Yield the memories that hold."""
    return (memory for memory in memories(workspace) if memory.status != "superseded")


def places(workspace: Workspace) -> dict[tuple[str, int], str]:
    """Return the section that each entry stands in, by its file and line."""
    return {
        (path, entry.start): " / ".join(entry.section[1:] or entry.section)
        for path in files(workspace)
        for entry in texts.entries(workspace.read(path) or "")
    }


def known(one: Memory, sections: dict[tuple[str, int], str]) -> Known:
    """Return a memory as a batch has it."""
    first = one.first.isoformat() if one.first else ""
    return Known(one.id, one.path, sections.get((one.path, one.line), ""), redacted(one.text), first, one.mentions)


def sections(workspace: Workspace) -> dict[str, int]:
    """Return how many entries each section of the memory file holds."""
    found = texts.entries(workspace.read(workspace.memory_file) or "")
    return dict(Counter(" / ".join(one.section[1:] or one.section) for one in found if one.kind == "bullet"))


def corrections(view: View) -> tuple[Rule, ...]:
    """Return the corrections that stand, the newest ones where they are many."""
    found = standing_corrections.rules(correction.record for correction in view.corrections())[-_RULES:]
    return tuple(Rule(one.id, *map(redacted, (one.subject, one.wrong, one.right))) for one in found)


def waiting(workspace: Workspace) -> tuple[str, ...]:
    """Return what waits for the operator to decide."""
    found = [item.title for item in workspace.store.read_items("open", edits=False)]
    return tuple(redacted(one) for one in found[-_WAITING:])


def soul(workspace: Workspace, path: str) -> tuple[Line, ...]:
    """Return the lines of the identity that may be edited."""
    named = [path] if path != file_roles.SOUL else [file_roles.SOUL, "IDENTITY.md"]
    found: list[Line] = []
    for name in named:
        try:
            text = workspace.read(name) or ""
        except ClawgitError:
            continue
        found += [
            Line(name, " / ".join(entry.section[1:] or entry.section), entry.start, redacted(one_line(entry.text)))
            for entry in texts.entries(text)
        ]
    return tuple(found)


def room(workspace: Workspace) -> Room:
    """Return what the memory file may hold: lines, characters as OpenClaw counts them, how many of these are free."""
    text = workspace.read(workspace.memory_file) or ""
    used = len([row for row in text.splitlines() if row.strip()])
    cap = openclaw_limits.Limits().of(file_roles.MEMORY)
    return Room(LINES, cap, max(0, min(cap - openclaw_limits.length(text), (LINES - used) * LINE)))


class _Observed(Observation, frozen=True, kw_only=True):
    """One that is noted, and for which agent."""

    agent: str


def observations(store: StateStore, agent: str) -> tuple[Observation, ...]:
    """Return the last complaints, praises and breaches that were no reason for a change by themselves."""
    rows = store.read_rows(OBSERVED, _Observed)
    found = (Observation(row.date, row.quote, row.line) for row in rows if row.agent == agent)
    return tuple(dict.fromkeys(found))[-MOST_OBSERVATIONS:]


def observe(store: StateStore, agent: str, found: Iterable[Observation]) -> None:
    """Note observations, for batches to come. Raises OSError."""
    rows = ({"agent": agent, **to_builtins(_short(one))} for one in dict.fromkeys(found))
    store.append_rows(OBSERVED, rows)


def _short(one: Observation) -> Observation:
    said = shorten(one_line(redacted(one.quote)), _QUOTE)
    return Observation(one.date, said, shorten(one_line(redacted(one.line)), _QUOTE))
