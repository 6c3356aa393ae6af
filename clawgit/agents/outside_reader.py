"""Batches for a reader of one's own, and answers."""

import json
from pathlib import Path

from clawgit import errors
from clawgit.agents import reading_landing
from clawgit.agents.reading_landing import Kept, Outcome
from clawgit.agents.reading_run import Reading, settle
from clawgit.errors import Advice, Command
from clawgit.git import regular_file
from clawgit.reading import operations, prompt

SCHEMA = 2


def export(reading: Reading, place: Path) -> Kept | None:
    """Write the next batch to a file that its owner alone can read, and return it; None if nothing is unread.

    A batch that is out already comes again. `instructions` and `material` are the prompt for a model; `turns` are the
    turns in it by themselves; `answer` is the schema of the answer. Raises ClawgitError if the file cannot be written.
    """
    next_reading = reading.next_batch()
    if next_reading is None:
        return None
    rules, _ = prompt.write_rules(reading.workspace, next_reading.batch.roles)
    document = {
        "id": next_reading.batch.id,
        "schema": SCHEMA,
        "agent": reading.agent,
        "instructions": rules,
        "material": prompt.write_material(reading.workspace, next_reading.batch),
        "turns": [
            {"n": turn.n, "time": turn.time, "by": turn.by, "asked": turn.asked, "text": turn.text}
            for turn in next_reading.batch.turns
        ],
        "answer": operations.make_schema(next_reading.batch.roles),
    }
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    try:
        regular_file.replace_state(place, text.encode("utf-8", "replace"), durable=True)
    except OSError as exc:
        raise errors.file_unwritable(f"cannot write {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    return next_reading


def read_file(reading: Reading, place: Path) -> Kept:
    """Return the batch that a file answers, decided.

    The answer is one JSON object in the form given in the batch, with the `id` of the batch. Raises ClawgitError for
    one that is no answer, or is to another batch.
    """
    try:
        data = place.read_bytes()
    except OSError as exc:
        raise errors.file_unreadable(f"cannot read {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    answer = operations.parse(data.decode("utf-8", "replace"), reading.roles)
    if isinstance(answer, str):
        raise errors.answer_invalid(f"{place}: {answer}", fix=Advice("answer as the key `answer` of the batch says"))
    record = reading_landing.load_all(reading.workspace.store).get(answer.id)
    if record is None or record.batch.agent != reading.agent:
        words = f"no batch {answer.id} waits for an answer here" if answer.id else 'the answer has no "id" of a batch'
        raise errors.batch_unknown(words, fix=Command("clawgit run {} --export batch.json", reading.agent))
    if record.decided is not None:
        words = f"batch {record.batch.id} was answered already, and lands next"
        raise errors.batch_answered(words, fix=Command("clawgit run {} --apply", reading.agent))
    return reading.decide(record, answer)


def land(reading: Reading, record: Kept) -> Outcome:
    """Land the decisions on an answer; they are kept first, so that a kill loses nothing."""
    reading_landing.save(reading.workspace.store, record)
    outcome = Outcome(reading.agent)
    reading.lander.land(record, outcome)
    settle(reading.workspace, outcome)
    return outcome
