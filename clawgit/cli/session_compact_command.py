"""`clawgit session compact`."""

from collections.abc import Iterator

import click
from msgspec.structs import replace

from clawgit.agents import line_claims, session_flush, session_summary
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.output import Line, counted, labelled, line
from clawgit.cli.session_life_commands import (
    about,
    compaction_of,
    read_session,
    sides,
    wanted_session,
    window_option,
)
from clawgit.integrations.json_documents import fields
from clawgit.llm.model import ModelError
from clawgit.sessions.life import compaction_plan, model_context, token_limits
from clawgit.sessions.life.compaction_plan import Compaction
from clawgit.sessions.life.conversation_outline import Outline, outline
from clawgit.workspace.workspace import Workspace

_WIDTH = 11


@click.command(
    "compact",
    cls=DocumentedCommand,
    examples=("clawgit session compact 5b0f3c1e", "clawgit session compact 5b0f --json"),
)
@wanted_session
@window_option
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Tokens to fit into.  [default: where a flush is due]"
)
@answering
def compact(call: Call, wanted: str, window: int | None, budget: int | None) -> None:
    """Show what a compaction would summarise, and what stays whole.

    The last keep_last_turns turns stay as they are, fewer where they do not fit; a call of a tool and its result stay
    together. The summary has the last request, what was decided, what is open, which files were touched, each with its
    pointer; where a model is set up (see clawgit model status), it tells what else has to be known, and each of its
    sentences is checked against the messages that it names. With --json the messages stand there as the model would
    read them. The transcript stays as it is.
    """
    with call.workspace() as workspace:
        found, limits = read_session(workspace, wanted), token_limits.of_config(workspace.config.value, window)
        done = compaction_of(workspace, found, limits, budget)
        told = outline(done.summarised, found.session.id, session_flush.kept_sentences)
        if done.summarised:
            told = _summed_up(call, workspace, done, found.session.id, told)
    text = compaction_plan.summary(done, told) if done.summarised else ""
    before = model_context.total(found.context)
    head = [compaction_plan.entry(done, text, before)] if text else []
    after = model_context.total([*head, *done.kept])
    if not done.fits:
        call.out.warn(f"the last turn alone takes {after:,} tokens, and {done.budget:,} is what there is")
    document = {
        **about(found),
        **fields(done, "budget fits turns"),
        "before": before,
        "after": after,
        **sides(done),
        "summary": text,
        "items": [one.raw for one in (*head, *done.kept)],
    }
    call.out.answer(lambda: document, _compact_lines(done, text, before, after), indent=_WIDTH)


def _summed_up(call: Call, workspace: Workspace, done: Compaction, session: str, told: Outline) -> Outline:
    """Return the outline with what a voice says beside it, where there is one."""
    try:
        say = line_claims.asked_once(workspace)
        if say is None:
            return told
        tokens = int(workspace.config.value("batch_tokens"))
        summed = session_summary.summed_up(done.summarised, session, say, tokens, workspace.now().tzinfo)
    except ModelError as exc:
        call.out.warn(f"the summary is made by rules: {exc.message}", exc.fix)
        return told
    if summed.refused:
        call.out.warn(f"{counted(summed.refused, 'sentence')} of the model did not pass, and went")
    return replace(told, told=summed.told)


def _compact_lines(done: Compaction, text: str, before: int, after: int) -> Iterator[Line]:
    yield labelled(
        "summarise", _WIDTH, f"{len(done.summarised):,} messages, {model_context.total(done.summarised):,} tokens"
    )
    yield labelled("keep", _WIDTH, f"{counted(done.turns, 'turn')}, {model_context.total(done.kept):,} tokens")
    yield labelled("tokens", _WIDTH, f"{before:,} to {after:,}")
    yield from (line(row) for row in text.splitlines())
