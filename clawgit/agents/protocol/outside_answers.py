"""Batches for a reader of one's own, and answers."""

import json
from pathlib import Path
from typing import Any

from clawgit import errors
from clawgit.agents.protocol import kept_batches, operations
from clawgit.agents.protocol.batch_landing import Landed
from clawgit.agents.protocol.batch_run import Reading
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.errors import Advice, Command
from clawgit.git import regular_file
from clawgit.llm import json_answer
from clawgit.workspace import waiting_batches

_LARGEST = 4 << 20


def export(reading: Reading, place: Path) -> Kept | None:
    """Write the next batch to a file that its owner alone can read, and return it; None where nothing is to be read.

    A batch that is out already comes again. Raises ClawgitError where the file cannot be written.
    """
    kept = next_out(reading)
    if kept is None:
        return None
    document = kept.batch.document(operations.schema(kept.batch.agent))
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    try:
        regular_file.replace_state(place, text.encode("utf-8", "replace"), durable=True)
    except OSError as exc:
        raise errors.file_unwritable(f"cannot write {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    return kept


def next_out(reading: Reading) -> Kept | None:
    """Return the batch that is out already, else the next one; None where nothing is to be read."""
    now = reading.workspace.now()
    out = (one for one in kept_batches.every(reading.workspace.store, reading.agent) if kept_batches.is_out(one, now))
    return next(out, None) or reading.next_batch()


def read(reading: Reading, place: Path) -> Kept:
    """Return the batch that an answer in a file is to, with what the checks decided on each operation.

    The answer is one JSON object, as the batch says, with the `id` of the batch. Raises ClawgitError for one that is no
    answer, is to another batch, or comes too late.
    """
    try:
        data = place.read_bytes()
    except OSError as exc:
        raise errors.file_unreadable(f"cannot read {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    if len(data) > _LARGEST:
        raise errors.file_too_large(f"{place} is no answer: {len(data):,} bytes", fix=Advice("name another file"))
    return checked(reading, data.decode("utf-8", "replace"), f"{place}: ")


def checked(reading: Reading, said: str, where: str = "") -> Kept:
    """Return the batch that an answer in JSON is to, as `read` does; `where` it stands opens what is said of it."""
    answer = operations.parse(said, reading.agent)
    if isinstance(answer, str):
        raise errors.answer_invalid(f"{where}{answer}", fix=Advice("answer as the key `answer` of the batch says"))
    kept = _meant(reading, _id(said))
    if kept.decided is not None:
        raise errors.batch_answered(
            f"batch {kept.batch.id} was answered already, and lands next",
            fix=Command("clawgit run {} --apply", reading.agent),
        )
    if kept_batches.read_since(reading.workspace, kept, reading.unread):
        waiting_batches.drop(reading.workspace.store, kept.batch.id)
        raise errors.batch_outdated(f"the turns of batch {kept.batch.id} have been read since", fix=_again(reading))
    return reading.decide(kept, answer, keep=False)


def land(reading: Reading, kept: Kept) -> Landed:
    """Land what was decided on an answer; it is kept first, so that a kill loses nothing."""
    kept_batches.save(reading.workspace.store, kept)
    return reading.lander.land(kept)


def _meant(reading: Reading, name: str) -> Kept:
    """Return the batch that an answer names; the only one that is out where it names none."""
    store, agent = reading.workspace.store, reading.agent
    if name:
        if note := waiting_batches.was_done(store, name):
            words = f"batch {name} was answered on {str(note.get('at', ''))[:16].replace('T', ' ')}"
            raise errors.batch_answered(words, fix=_again(reading, "or take its run back: clawgit undo --run"))
        kept = kept_batches.load(store, name)
        if kept is None:
            raise errors.batch_unknown(f"no batch {name} waits for an answer here", fix=_again(reading))
        if kept.batch.agent != agent:
            raise errors.batch_unknown(
                f"batch {name} is of {kept.batch.agent}", fix=Advice(f"clawgit run {kept.batch.agent} --answer FILE")
            )
        return kept
    out = [one for one in kept_batches.every(store, agent) if one.out]
    if len(out) == 1:
        return out[0]
    words = f"several batches wait: {', '.join(one.batch.id for one in out)}" if out else "no batch waits for an answer"
    raise errors.batch_unknown(words, fix=Advice('give the answer the "id" of its batch') if out else _again(reading))


def _id(said: str) -> str:
    for value in json_answer.values(said):
        if isinstance(value, dict) and isinstance(value.get("operations"), list):
            name: Any = value.get("id")
            return name if isinstance(name, str) else ""
    return ""


def _again(reading: Reading, note: str = "") -> Command:
    return Command("clawgit run {} --export batch.json", reading.agent, note=note)
