"""`clawgit eval`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.search.trial import Question, Trial

_NAMES = ("recall@5", "recall@10", "mrr", "ndcg@10", "evidence@1000tok", "evidence@2000tok", "p50_ms", "p95_ms")


@click.command(
    "eval",
    cls=Command,
    examples=("clawgit eval --make > questions.jsonl", "clawgit eval questions.jsonl"),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--make", is_flag=True, help="Draft questions from commit subjects, to be read and corrected.")
@json_option
@pass_call
def eval_(call: Call, file: Path | None, *, make: bool) -> None:
    """Measure how well your own questions are answered.

    Beside it stands what grep and plain FTS5 answer.

    FILE has a JSON object on each line: {"question": "…", "expected": ["MEMORY.md#L4-L6"]}. Evidence is the share of
    the expected lines within so many returned tokens.
    """
    if (file is None) != make:
        raise UsageError("either a file of questions or --make", fix="clawgit eval --make > questions.jsonl")
    if file is None:
        _draft(call)
        return
    from clawgit.search import trial  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found = trial.trial(workspace, trial.read(file))
    if call.out.as_json:
        call.out.document({"questions": found.questions, **found.core, "baselines": found.baselines})
    else:
        _tell(call, found)


def _draft(call: Call) -> None:
    from clawgit.search.drafts import drafts  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found = list(drafts(workspace))
    documents = [_document(one) for one in found]
    if call.out.as_json:
        call.out.documents(documents)
    else:
        call.out.verbatim("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents))
    if not found:
        call.out.note("no commit has a subject that says what its lines are about")


def _document(one: "Question") -> dict[str, object]:
    places = [f"{path}#L{first}" + ("" if first == last else f"-L{last}") for path, first, last in one.expected]
    return {"question": one.text, "expected": places}


def _tell(call: Call, found: "Trial") -> None:
    columns = {"clawgit": found.core, **found.baselines}
    call.out.lines([line(Span(f"{'':17}" + "".join(f"{name:>10}" for name in columns), "dim"))])
    for name in _NAMES:
        cells = "".join(f"{row[name]:>10.3f}" for row in columns.values())
        call.out.lines([line(Span(f"{name:17}", "dim"), cells)])
    call.out.note(f"{found.questions} questions")
