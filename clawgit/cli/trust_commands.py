"""`clawgit trust`."""

from collections.abc import Iterable, Iterator
from itertools import islice

import click
from msgspec.structs import replace

from clawgit import errors
from clawgit.cli import history_commands, operator_input
from clawgit.cli.call import Call
from clawgit.cli.human_lines import cleaned
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering, hash_option
from clawgit.cli.output import Line, Span, line, printed
from clawgit.errors import ClawgitError, Command, Exit
from clawgit.findings import dismissals
from clawgit.git.foreign_programs import Program
from clawgit.integrations.json_documents import Document, each, fields, hunk
from clawgit.text.diff import Hunk, hunks
from clawgit.workspace import trust_review
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.config import Shown
from clawgit.workspace.trust_review import Review, Unapproved
from clawgit.workspace.workspace import Workspace

_DIGITS = 12
"""Of a hash, as it is shown."""


def tell_review(found: Review, *, marks: bool) -> Iterator[Line]:
    """Yield each file and value that is not approved, then the command that approves; `marks` stand in for colours."""
    if not found.of_identity and not found.programs and not found.changes:
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
        yield from map(cleaned, _named(key))
    yield from (line(Span(one, "yellow")) for one in found.changes.told)
    if found.keys or found.changes or not found.known:
        yield line("")
    if found.programs:
        yield from programs(found.programs)
        yield line("")
    yield line(Span("approve: ", "dim"), f"clawgit trust --hash {found.digest}")


def _named(key: Shown) -> Iterator[Line]:
    """Yield the files of the workspace that a command names: they are approved with it, by their bytes."""
    for name, held in key.files.items():
        state = ", not as you approved it" if name in key.changed else ""
        yield line("  it names ", Span(name, "bold"), state, Span(f"  sha256 {held[:_DIGITS]}", "dim"))
    yield from (line("  ", Span(name, "bold"), " is gone") for name in key.changed if name not in key.files)
    if key.files:
        yield line("  ", Span("look at them before you say yes: once they change, it is off again", "dim"))


def programs(found: Iterable[Program]) -> Iterator[Line]:
    """Yield the commands of filters that git does not run here, letter by letter."""
    yield line("The repository's own configuration names filters. Git runs none of them here before you accept these:")
    for one in found:
        yield cleaned(line("  ", Span(printed(one.key), "bold"), "  ", Span(printed(one.value), "yellow")))
        if one.content:
            yield line("    ", Span("it names files of this workspace: once they change, it is off again", "dim"))


def _file(one: Unapproved, *, whole: bool, marks: bool) -> Iterator[Line]:
    size = "" if one.text is None else f", {one.text.count(chr(10)):,} lines, {len(one.text):,} characters"
    fate = " is gone" if one.text is None else " is new" if one.approved is None and not whole else ""
    yield line(Span(one.path, "bold"), fate, size if whole or fate else "")
    if not whole:
        yield from map(cleaned, islice(history_commands.hunks(_hunks(one), marks=marks), 1, None))
        yield line("")


def accepted_text(found: Review, outcome: Outcome | None) -> Line:
    """Return the one line that an acceptance comes to."""
    filters = dict.fromkeys(printed(one.filter) for one in found.programs)
    names = [*(file.path for file in found.files), *(key.key.name for key in found.keys), *filters]
    names += ["what is gone"] if found.changes.losses else []
    names += ["the programs that came"] if found.changes.programs else []
    names += ["the history as it is"] if found.changes.cut else []
    commits = [one.commit[:10] for one in outcome.captured if one.commit] if outcome else []
    done = [Span(" · captured in ", "dim"), Span(", ".join(commits), "yellow")] if commits else []
    return line(f"approved: {', '.join(names) or 'the workspace'}", *done)


def document(found: Review, outcome: Outcome | None, *, accepted: bool) -> Document:
    """Return what differs from what was approved, and whether it is approved now."""
    return {
        "known": found.known,
        "accepted": accepted,
        "hash": found.digest,
        "files": [_of_file(file, whole=not found.known) for file in found.files],
        "keys": [
            {
                **fields(key, "key used=value says=untrusted set", key=key.key.name, set=_place(key)),
                **({"files": dict(key.files)} if key.files else {}),
            }
            for key in found.keys
        ],
        "programs": [program(one) for one in found.programs],
        "changes": list(found.changes.told),
        "commits": [one.commit for one in outcome.captured if one.commit] if outcome else [],
        "held": each(outcome.held, "path reason fix") if outcome else [],
    }


def program(one: Program) -> Document:
    """Return one command of a filter."""
    return fields(one, "key command=value fingerprint")


def _of_file(one: Unapproved, *, whole: bool) -> Document:
    return {
        "path": one.path,
        "characters": None if one.text is None else len(one.text),
        "hunks": [] if whole else [hunk(part) for part in _hunks(one)],
    }


def _hunks(one: Unapproved) -> tuple[Hunk, ...]:
    return hunks(one.approved or "", one.text or "")


def _place(key: Shown) -> str:
    return f"CONFIG.md:{key.line}" if key.line else "CONFIG.md"


def _value(value: object) -> str:
    return str(value) if value != "" else "nothing"


@click.command(cls=DocumentedCommand, examples=("clawgit trust", "clawgit trust --hash 9b1c07aa42de"))
@hash_option("clawgit trust")
@answering
def trust(call: Call, digest: str | None) -> int:
    """Show what differs from what you approved, and approve it.

    The identity files; those values of CONFIG.md that run something, read outside the workspace or loosen a rule,
    with the files of the workspace that a command names; and the filters that the repository's own configuration
    names, such as git-crypt's, which git runs only once you accept exactly these commands. They are not used
    before. Programs and scripts that came, files that lost their text, and history that was cut off or lies elsewhere
    are told until you say yes. What you approve is
    kept outside the workspace. Asks at a terminal; elsewhere it shows what differs and exits with 3. There --hash
    approves exactly that, if you have set `approve_without_terminal` on at a terminal.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        found = replace(trust_review.review(workspace), changes=dismissals.list_changes(workspace))
        nothing = not (found.of_identity or found.programs or found.changes)
        accepted = None if nothing else _accepted(call, workspace, found, digest)
        if accepted:
            trust_review.accept(workspace, accepted)
        if accepted and accepted.changes:
            dismissals.answer_changes(workspace, accepted.changes)
        outcome = _captured(call, workspace, accepted) if accepted and accepted.of_identity else None
    _tell(call, accepted or found, outcome, accepted=accepted is not None)
    return Exit.DONE if nothing or accepted else Exit.FOUND


def _accepted(call: Call, workspace: Workspace, found: Review, digest: str | None) -> Review | None:
    """Return what of it the operator approves, None where nobody can be asked.

    Raises ClawgitError for a no to everything, and for the hash of something else.
    """
    if digest:
        if digest != found.digest:
            raise errors.preview_outdated("this is no longer what was shown", fix=Command("clawgit trust"))
        operator_input.require_operator(workspace, "trust approves the identity")
        return found
    if not operator_input.possible():
        return None
    operator_input.show(call.out, tell_review(found, marks=not call.out.coloured))
    identity = bool(found.of_identity or found.changes) and operator_input.agreed(call.out, "Approve all of it?")
    programs = operator_input.accepted_programs(call.out, found.programs)
    if not identity and not programs:
        raise errors.not_confirmed("nothing was approved", fix=Command("clawgit trust"))
    if not identity:
        return replace(found, known=True, files=(), keys=(), changes=type(found.changes)(), programs=programs)
    return replace(found, programs=programs)


def _captured(call: Call, workspace: Workspace, found: Review) -> Outcome | None:
    """Commit what was approved, where it is not committed."""
    paths = {file.path for file in found.files} | ({"CONFIG.md"} if found.keys else set())
    try:
        return capture_all(workspace, paths.__contains__)
    except ClawgitError as exc:
        call.out.warn(f"it is approved, and not committed yet: {exc.message}", exc.fix)
        return None


def _tell(call: Call, found: Review, outcome: Outcome | None, *, accepted: bool) -> None:
    rows = [accepted_text(found, outcome)] if accepted else tell_review(found, marks=not call.out.coloured)
    call.out.answer(lambda: document(found, outcome, accepted=accepted), rows)
