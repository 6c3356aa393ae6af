"""`clawgit facts`."""

from datetime import date

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import answering
from clawgit.integrations.json_documents import Document, fields
from clawgit.memory import organize
from clawgit.memory.organize import Fact
from clawgit.safety.redaction import redacted
from clawgit.search.fact_classes import CATEGORIES, Category


@click.group(cls=Group, examples=("clawgit facts list", "clawgit facts list --category tasks"))
def facts() -> None:
    """List memories by class."""


@facts.command("list", examples=("clawgit facts list", "clawgit facts list --category tasks --all --json"))
@click.option("--category", type=click.Choice(CATEGORIES), help="Only those of this class.")
@click.option("--all", "every", is_flag=True, help="Also those that are over.")
@answering
def list_(call: Call, category: Category | None, *, every: bool) -> None:
    """List the facts.

    Each line of memory is one, in whatever file; lines that say the same are one fact. A task holds for seven days
    after it was last mentioned, or until it is due, what is said of agents for thirty, all else for good. One that is
    over stays in its file, where search finds it.
    """
    with call.workspace() as workspace:
        every_fact, today = organize.list_facts(workspace), workspace.now().date()
    shown = [one for one in every_fact if (every or not one.is_over(today)) and category in (None, one.category)]
    documents = [_document(one, today) for one in shown]
    call.out.answer(documents, shown="id text category state expires", none="no facts; nothing is remembered yet")


def _document(one: Fact, today: date) -> Document:
    return fields(
        one,
        "id category path line",
        state="expired" if one.is_over(today) else "live",
        text=redacted(one.text),
        first=one.first.isoformat() if one.first else None,
        expires=one.expires.isoformat() if one.expires else None,
        sources=list(one.sources),
    )
