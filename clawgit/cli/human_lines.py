"""Turns values into lines for people."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.cli.output import Line, Span, columns, counted, fixed, labelled, line, minute, printed
from clawgit.integrations.json_documents import NOTHING
from clawgit.safety.redaction import redacted

if TYPE_CHECKING:
    from clawgit.cli.output import Output
    from clawgit.findings.registry import Finding
    from clawgit.findings.status import Status
    from clawgit.search.recall_log import Shown
    from clawgit.store.entry_table import Moment
    from clawgit.text.merge import Conflict
    from clawgit.workspace.bootstrap import Born
    from clawgit.workspace.capture_and_enforce import Outcome
    from clawgit.workspace.change import Applied
    from clawgit.workspace.enforcement import Enforced
    from clawgit.workspace.memory_lines import MemoryLine
    from clawgit.workspace.records import Record
    from clawgit.workspace.seen_versions import Listed

_FEW, _SEVERAL = 3, 9
_FIX = 14  # where the way out begins, below what waits
_CONFLICTS, _SIDE = 2, 5  # conflicts that are shown, and lines of each side: all in all, a screen
SIDES = ("as the change wrote it", "as it stands now", "as it was before the change")


def commit(name: str) -> Span:
    """Return a commit as people read it."""
    return Span(name[:10], "yellow")


def moment(when: datetime) -> str:
    """Return a time to the minute, where it was taken."""
    return f"{when:%Y-%m-%d %H:%M}"


def changed(applied: "Applied", subject: str) -> Iterator[Line]:
    """Yield what a change came to, and below it the command that takes it back, or decides about it."""
    if applied.proposal:
        name = applied.proposal.id
        yield line(Span(name, "cyan"), f" waits in the inbox: {subject}")
        yield fixed(2, f"clawgit show {name}", "see: ")
    elif applied.commit is None:
        yield line(f"nothing to do: {NOTHING}")
    else:
        where = [Span(f" · {names(applied.files)}", "dim")] if applied.files else []
        yield line(commit(applied.commit), f" {subject}", *where)
        yield back(applied.change)


def back(change: str | None) -> Line:
    """Return the line with the command that takes a change back; it is never broken, so that it can be pasted."""
    return line(Span(f"  undo: clawgit undo {change}", "dim", whole=True))


def captured(outcome: "Outcome") -> Iterator[Line]:
    """Yield what each capture did, and the command that takes it back."""
    if not outcome.captured and not outcome.held:
        yield line("nothing to do: everything is committed")
    for one in (one for one in outcome.captured if one.commit):
        assert one.commit is not None
        kept = [path for path in one.files if path not in one.back]
        files = [path for path in kept if not path.startswith(".clawgit/")] or kept
        done = ((" captured ", files), (" put back ", one.back))
        told = [f"{verb}{names(sorted(paths, key=_importance))}" for verb, paths in done if paths]
        yield line(commit(one.commit), ",".join(told))
        if kept:
            yield back(one.commit[:10])


def names(paths: Iterable[str], most: int = _FEW) -> str:
    """Return the first of some paths, and how many more there are."""
    every = list(paths)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _importance(path: str) -> tuple[bool, int, str]:
    return path.startswith("."), path.count("/"), path


def born(made: "Born") -> Iterator[Line]:
    """Yield what `init` did, and what to do next."""
    if made.commit is None:
        yield line(f"nothing to do: {made.workspace.root} is managed already")
        return
    yield line(commit(made.commit), f" {made.workspace.root} is a workspace now, on branch {made.workspace.branch}")
    for name, paths in (("created", made.created), ("kept", made.kept)):
        if paths:
            yield labelled(name, 9, names(sorted(paths, key=_importance), _SEVERAL))
    yield labelled("next", 9, 'clawgit memory add "what is worth keeping"')


def status(found: "Status") -> Iterator[Line]:
    """Yield how the workspace stands."""
    head = commit(found.head) if found.head else "no commit yet"
    managed = "" if found.managed else " (not managed: clawgit only reads here)"
    yield _row("workspace", found.workspace, Span(managed, "yellow"))
    yield _row("branch", found.branch, " at ", head)
    yield from _waiting("alarms      ", found.alarms)
    yield from _listed("uncommitted ", map(printed, found.dirty), "yellow")
    if left := _not_kept(found):
        yield from _listed("not kept    ", left, "")
    if found.unread:
        yield _row("secrets", f"unknown: {counted(found.unread, 'commit')} not read yet")
        yield fixed(_FIX, "clawgit capture", "read on: ")
    yield _row("corrections", str(found.corrections))
    if found.inbox:
        yield _row("inbox", Span(counted(found.inbox, "item"), "yellow"))
        yield fixed(_FIX, "clawgit inbox")
    if found.untrusted:
        yield from _waiting("unapproved  ", found.untrusted)
    if found.grown:
        yield from _listed("grown       ", [f"{one.path} +{one.added} -{one.removed}" for one in found.grown], "")
        yield fixed(_FIX, "clawgit trust", "see: ")


def _row(name: str, *rest: str | Span) -> Line:
    return labelled(name, 12, *rest)


def _not_kept(found: "Status") -> list[str]:
    """Return what clawgit does not put into git, in words; nothing where there is none."""
    known = found.not_kept
    rows = [
        (known.files, "other", "is not kept", "are not kept", "they are no part of what clawgit captures"),
        (known.ignored, "ignored", "is not kept", "are not kept", "by rules of .gitignore and the like"),
        (known.changed, "changed", "waits", "wait", "git tracks such files, and committing them is left to you"),
        (
            known.unknown,
            "filtered",
            "is unknown",
            "are unknown",
            "only a filter that is off could tell whether they changed",
        ),
    ]
    return [
        f"{count:,} {kind} {'file' if count == 1 else 'files'} {one if count == 1 else many}: {why}"
        for count, kind, one, many, why in rows
        if count
    ]


def _waiting(name: str, found: "Iterable[Finding]") -> Iterator[Line]:
    """Yield what waits, each with its way out on a line of its own, so that it can be pasted."""
    rows = list(found)
    if not rows:
        yield from _listed(name, (), "")
    for number, one in enumerate(rows):
        head = Span(" " * len(name) if number else name, "dim")
        yield line(head, Span(one.message, "red" if one.level == "alarm" else "yellow"))
        if one.fix:
            yield fixed(_FIX, str(one.fix))


def _listed(name: str, values: Iterable[str], style: str) -> Iterator[Line]:
    for number, value in enumerate(list(values) or ["none"]):
        head = Span(" " * len(name) if number else name, "dim")
        yield line(head, Span(value, "" if value == "none" else style))


def who(found: "Record") -> str:
    """Return who made a commit, and whether clawgit wrote it."""
    return found.who if found.agent or found.origin or found.claimed else f"{found.who}, without clawgit"


def record(found: "Record", *, named: bool = False, words: Iterable[str] = (), more: int = 0) -> Iterator[Line]:
    """Yield one commit of the log, and an empty line.

    `named` tells also which files it touched; `words` are lines that it gave or took, and there are so many `more`.
    """
    change = [Span(f" {found.change}", "cyan")] if found.change else []
    yield line(commit(found.commit), *change, f" {moment(found.date)} {who(found)}")
    yield line("  ", Span(found.subject, "bold"))
    for row in found.why.split("\n") if found.why else ():
        yield line(f"  {row}" if row.strip() else "")
    for row in words:
        yield line("  ", Span(_flat(row), "green" if row.startswith("+") else "red"))
    if more:
        yield line("  ", Span(f"and {counted(more, 'more line')}", "dim"))
    for one in found.evidence:
        yield line("  ", Span(f"evidence: {one.pointer}", "dim"))
    if named and found.files:
        yield line("  ", Span(f"files: {names(sorted(found.files, key=_importance))}", "dim"))
    yield line("")


def seen(found: "Listed") -> Iterator[Line]:
    """Yield a version that was seen and is in no commit, some of what it alone says, and how to have it back."""
    one = found.version
    when = f"{one.at.astimezone():%Y-%m-%d %H:%M:%S}"
    yield line(commit(one.id), f" {when} {one.path} ", Span(f"+{found.added} -{found.removed}", "bold"))
    for row in found.alone[:_FEW]:
        yield line("  ", _flat(row))
    if len(found.alone) > _FEW:
        yield line("  ", Span(f"and {len(found.alone) - _FEW:,} more lines that stand nowhere else", "dim"))
    yield line(Span(f"  back: {found.restore}", "dim", whole=True))


def memory_line(one: "MemoryLine") -> Line:
    """Return one line for a memory."""
    status = "" if one.status == "live" else f" ({one.status})"
    return line(Span(one.id, "cyan"), Span(f" {one.tag or '-':<9} ", "dim"), _flat(one.text), Span(status, "yellow"))


def memory(one: "MemoryLine") -> Iterator[Line]:
    """Yield all that is known of a memory."""
    yield line(Span(_flat(one.text), "bold"))
    days = f"{one.first or 'unknown'}, last on {one.last or 'unknown'}, {counted(one.mentions, 'time')}"
    known = {
        "id": one.id,
        "where": f"{one.path}:{one.line}",
        "tag": one.tag or "none",
        "status": one.status,
        "origin": f"{one.origin}, confidence {one.confidence:g}",
        "mentioned": f"first on {days}",
        "came with": _birth(one.birth, probable=one.probable),
    }
    for name, text in columns(known.items()):
        yield line("  ", Span(name, "dim"), f"  {text}")


def _birth(birth: "Moment | None", *, probable: bool) -> str:
    if birth is None:
        return "unknown: it is not committed, or older than this clone"
    return f"{birth.commit[:10]} {birth.date[:10]} {birth.author}{', probably' if probable else ''}"


def retrieved(found: "Iterable[Shown]") -> Iterator[Line]:
    """Yield the conversations that a search gave a memory to."""
    for one in found:
        yield line("  ", Span("found      ", "dim"), f"{minute(one.at) or 'at some time'} by {one.session}")


def conflicts(
    found: "Iterable[Conflict]", sides: tuple[str, str, str] = SIDES, whole: str = "--json"
) -> Iterator[Line]:
    """Yield the sides of each conflict, no more than a screen of them, and what can be done.

    `sides` name the base, ours and theirs; `whole` is the command that shows everything.
    """
    cut = 0
    for number, one in enumerate(found):
        for title, key, style in zip(sides, ("base", "ours", "theirs"), ("dim", "green", "red"), strict=True):
            rows = _rows(getattr(one, key))
            shown = rows[:_SIDE] if number < _CONFLICTS else []
            cut += len(rows) - len(shown)
            yield from _side(title, shown, style) if shown else ()
    if cut:
        yield line(f"  … and {cut:,} more lines; all of them: ", Span(whole, "cyan"))
    yield line("  choose: leave it as it stands, take the later change back first, or edit the file by hand")


def _rows(text: str) -> list[str]:
    return text.strip("\r\n").split("\n") if text.strip() else ["(nothing)"]


def _side(title: str, rows: Iterable[str], style: str) -> Iterator[Line]:
    yield line(f"  {title}:")
    for row in rows:
        yield line("    ", Span(row, style))


def _flat(text: str) -> str:
    """Return a memory on one line; a secret in it is named instead of shown."""
    return " ".join(redacted(text).split())


def cleaned(row: Line) -> Line:
    """Return a line in which characters that nobody sees are written out as their numbers."""
    return tuple(Span(_revealed(span.text), span.style) for span in row)


def _revealed(text: str) -> str:
    from clawgit.safety import hidden_text  # noqa: PLC0415 - few lines need it

    for run in reversed(hidden_text.scan(text)):
        codes = "".join(f"<U+{ord(letter):04X}>" for letter in text[run.start : run.end])
        text = f"{text[: run.start]}{codes}{text[run.end :]}"
    return text


def tell_put_back(out: "Output", enforced: "Enforced") -> None:
    """Say what was put back, and what could not be."""
    for item in enforced.taken:
        words = f"{item.path} was not as approved; what you approved is back"
        out.warn(words, f"clawgit show {item.id}   # what was taken out")
    for path in enforced.restored:
        if path not in {item.path for item in enforced.taken}:
            out.warn(f"{path} was gone; what you approved is back")
    for one in enforced.left:
        if one.kind != "unapproved" or enforced.waiting:
            out.note(f"{one.reason}{f' ({enforced.waiting})' if one.kind == 'unapproved' else ''}")
