"""Shows what differs from what the operator approved."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from clawgit.cli import compare
from clawgit.cli.layout import Line, Span, line, printed
from clawgit.cli.show_desk import cleaned
from clawgit.integrations.as_json import Document, hunk
from clawgit.text.diff import hunks

if TYPE_CHECKING:
    from clawgit.git.programs import Program
    from clawgit.text.diff import Hunk
    from clawgit.workspace.capturing import Outcome
    from clawgit.workspace.config import Shown
    from clawgit.workspace.trust.review import Review, Unapproved


def review(found: "Review", *, marks: bool) -> Iterator[Line]:
    """Yield each file and value that is not approved, then the command that approves; `marks` stand in for colours."""
    if not found.of_identity and not found.programs:
        yield line("nothing to do: everything is as you approved it")
        return
    if not found.known:
        yield line("Nothing here is approved yet. These are the files of the identity, as they are on disk:")
        yield line("")
    for one in found.files:
        yield from _file(one, whole=not found.known, marks=marks)
    for key in found.keys:
        words = f"{key.key.name}: {_value(key.value)} → {_value(key.untrusted)}"
        yield line(Span(_place(key), "bold"), "  ", Span(words, "yellow"))
    if found.keys or not found.known:
        yield line("")
    if found.programs:
        yield from programs(found.programs)
        yield line("")
    yield line(Span("approve: ", "dim"), f"clawgit trust --hash {found.digest}")


def programs(found: "Iterable[Program]") -> Iterator[Line]:
    """Yield the commands of filters that git does not run here, letter by letter."""
    yield line("The repository's own configuration names filters. Git runs none of them here before you accept these:")
    for one in found:
        yield cleaned(line("  ", Span(printed(one.key), "bold"), "  ", Span(printed(one.value), "yellow")))
        if one.content:
            yield line("    ", Span("it names files of this workspace: once they change, it is off again", "dim"))


def _file(one: "Unapproved", *, whole: bool, marks: bool) -> Iterator[Line]:
    high = one.risk.level == "high"
    size = "" if one.text is None else f", {one.text.count(chr(10)):,} lines, {len(one.text):,} characters"
    fate = " is gone" if one.text is None else " is new" if one.approved is None and not whole else ""
    level = Span(f"{one.risk.level} risk" if high or not whole else "", "red" if high else "green")
    yield line(Span(one.path, "bold"), fate, size if whole or fate else "", "  ", level)
    yield from (cleaned(line("  ", Span(reason, "red"))) for reason in one.risk.reasons)
    if not whole:
        yield from map(cleaned, islice(compare.hunks(_hunks(one), marks=marks), 1, None))
        yield line("")


def accepted(found: "Review", outcome: "Outcome | None") -> Line:
    """Return the one line that an acceptance comes to."""
    filters = dict.fromkeys(printed(one.filter) for one in found.programs)
    names = [*(one.path for one in found.files), *(key.key.name for key in found.keys), *filters]
    commits = [one.commit[:10] for one in outcome.captured if one.commit] if outcome else []
    done = [Span(" · captured in ", "dim"), Span(", ".join(commits), "yellow")] if commits else []
    return line(f"approved: {', '.join(names) or 'the workspace'}", *done)


def document(found: "Review", outcome: "Outcome | None", *, accepted: bool) -> Document:
    """Return what differs from what was approved, and whether it is approved now."""
    return {
        "known": found.known,
        "accepted": accepted,
        "hash": found.digest,
        "files": [_of_file(one, whole=not found.known) for one in found.files],
        "keys": [
            {"key": one.key.name, "used": one.value, "says": one.untrusted, "set": _place(one)} for one in found.keys
        ],
        "programs": [program(one) for one in found.programs],
        "commits": [one.commit for one in outcome.captured if one.commit] if outcome else [],
        "held": [{"path": one.path, "reason": one.reason, "fix": one.fix} for one in outcome.held] if outcome else [],
    }


def program(one: "Program") -> Document:
    """Return one command of a filter."""
    return {"key": one.key, "command": one.value, "fingerprint": one.fingerprint}


def _of_file(one: "Unapproved", *, whole: bool) -> Document:
    return {
        "path": one.path,
        "risk": one.risk.level,
        "reasons": list(one.risk.reasons),
        "characters": None if one.text is None else len(one.text),
        "hunks": [] if whole else [hunk(part) for part in _hunks(one)],
    }


def _hunks(one: "Unapproved") -> "tuple[Hunk, ...]":
    return hunks(one.approved or "", one.text or "")


def _place(key: "Shown") -> str:
    return f"CONFIG.md:{key.line}" if key.line else "CONFIG.md"


def _value(value: object) -> str:
    return str(value) if value != "" else "nothing"
