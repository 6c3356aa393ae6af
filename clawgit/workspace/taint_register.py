"""The register of tainted sources, and of what they taught."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import Command, source_tainted
from clawgit.text import evidence_pointer
from clawgit.text.entry import saying
from clawgit.text.evidence_pointer import Pointer, quote_hash
from clawgit.workspace import file_roles
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.records import Record

PATH = file_roles.TAINTED
SUBJECT = "memory: taint: "
"""What the subject of a change begins with that taints a source."""
HEADER = "# clawgit tainted 1"
SESSION, DOMAIN = "session:", "domain:"
"""What the names of these sources begin with."""
_TURN, _TEXT, _CHANGE, _SOURCE = "turn", "text", "change", "source"
_CELLS = {_SOURCE: 6, _TURN: 3, _TEXT: 3, _CHANGE: 3}


class Taint(Struct, frozen=True, order=True):
    """A source that the operator tainted: `id` is that of the change, `when` in ISO 8601, `by` who did it."""

    id: str
    source: str
    when: str = ""
    by: str = ""
    why: str = ""


class Register(Struct, frozen=True):
    """The sources, and the taint of each turn (`session#event`), line (by its hash) and change that goes with them."""

    taints: Mapping[str, Taint] = field(default_factory=dict)
    turns: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, str] = field(default_factory=dict)

    def of_turn(self, session: str, event: str) -> Taint | None:
        """Return the taint that a turn of a conversation falls under."""
        for one in self.taints.values():
            name, _, place = one.source.removeprefix(SESSION).partition("#")
            if one.source.startswith(SESSION) and name == session and place in ("", event):
                return one
        return self.taints.get(self.turns.get(f"{session}#{event}", ""))

    def of_line(self, line: str) -> Taint | None:
        """Return the taint that a line of a file falls under, by what it says."""
        if not self.texts or not (said := saying(line)):
            return None
        return self.taints.get(self.texts.get(quote_hash(said), ""))

    def of_evidence(self, pointer: Pointer) -> Taint | None:
        """Return the taint that a piece of evidence falls under: its turn, or the line that it quotes."""
        quote = (pointer.quote or "").casefold()
        for one in self.taints.values():
            if one.source.startswith(DOMAIN) and one.source.removeprefix(DOMAIN).casefold() in quote:
                return one
        if pointer.kind == "session":
            return self.of_turn(pointer.id, pointer.event)
        return self.of_line(quote)


def parse(text: str) -> Register:
    """Return what a register holds. Lines that say nothing are passed over."""
    taints: dict[str, Taint] = {}
    found: dict[str, dict[str, str]] = {_TURN: {}, _TEXT: {}, _CHANGE: {}}
    for line in text.split("\n"):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != _CELLS.get(cells[0]):
            continue
        if cells[0] == _SOURCE:
            taints[cells[1]] = Taint(*cells[1:])
        else:
            found[cells[0]][cells[2]] = cells[1]
    return Register(taints, found[_TURN], found[_TEXT], found[_CHANGE])


def render(register: Register) -> str:
    """Return the text of a register: a header, then one line for each thing, sorted, so that git merges it by line."""
    rows: list[tuple[str, ...]] = [
        (_SOURCE, taint.id, taint.source, taint.when, taint.by, one_line(taint.why))
        for taint in register.taints.values()
    ]
    parts = ((_TURN, register.turns), (_TEXT, register.texts), (_CHANGE, register.changes))
    rows += [(kind, name, key) for kind, some in parts for key, name in some.items()]
    return "".join(f"{line}\n" for line in (HEADER, *("\t".join(row) for row in sorted(rows))))


def with_taint(
    there: Register, taint: Taint, turns: Iterable[str], sayings: Iterable[str], changes: Iterable[str]
) -> Register:
    """Return a register with one source more, and with what it taught; what fell under another one stays there."""
    return Register(
        {**there.taints, taint.id: taint},
        {**dict.fromkeys(turns, taint.id), **there.turns},
        {**dict.fromkeys(map(quote_hash, sayings), taint.id), **there.texts},
        {**dict.fromkeys(changes, taint.id), **there.changes},
    )


def without_words(read: Callable[[str], str | None], found: Iterable[Record]) -> Iterator[Record]:
    """Yield records, those that were tainted without what they say; `read` reads a file of the workspace."""
    register = parse(read(PATH) or "")
    for one in found:
        taint = register.taints.get(register.changes.get(one.change or "", ""))
        told = f"taken back with its source, {taint.source}" if taint else ""
        yield replace(one, subject=told, why="", evidence=()) if taint else one


def require_untainted(
    register: Register, agent: str | None, cited: Iterable[Pointer], texts: Iterable[tuple[str, str | None, str | None]]
) -> None:
    """Raise ClawgitError for a change that an agent rests on a tainted source, or that brings back what one taught.

    `texts` are the files of the change: their path, and what they say before and after.
    """
    if not register.taints:
        return
    for pointer in cited if agent else ():
        if one := register.of_evidence(pointer):
            where = evidence_pointer.format(pointer).partition(' "')[0]
            raise source_tainted(f"{where}: {one.source} is tainted, and teaches nothing any more", fix=_lift(one))
    for path, before, after in texts:
        there = frozenset((before or "").split("\n"))
        for line in (after or "").split("\n"):
            if line not in there and (one := register.of_line(line)):
                raise source_tainted(f"{path}: a line was taken back with its source, {one.source}", fix=_lift(one))


def _lift(one: Taint) -> Command:
    return Command("clawgit undo {}", one.id, note="lifts the taint")
