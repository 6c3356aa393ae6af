"""`clawgit memory index` and `status`, and `clawgit eval`."""

import json
from pathlib import Path

import click

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.output import progress
from clawgit.cli.text_lines import count_noun
from clawgit.context import conversation_search
from clawgit.errors import Advice, options_conflict
from clawgit.json_documents import fields
from clawgit.search import evaluation, index_state
from clawgit.search.answer import span
from clawgit.search.evaluation import drafts
from clawgit.search.index_state import State, VectorState

_TIERS = {"T0": "Soul", "T1": "Core", "T2": "Working"}
"""The memory tiers by their names: who the agent is, what does not age, what is dated."""


@command("clawgit memory index", "clawgit memory index --force", name="index")
@click.option("--force", is_flag=True, help="Throw the index away and build it anew.")
def index_(call: Call, *, force: bool) -> None:
    """Bring the index up to the files.

    Every search does so by itself; this is for doing it beforehand. Where CONFIG.md names an `embedder`, the vectors
    are built too, and its model downloaded if need be; what was interrupted goes on. All of it lies in
    .git/clawgit/cache and can be deleted at any time.
    """
    with call.workspace() as workspace:
        with progress(call.out, "indexing") as report_progress:
            state = index_state.build_index(workspace, force=force, told=report_progress)
            with conversation_search.followed(workspace, report_progress) as sessions:
                state = index_state.read_state(workspace) if sessions else state
        from clawgit.search import meaning  # noqa: PLC0415 - few commands need vectors

        with progress(call.out, "embedding") as report_progress:
            meaning.build(workspace, force=force, told=report_progress)
        _tell(call, state, index_state.read_vectors(workspace, state))


@command("clawgit memory status", "clawgit memory status --json")
def status(call: Call) -> None:
    """Show what is searched, and how the index stands.

    Files by memory tier, the chunks that they come to, and whether the index says what the files say.
    """
    with call.workspace() as workspace:
        state = index_state.read_state(workspace)
        _tell(call, state, index_state.read_vectors(workspace, state))


def _tell(call: Call, found: State, vectors: VectorState) -> None:
    document = fields(
        found,
        "tiers tier_names files chunks search_tier embedder vectors fresh changed commit bytes degraded",
        tier_names=dict(_TIERS),
        search_tier=vectors.tier,
        **fields(vectors, "embedder vectors"),
        fresh=found.fresh and (vectors.fresh or vectors.tier == "core"),
        degraded="; ".join(filter(None, (found.degraded, vectors.lacking))) or None,
    )
    tiers = [f"{name} {_TIERS[name]}: {count_noun(count, 'file')}" for name, count in found.tiers.items()]
    columns = "soul_memory_tiers files chunks bytes search_tier embedder vectors fresh degraded"
    call.out.answer(document, render.draw_record({**document, "soul_memory_tiers": tiers}, columns))


_NAMES = ("recall@5", "recall@10", "mrr", "ndcg@10", "evidence@1000tok", "evidence@2000tok", "p50_ms", "p95_ms")


@command("clawgit eval --make > questions.jsonl", "clawgit eval questions.jsonl", name="eval")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--make", is_flag=True, help="Draft questions from commit subjects, to be read and corrected.")
def eval_(call: Call, file: Path | None, *, make: bool) -> None:
    """Measure search on your own questions.

    Beside it stands what plain FTS5 answers.

    FILE has a JSON object on each line: {"question": "…", "expected": ["MEMORY.md#L4-L6"]}. Evidence is the share of
    the expected lines within so many returned tokens.
    """
    if (file is None) != make:
        raise options_conflict("give a question file or --make", fix=Advice("clawgit eval --make > questions.jsonl"))
    if file is None:
        with call.workspace() as workspace:
            documents = [
                {
                    "question": question.text,
                    "expected": [f"{path}#{span(*lines)}" for path, *lines in question.expected],
                }
                for question in drafts(workspace)
            ]
        text = "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
        call.out.answer(documents, text=text)
        if not documents:
            call.out.note("no commit has a subject that says what its lines are about")
        return
    with call.workspace() as workspace:
        trial = evaluation.trial(workspace, evaluation.read(file))
    document = {"questions": trial.questions, **trial.core, "baselines": trial.baselines}
    columns = {"clawgit": trial.core, **trial.baselines}
    measures = [{"measure": name, **{key: row[name] for key, row in columns.items()}} for name in _NAMES]
    call.out.answer(document, render.draw_table(measures))
    call.out.note(f"{trial.questions} questions")
