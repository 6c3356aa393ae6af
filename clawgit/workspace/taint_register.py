"""The register of tainted sources and their lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Command, source_tainted
from clawgit.text import evidence_pointer
from clawgit.text.entry import read_saying
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


class Taint(Struct, frozen=True, order=True):
    """A source that the operator tainted: `id` is that of the change, `when` in ISO 8601, `by` its author."""

    id: str
    source: str
    when: str = ""
    by: str = ""
    why: str = ""


class Register(Struct, frozen=True):
    """The sources; `ids` are the taints of turns (`session#event`), lines (by hash) and changes that go with them."""

    taints: Mapping[str, Taint] = field(default_factory=dict)
    ids: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def of_change(self, change: str | None) -> Taint | None:
        """Return the taint of a change."""
        return self.taints.get(self.ids.get((_CHANGE, change or ""), ""))

    def of_turn(self, session: str, event: str) -> Taint | None:
        """Return the taint that a turn of a conversation falls under."""
        names = (f"{SESSION}{session}", f"{SESSION}{session}#{event}")
        whole = next((taint for taint in self.taints.values() if taint.source in names), None)
        return whole or self.taints.get(self.ids.get((_TURN, f"{session}#{event}"), ""))

    def of_line(self, line: str) -> Taint | None:
        """Return the taint of a line of a file, by its words."""
        sentence = read_saying(line) if self.ids else ""
        return self.taints.get(self.ids.get((_TEXT, quote_hash(sentence)), "")) if sentence else None

    def of_evidence(self, pointer: Pointer) -> Taint | None:
        """Return the taint that a piece of evidence falls under: its turn, or the line that it quotes."""
        quote = (pointer.quote or "").casefold()
        for taint in self.taints.values():
            if taint.source.startswith(DOMAIN) and taint.source.removeprefix(DOMAIN).casefold() in quote:
                return taint
        return self.of_turn(pointer.id, pointer.event) if pointer.kind == "session" else self.of_line(quote)


def parse_register(text: str) -> Register:
    """Return the content of a register. Empty lines are skipped."""
    taints: dict[str, Taint] = {}
    ids: dict[tuple[str, str], str] = {}
    for line in text.split("\n"):
        kind, *cells = line.removesuffix("\r").split("\t")
        if kind == _SOURCE and len(cells) == len(Taint.__struct_fields__):
            taints[cells[0]] = Taint(*cells)
        elif kind in (_TURN, _TEXT, _CHANGE) and len(cells) == 2:  # noqa: PLR2004 - the taint, and its subject
            ids[kind, cells[1]] = cells[0]
    return Register(taints, ids)


def add_taint(text: str, taint: Taint, turns: Iterable[str], sayings: Iterable[str], changes: Iterable[str]) -> str:
    """Return the text of a register with one source more, and what was learnt from it.

    What goes with another taint stays there. A header, then one line for each thing, sorted, so that git merges it.
    """
    register = parse_register(text)
    taints = {**register.taints, taint.id: replace(taint, why=fold_spaces(taint.why))}.values()
    news = [(_TURN, turn) for turn in turns]
    news += [(_TEXT, quote_hash(sentence)) for sentence in sayings]
    news += [(_CHANGE, change) for change in changes]
    ids = {**dict.fromkeys(news, taint.id), **register.ids}
    rows = [(_SOURCE, row.id, row.source, row.when, row.by, row.why) for row in taints]
    lines = sorted("\t".join(row) for row in (*rows, *((kind, name, key) for (kind, key), name in ids.items())))
    return "".join(f"{line}\n" for line in (HEADER, *lines))


def hide_words(read: Callable[[str], str | None], changes: Iterable[Record]) -> Iterator[Record]:
    """Yield records, tainted ones without their words; `read` reads a file of the workspace."""
    register = parse_register(read(PATH) or "")
    for change in changes:
        taint = register.of_change(change.change)
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
    register = parse_register(after.get(PATH, text) or "")
    if not register.taints:
        return
    citations = ((evidence_pointer.format(item).partition(' "')[0], register.of_evidence(item)) for item in pointers)
    lines = (
        (f"{path}: a line", register.of_line(line))
        for path in (path for path in after if path.endswith(".md"))
        for line in {*(after[path] or "").split("\n")} - {*(before[path] or "").split("\n")}
    )
    for place, taint in (*(citations if agent else ()), *lines):
        if taint:
            fix = Command("clawgit undo {}", taint.id, note="lifts the taint")
            raise source_tainted(f"{place} rests on {taint.source}, which is tainted", fix=fix)
