"""The register of tainted sources and their lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Command, source_tainted
from clawgit.text import evidence_pointer
from clawgit.text.entry import saying
from clawgit.text.evidence_pointer import Pointer, quote_hash
from clawgit.workspace.commit_message import fold_spaces
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
    """A source that the operator tainted: `id` is that of the change, `when` in ISO 8601, `by` its author."""

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
        for taint in self.taints.values():
            name, _, place = taint.source.removeprefix(SESSION).partition("#")
            if taint.source.startswith(SESSION) and name == session and place in ("", event):
                return taint
        return self.taints.get(self.turns.get(f"{session}#{event}", ""))

    def of_line(self, line: str) -> Taint | None:
        """Return the taint of a line of a file, by its words."""
        if not self.texts or not (sentence := saying(line)):
            return None
        return self.taints.get(self.texts.get(quote_hash(sentence), ""))

    def of_evidence(self, pointer: Pointer) -> Taint | None:
        """Return the taint that a piece of evidence falls under: its turn, or the line that it quotes."""
        quote = (pointer.quote or "").casefold()
        for taint in self.taints.values():
            if taint.source.startswith(DOMAIN) and taint.source.removeprefix(DOMAIN).casefold() in quote:
                return taint
        if pointer.kind == "session":
            return self.of_turn(pointer.id, pointer.event)
        return self.of_line(quote)


def parse(text: str) -> Register:
    """Return the content of a register. Empty lines are skipped."""
    taints: dict[str, Taint] = {}
    taint_ids: dict[str, dict[str, str]] = {_TURN: {}, _TEXT: {}, _CHANGE: {}}
    for line in text.split("\n"):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != _CELLS.get(cells[0]):
            continue
        if cells[0] == _SOURCE:
            taints[cells[1]] = Taint(*cells[1:])
        else:
            taint_ids[cells[0]][cells[2]] = cells[1]
    return Register(taints, taint_ids[_TURN], taint_ids[_TEXT], taint_ids[_CHANGE])


def render(register: Register) -> str:
    """Return the text of a register: a header, then one line for each thing, sorted, so that git merges it by line."""
    taints = register.taints.values()
    rows = [(_SOURCE, taint.id, taint.source, taint.when, taint.by, fold_spaces(taint.why)) for taint in taints]
    lines = ["\t".join(row) for row in rows]
    for kind, table in ((_TURN, register.turns), (_TEXT, register.texts), (_CHANGE, register.changes)):
        lines += [f"{kind}\t{name}\t{key}" for key, name in table.items()]
    return "".join(f"{line}\n" for line in (HEADER, *sorted(lines)))


def with_taint(
    register: Register, taint: Taint, turns: Iterable[str], sayings: Iterable[str], changes: Iterable[str]
) -> Register:
    """Return a register with one source more, and the lines learnt from it; those of another taint stay there."""
    return Register(
        {**register.taints, taint.id: taint},
        {**dict.fromkeys(turns, taint.id), **register.turns},
        {**dict.fromkeys(map(quote_hash, sayings), taint.id), **register.texts},
        {**dict.fromkeys(changes, taint.id), **register.changes},
    )


def hide_words(read: Callable[[str], str | None], found: Iterable[Record]) -> Iterator[Record]:
    """Yield records, tainted ones without their words; `read` reads a file of the workspace."""
    register = parse(read(PATH) or "")
    for change in found:
        taint = register.taints.get(register.changes.get(change.change or "", ""))
        subject = f"taken back with its source, {taint.source}" if taint else ""
        yield replace(change, subject=subject, why="", evidence=()) if taint else change


def require_untainted(
    text: str,
    agent: str | None,
    pointers: Iterable[Pointer],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> None:
    """Raise ClawgitError for an agent's change that rests on a tainted source, or brings back its lines.

    `text` is that of the register, `before` and `after` are the files of the change.
    """
    register = parse(after.get(PATH, text) or "")
    if not register.taints:
        return
    for pointer in pointers if agent else ():
        if taint := register.of_evidence(pointer):
            place = evidence_pointer.format(pointer).partition(' "')[0]
            raise source_tainted(f"{place}: {taint.source} is tainted, and teaches nothing any more", fix=_lift(taint))
    for path in (path for path in after if path.endswith(".md")):
        old_lines = frozenset((before[path] or "").split("\n"))
        for line in (after[path] or "").split("\n"):
            if line not in old_lines and (taint := register.of_line(line)):
                raise source_tainted(f"{path}: a line was taken back with its source, {taint.source}", fix=_lift(taint))


def _lift(taint: Taint) -> Command:
    return Command("clawgit undo {}", taint.id, note="lifts the taint")
