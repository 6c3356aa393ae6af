"""`clawgit conflicts`."""

from collections.abc import Iterator

import click

from clawgit.agents.detecting import conflict_decisions
from clawgit.agents.detecting.conflict_decisions import Keep
from clawgit.agents.running import Result, View
from clawgit.cli import change_output, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Output, Span, counted, fixed, labelled, line
from clawgit.errors import Command, Exit, option_missing, options_conflict
from clawgit.integrations.json_documents import NOTHING, Document, fields
from clawgit.safety.redaction import redacted
from clawgit.text import conflict
from clawgit.text.conflict import Conflict, Side
from clawgit.workspace.workspace import Workspace


def document(one: Conflict) -> Document:
    """Return a record as JSON has it, every field; a secret in it is named instead of shown."""
    return fields(
        one,
        "id found a b why rule winner status disputed resolved path line=start",
        a=_side_document(one.a),
        b=_side_document(one.b),
        status="open" if one.open else "resolved",
        path="CONFLICTS.md",
    )


def _side_document(side: Side) -> Document:
    return fields(side, "text path? entry=id? date? origin?", text=_text(side))


def listed(one: Conflict) -> Iterator[Line]:
    """Yield a record in three lines, an open one with the command that decides it."""
    yield line(Span(one.id, "cyan"), "  ", _state(one), Span(f" · {one.found} · {one.why}", "dim"))
    yield from _sides(one)
    if one.open:
        yield fixed(5, _decide(one))


def shown(one: Conflict) -> Iterator[Line]:
    """Yield all of a record, and how it can be closed."""
    yield labelled("conflict", 10, Span(one.id, "cyan"), "  ", _state(one), Span(f" · {one.found}", "dim"))
    for label, side in (("A", one.a), ("B", one.b)):
        yield labelled(label, 10, _text(side))
        if side.path:
            told = f"{side.path} · {side.id} · {side.date or 'undated'} · {side.origin}"
            yield line(" " * 10, Span(told, "dim"))
    yield labelled("why", 10, one.why)
    yield labelled("rule", 10, one.rule)
    for said in one.resolved:
        yield labelled("resolved", 10, said)
    if one.open:
        yield labelled("decide", 10, _decide(one))


def _decide(one: Conflict) -> str:
    return f"clawgit conflicts resolve {one.id} --keep a   # or b, both, --merge TEXT; what is wrong: clawgit correct"


def _state(one: Conflict) -> Span:
    if one.disputed:
        return Span("open: resolved in several ways", "yellow")
    return Span("open", "yellow") if one.open else Span(f"resolved: {one.winner}", "green")


def _sides(one: Conflict) -> Iterator[Line]:
    for label, side in (("A", one.a), ("B", one.b)):
        yield line(f"  {label}  ", _text(side), Span(f" · {side.date or 'undated'}", "dim"))


def _text(side: Side) -> str:

    return redacted(side.text)


def result(out: Output, found: Result, *, applied: bool) -> None:
    """Print what a run of the detector came to."""
    run_output.tell_result(out, found, _summary, applied=applied)


def _summary(found: Result, applied: bool) -> Iterator[Line]:  # noqa: FBT001 - as every summary takes it
    count, width = len(found.learnt), run_output.WIDTH
    told = counted(count, "contradiction") if count else "no contradiction"
    changed = counted(found.read, "memory", "memories")
    yield labelled("compared", width, f"{changed} that changed: {told}", style="")
    yield from run_output.left_out(found.skipped)
    if found.texts and not applied:
        yield from run_output.do_it(found, applied)
    elif count:
        yield labelled("see", width, "clawgit conflicts")


@click.group(
    cls=Group,
    invoke_without_command=True,
    examples=("clawgit conflicts", "clawgit conflicts --check", "clawgit conflicts resolve kxqmwrtzvn --keep b"),
)
@click.option("--check", is_flag=True, help="Exit with 3 when conflicts are open, and say how many.")
@answering
def conflicts(call: Call, *, check: bool) -> int | None:
    """Show memories that contradict each other, and decide between them.

    Alone it lists those that are open.
    """
    if click.get_current_context().invoked_subcommand:
        if check:
            raise options_conflict("--check stands alone", fix=Command("clawgit conflicts --check"))
        return None
    if check:
        return _check(call)
    _list(call, every=False)
    return None


@conflicts.command("list", examples=("clawgit conflicts list", "clawgit conflicts list --all --json"))
@click.option("--all", "every", is_flag=True, help="Also those that are resolved.")
@answering
def list_(call: Call, *, every: bool) -> None:
    """List the conflicts, open ones first."""
    _list(call, every=every)


@conflicts.command("show", examples=("clawgit conflicts show kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def show_(call: Call, wanted: str) -> None:
    """Show one conflict.

    ID is the one that the list shows, or its beginning.
    """
    with call.workspace() as workspace:
        one = conflict_decisions.find(_conflict_text(workspace), wanted)
    call.out.answer(lambda: document(one), shown(one), indent=10)


@conflicts.command(
    examples=(
        "clawgit conflicts resolve kxqmwrtzvn --keep a",
        'clawgit conflicts resolve kxqmwrtzvn --merge "The relay listens on port 9090, the old one on 8080."',
    )
)
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--keep", type=click.Choice(("a", "b", "both")), help="Which side holds; the other is superseded.")
@click.option("--merge", "words", type=Words(stdin=True), metavar="TEXT", help="Put these words in place of both.")
@answering
def resolve(call: Call, wanted: str, keep: Keep | None, words: str | None) -> None:
    """Decide a conflict, and close it.

    The side that gives way stays where it is, tagged #superseded. One commit, which clawgit undo takes back.
    """
    if (keep is None) == (words is None):
        fix = Command("clawgit conflicts resolve {} --keep a", wanted, note="or b, both, or --merge TEXT")
        raise option_missing("say which side holds, or what both become", fix=fix)
    with call.workspace() as workspace:
        workspace.require_managed()
        view, one = View(workspace), conflict_decisions.find(_conflict_text(workspace), wanted)
        winner = keep or "merged"
        if conflict_decisions.decided(one, winner):
            _nothing(call, one)
            return
        change = conflict_decisions.keep(view, one, keep) if keep else conflict_decisions.merge(view, one, words or "")
        change_output.apply(call, workspace, change, id=one.id, winner=winner)


def _nothing(call: Call, one: Conflict) -> None:
    told = {"commit": None, "reason": NOTHING, **fields(one, "id winner")}
    call.out.answer(lambda: told, [line(f"nothing to do: {NOTHING}")])


def _list(call: Call, *, every: bool) -> None:
    with call.workspace() as workspace:
        some = _known(call, workspace)
    shown = sorted((one for one in some if every or one.open), key=lambda one: not one.open)
    none = "no open conflicts" if some and not every else "no conflicts"
    call.out.listed(shown, document, listed, none, indent=5)


def _check(call: Call) -> int:
    with call.workspace() as workspace:
        count = sum(one.open for one in _known(call, workspace))
    words = "1 conflict is open" if count == 1 else f"{count} conflicts are open"
    call.out.answer(lambda: {"open": count}, [line(words)])
    return Exit.FOUND if count else Exit.DONE


def _known(call: Call, workspace: Workspace) -> tuple[Conflict, ...]:
    text = _conflict_text(workspace)
    for number in conflict.unreadable(text):
        call.out.warn(f"CONFLICTS.md:{number} is no record: it has no id, or not the words of both sides")
    return conflict.conflicts(text)


def _conflict_text(workspace: Workspace) -> str:
    return workspace.read("CONFLICTS.md") or ""
