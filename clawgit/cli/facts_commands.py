"""`clawgit facts`."""

from collections.abc import Iterator
from datetime import date, datetime

import click

from clawgit.agents import fact_terms
from clawgit.agents.running import Result
from clawgit.cli import change_output, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Output, Span, counted, labelled, line
from clawgit.errors import Command, date_invalid
from clawgit.integrations.json_documents import Document, fields
from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.workspace.fact_register import CATEGORIES, Category, Fact

_CATEGORY = click.option("--category", type=click.Choice(CATEGORIES), help="Only those of this class.")


@click.group(cls=Group, examples=("clawgit facts list", "clawgit facts list --category tasks"))
def facts() -> None:
    """Show what memory holds by class, and how long it holds."""


@facts.command("list", examples=("clawgit facts list", "clawgit facts list --category tasks --all --json"))
@_CATEGORY
@click.option("--all", "every", is_flag=True, help="Also those that are over, or were deleted by hand.")
@answering
def list_(call: Call, category: Category | None, *, every: bool) -> None:
    """List the facts.

    The organizer sorts them from the memories each day: clawgit run organizer. A task holds for seven days after it was
    last mentioned, or until it is due, what is said of agents for thirty, all else for good.
    """
    with call.workspace() as workspace:
        some = fact_terms.listed(workspace)
    shown = [one for one in some if (every or one.state == "live") and category in (None, one.category)]
    call.out.listed(shown, _document, _lines, "no facts; clawgit run organizer --apply sorts the memories", indent=11)


@facts.command(examples=("clawgit facts show kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def show(call: Call, wanted: str) -> None:
    """Show one fact, and the memories that say it.

    ID is the one that the list shows, or its beginning.
    """
    with call.workspace() as workspace:
        one = fact_terms.find(workspace, wanted)
        places = fact_terms.places(workspace, one)
    call.out.answer(lambda: {**_document(one), "sources": sorted(one.sources), "places": places}, _all(one, places))


@facts.command(examples=("clawgit facts renew kxqmwrtzvn", "clawgit facts renew kxqm --until 2027-03-31"))
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--until", type=Words(), metavar="DATE", help="Its last day.  [default: a whole term from today]")
@answering
def renew(call: Call, wanted: str, until: str | None) -> None:
    """Have a fact hold for longer, also one that is over or was deleted.

    It comes back to the file of its class.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        one = fact_terms.find(workspace, wanted)
        last = _day(until, one) if until else None
        change_output.apply(call, workspace, fact_terms.renewed(workspace, one, last), id=one.id)


@facts.command(examples=("clawgit facts expire kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def expire(call: Call, wanted: str) -> None:
    """Have a fact be over now: it goes to the archive, and is found by search.

    The memories that say it stay as they are.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        one = fact_terms.find(workspace, wanted)
        change_output.apply(call, workspace, fact_terms.expired(workspace, one), id=one.id)


def _day(until: str, one: Fact) -> date:
    day = parse_date(until)
    if day is None:
        raise date_invalid(f"{until!r} is no date", fix=Command("clawgit facts renew {}", one.id))
    return day.date() if isinstance(day, datetime) else day


def result(out: Output, found: Result, *, applied: bool) -> None:
    """Print what a run of the organizer or of the decay engine came to."""
    run_output.tell_result(out, found, _summary, applied=applied)


def _summary(found: Result, applied: bool) -> Iterator[Line]:  # noqa: FBT001 - as every summary takes it
    looked = counted(found.read, "memory", "memories") if found.agent == "organizer" else counted(found.read, "fact")
    done = f"{counted(len(found.learnt), 'new fact')}" if found.agent == "organizer" else _over(found)
    yield labelled("looked at", run_output.WIDTH, f"{looked}: {done}", style="")
    if found.texts and not applied:
        yield from run_output.do_it(found, applied)
    elif found.applied:
        yield labelled("see", run_output.WIDTH, "clawgit facts list")


def _over(found: Result) -> str:
    return counted(len(found.learnt), "fact") + " over" if found.learnt else "none is over"


def _document(one: Fact) -> Document:
    return fields(
        one,
        "id category state kept",
        text=redacted(one.text),
        path=one.path,
        first=one.first.isoformat(),
        expires=one.expires.isoformat() if one.expires else None,
    )


def _lines(one: Fact) -> Iterator[Line]:
    states = {"live": f"until {one.expires}" if one.expires else "for good", "dropped": "deleted by hand"}
    told = states.get(one.state, f"over since {one.expires}")
    yield line(Span(one.id, "cyan"), f" {redacted(one.text)}")
    yield line(" " * 11, Span(f"{one.category} · {told}", "dim"))


def _all(one: Fact, places: list[str]) -> Iterator[Line]:
    yield from _lines(one)
    for place in places:
        yield labelled("said in", 10, place)
    known = "renew" if one.state != "live" else "expire"
    yield labelled("change", 10, f"clawgit facts {known} {one.id[:6]}")
