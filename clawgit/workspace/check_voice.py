"""The check of the language model."""

from collections.abc import Iterator, Mapping

from clawgit.llm import voice_record, voices
from clawgit.workspace import waiting_batches
from clawgit.workspace.doctor import Check, Finding
from clawgit.workspace.workspace import Workspace

_TEST = "clawgit model test"


def check(workspace: Workspace, environ: Mapping[str, str]) -> Check:
    """Return the check of who is asked; that nobody is, is a choice. Nobody is asked for it."""
    return Check("model", lambda: _look(workspace, environ), "rules alone")


def _look(workspace: Workspace, environ: Mapping[str, str]) -> Iterator[Finding]:
    found, known = voices.choose(workspace.config.value, environ, workspace.state), voice_record.load(workspace.state)
    if found.problem:
        yield Finding(found.problem.message, found.problem.fix)
        return
    yield Finding(f"{found.voice.name if found.voice else found.kind}: {found.why}", ok=True)
    last = known.tests.get(found.kind)
    if found.voice and last and last.voice == found.voice.name and not last.good:
        yield Finding(f"it did not pass its test on {last.when[:10]}: {last.why}", _TEST)
    if known.failure and found.voice and known.failure.voice == found.voice.name:
        failure = known.failure
        yield Finding(f"it gave no answer on {failure.when[:16].replace('T', ' ')}: {failure.message}", _TEST)
    name = found.voice.name if found.voice else ""
    for one in waiting_batches.waiting(workspace.state, workspace.clock(), name):
        yield Finding(one.message, one.fix)
