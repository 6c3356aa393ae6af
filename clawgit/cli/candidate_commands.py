"""The commands about what could be a memory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import click

from clawgit.agents import memory_candidates
from clawgit.agents.memory_candidates import Candidate as Unkept
from clawgit.cli import change_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.memory_commands import TAGS
from clawgit.cli.options import Words, answering, day_given
from clawgit.cli.output import Line, Span, line
from clawgit.integrations.json_documents import Document, fields
from clawgit.sessions import turn_lookup, untainted_chats
from clawgit.workspace import memory as memories
from clawgit.workspace.workspace import Workspace

_SINCE = click.option("--since", type=Words(), metavar="DATE", help="What was said from DATE on.  [default: 7 days]")


@click.command(
    cls=DocumentedCommand, examples=("clawgit memory candidates", "clawgit memory candidates --since 2026-03-01 --json")
)
@_SINCE
@answering
def candidates(call: Call, since: str | None) -> None:
    """List what you said that could be kept, and is not.

    Statements of yours that triage flagged, or that name a date or a number; a dozen of a week at most. What you asked
    for outright is kept without this list, and a model that reads later reads all of it. The digest shows the list
    once a week.
    """
    with _listed(call, since) as (_, found):
        call.out.listed(found, _document, _lines, "nothing is on the list", indent=11)
        if found and not call.out.as_json:
            call.out.note("keep one: clawgit memory keep ID; the others may stay")


@click.command(
    cls=DocumentedCommand, examples=("clawgit memory keep kxqmwrtzvn", "clawgit memory keep kxqm --tag decision")
)
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--tag", type=click.Choice(TAGS), default="knowledge", show_default=True, help="What kind it is.")
@_SINCE
@answering
def keep(call: Call, wanted: str, tag: str, since: str | None) -> None:
    """Make a memory of a candidate, in your own words.

    ID is the one that `memory candidates` shows, or its beginning; of an older one it takes the same --since.
    """
    with _listed(call, since) as (workspace, found):
        workspace.require_managed()
        one = memory_candidates.find(found, wanted)
        evidence = (one.source,) if one.source else ()
        added = memories.add(workspace, one.text, tag=tag, evidence=evidence)
        change_output.apply(call, workspace, added.change, id=added.id, merged_into=added.merged_into)
        memory_candidates.settle(workspace, one, keep=True)


@click.command(cls=DocumentedCommand, examples=("clawgit memory drop kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@_SINCE
@answering
def drop(call: Call, wanted: str, since: str | None) -> None:
    """Take a candidate off the list.

    It is not listed again. What you said stays in the conversation.
    """
    with _listed(call, since) as (workspace, found):
        one = memory_candidates.find(found, wanted)
        memory_candidates.settle(workspace, one, keep=False)
    if call.out.as_json:
        call.out.document({"commit": None, "reason": "a candidate is local", "dropped": one.id})
    else:
        call.out.note(f"dropped {one.id}")


@contextmanager
def _listed(call: Call, since: str | None) -> Iterator[tuple[Workspace, list[Unkept]]]:
    """Give the workspace, and what is on the list."""
    with call.workspace() as workspace, untainted_chats.opened(workspace, os.environ, reading=True) as store:
        workspace.conversations = partial(turn_lookup.turn, store)
        now = workspace.now()
        start = day_given(since, "clawgit memory candidates", now.tzinfo) if since else now - memory_candidates.WEEK
        yield workspace, memory_candidates.unkept(workspace, store, start, now)


def _lines(one: Unkept) -> Iterator[Line]:
    yield line(Span(one.id, "cyan"), f" {one.at:%Y-%m-%d} {one.text}")
    yield line(" " * 11, Span(f"clawgit memory keep {one.id[:6]} · clawgit memory drop {one.id[:6]}", "dim"))


def _document(one: Unkept) -> Document:
    return fields(one, "id text at evidence=source?", at=one.at.isoformat(timespec="seconds"))
