"""`clawgit digest`."""

import os
from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Command
from clawgit.cli.options import Words, answering, day_given
from clawgit.cli.output import line
from clawgit.integrations.json_documents import Document, fields

if TYPE_CHECKING:
    from clawgit.digest.digest_delivery import Delivery


@click.command(
    cls=Command,
    examples=(
        "clawgit digest",
        "clawgit digest --since 2026-11-13",
        "clawgit digest --send",
        "CLAWGIT_WEBHOOK_URL=https://chat.example/hooks/1 clawgit digest --send",
    ),
)
@click.option("--since", type=Words(), metavar="DATE", help="From DATE on, whatever was sent before.")
@click.option("--send", "really", is_flag=True, help="Deliver it, unless it is empty or was told before.")
@answering
def digest(call: Call, since: str | None, *, really: bool) -> None:
    """Tell what happened that you should know of, and send it.

    What waits for you, changes of the identity with their evidence, memories, corrections, conflicts, what was removed,
    what the agents did and cost; each with the command that decides it or takes it back. Since the last digest that was
    sent, at first since a day ago. No secrets are in it, and no words that came from outside: these are counted.

    It is sent by digest_command in CONFIG.md, else to the webhook that CLAWGIT_WEBHOOK_URL names; where neither is set,
    it is kept in a file, and the changelog is rendered. What fails is told in a note; nothing is sent twice.
    """
    from clawgit.digest import digest_delivery, digest_document  # noqa: PLC0415 - the help does without

    with call.workspace() as workspace:
        now = workspace.now()
        if since is None:
            found = digest_delivery.since_last(workspace, now)
        else:
            start = day_given(since, "clawgit digest", workspace.now().tzinfo)
            found = digest_document.digest(workspace, start, now)
        done = digest_delivery.send(workspace, found, os.environ) if really else None
        shown = digest_delivery.folded(workspace, found) if since is None and not really else found
    if call.out.as_json:
        call.out.document({**digest_document.document(found), "delivery": _document(done)})
    elif done is None:
        call.out.verbatim(digest_document.render(shown))
    elif done.outcome in ("refused", "unsure"):
        call.out.warn(done.words)
    else:
        call.out.lines([line(done.words)])


def _document(done: "Delivery | None") -> Document | None:
    return fields(done, "outcome by? words file?") if done else None
