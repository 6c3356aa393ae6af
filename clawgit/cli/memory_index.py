"""`clawgit memory index`, `status` and `story`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.cli.progress import progress

if TYPE_CHECKING:
    from clawgit.search.state import State, VectorState

_TIERS = {"T0": "Soul", "T1": "Core", "T2": "Working"}
"""The memory tiers by their names: who the agent is, what does not age, what is dated."""


@click.command("index", cls=Command, examples=("clawgit memory index", "clawgit memory index --force"))
@click.option("--force", is_flag=True, help="Throw the index away and build it anew.")
@json_option
@pass_call
def index_(call: Call, *, force: bool) -> None:
    """Bring the index up to the files.

    Every search does so by itself; this is for doing it beforehand. Where CONFIG.md names an `embedder`, the vectors
    are built too, and its model downloaded if need be; what was interrupted goes on. All of it lies in
    .git/clawgit/cache and can be deleted at any time.
    """
    from clawgit.context import conversation_search  # noqa: PLC0415 - loads libgit2
    from clawgit.search import enhanced, state  # noqa: PLC0415

    with call.workspace() as workspace:
        with progress(call.out, "indexing") as told:
            found = state.built(workspace, force=force, told=told)
            found = state.state(workspace) if conversation_search.bring(workspace, told) else found
        with progress(call.out, "embedding") as told:
            enhanced.build(workspace, force=force, told=told)
        _tell(call, found, state.vectors(workspace))


@click.command("status", cls=Command, examples=("clawgit memory status", "clawgit memory status --json"))
@json_option
@pass_call
def status(call: Call) -> None:
    """Show what is searched, and how the index stands.

    Files by memory tier, the chunks that they come to, and whether the index says what the files say.
    """
    from clawgit.search import state  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        from clawgit.agents.promoting import length  # noqa: PLC0415

        _tell(call, state.state(workspace), state.vectors(workspace))
        for one in length.too_long(workspace):
            call.out.warn(one.words)
            call.out.talk(f"  fix: {one.fix}")


def _tell(call: Call, found: "State", vectors: "VectorState") -> None:
    if call.out.as_json:
        call.out.document(
            {
                "tiers": dict(found.tiers),
                "tier_names": dict(_TIERS),
                "files": found.files,
                "chunks": found.chunks,
                "search_tier": vectors.tier,
                "embedder": vectors.embedder,
                "vectors": vectors.vectors,
                "fresh": found.fresh and (vectors.fresh or vectors.tier == "core"),
                "changed": list(found.changed),
                "commit": found.commit,
                "bytes": found.bytes,
                "degraded": _degraded(found, vectors),
            }
        )
        return
    fresh = "as fresh as the files" if found.fresh else f"{len(found.changed)} files behind; any search catches up"
    rows: tuple[Line, ...] = (
        line("Soul Memory Tiers:"),
        *(line(f"  {name} {_TIERS[name]}: {_files(count)}") for name, count in found.tiers.items()),
        line(Span("files   ", "dim"), f"{found.files:,} are searched"),
        line(Span("index   ", "dim"), f"{found.chunks:,} chunks, {found.bytes / 1e6:.1f} MB, {fresh}"),
        line(Span("search  ", "dim"), _by(vectors)),
    )
    call.out.lines(rows, indent=8)
    if degraded := _degraded(found, vectors):
        call.out.warn(degraded)


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _by(vectors: "VectorState") -> str:
    if vectors.tier == "core":
        return "core: by words, dates and speakers"
    fresh = "" if vectors.fresh else "; some are behind, and any search catches up"
    return f"enhanced: by words, and by {vectors.vectors:,} vectors of {vectors.embedder}{fresh}"


def _degraded(found: "State", vectors: "VectorState") -> str | None:
    return "; ".join(filter(None, (found.degraded, vectors.lacking))) or None


@click.command(cls=Command, examples=('clawgit memory story "deploy day"', "clawgit memory story Ana --json"))
@click.argument("topic", type=Words())
@json_option
@pass_call
def story(call: Call, topic: str) -> None:
    """Tell how the lines about a topic changed.

    Commit by commit, the oldest first.
    """
    from clawgit.search import marks  # noqa: PLC0415 - loads libgit2
    from clawgit.search import story as stories  # noqa: PLC0415

    with call.workspace() as workspace, progress(call.out, "reading history") as told:
        found = stories.story(workspace, topic, told)
    if call.out.as_json:
        call.out.documents(
            {
                "commit": one.commit,
                "date": one.date.isoformat(),
                "subject": one.subject,
                "lines": [{"op": s.op, "path": s.path, "line": s.line, "text": s.text} for s in one.steps],
            }
            for one in found.chapters
        )
        return
    for one in found.chapters:
        call.out.lines(
            [line(Span(one.commit[:10], "yellow"), f" {one.date:%Y-%m-%d %H:%M} ", Span(one.subject, "bold"))]
        )
        for step in one.steps:
            colour = "green" if step.op == "+" else "red"
            call.out.lines([line("  ", Span(f"{step.path}#L{step.line}", "dim"))])
            for row in step.text.split("\n"):
                parts = marks.marked(row, found.stems)
                said = (Span(part, "bold" if good else colour) for part, good in parts)
                call.out.lines([line("  ", Span(f"{step.op} ", colour), *said)], indent=4)
        call.out.lines([line("")])
    if not found.chapters:
        call.out.note(f"no commit says anything about {topic!r}; clawgit search looks at what is not committed too")
