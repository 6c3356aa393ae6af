"""Batches for a reader of one's own, and answers."""

import json
from pathlib import Path

from clawgit import errors
from clawgit.agents import kept_readings
from clawgit.agents.kept_readings import Kept
from clawgit.agents.reading_landing import Outcome
from clawgit.agents.reading_run import Reading, settle
from clawgit.errors import Advice, Command
from clawgit.git import regular_file
from clawgit.reading import operations, prompt

SCHEMA = 2


def export(reading: Reading, place: Path) -> Kept | None:
    """Write the next batch to a file that its owner alone can read, and return it; None if nothing is unread.

    A batch that is out already comes again. `instructions` and `material` are the prompt that a model would be given;
    `turns` are the turns in it by themselves; `answer` is the schema of the answer. Raises ClawgitError where the file
    cannot be written.
    """
    kept = reading.next_batch()
    if kept is None:
        return None
    rules, _ = prompt.write_rules(reading.workspace, kept.batch.roles)
    document = {
        "id": kept.batch.id,
        "schema": SCHEMA,
        "agent": reading.agent,
        "instructions": rules,
        "material": prompt.write_material(reading.workspace, kept.batch),
        "turns": [
            {"n": turn.n, "time": turn.time, "by": turn.by, "asked": turn.asked, "text": turn.text}
            for turn in kept.batch.turns
        ],
        "answer": operations.make_schema(kept.batch.roles),
    }
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    try:
        regular_file.replace_state(place, text.encode("utf-8", "replace"), durable=True)
    except OSError as exc:
        raise errors.file_unwritable(f"cannot write {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    return kept


def read_file(reading: Reading, place: Path) -> Kept:
    """Return the batch that an answer in a file is to, decided.

    The answer is one JSON object, as the batch says, with the `id` of the batch. Raises ClawgitError for one that is no
    answer, or is to another batch.
    """
    try:
        data = place.read_bytes()
    except OSError as exc:
        raise errors.file_unreadable(f"cannot read {place}: {exc.strerror}", fix=Advice("name another file")) from exc
    answer = operations.parse(data.decode("utf-8", "replace"), reading.roles)
    if isinstance(answer, str):
        raise errors.answer_invalid(f"{place}: {answer}", fix=Advice("answer as the key `answer` of the batch says"))
    kept = _find_batch(reading, answer.id)
    if kept.decided is not None:
        raise errors.batch_answered(
            f"batch {kept.batch.id} was answered already, and lands next",
            fix=Command("clawgit run {} --apply", reading.agent),
        )
    return reading.decide(kept, answer)


def land(reading: Reading, kept: Kept) -> Outcome:
    """Land what was decided on an answer; it is kept first, so that a kill loses nothing."""
    kept_readings.save(reading.workspace.store, kept)
    found = Outcome(reading.agent)
    reading.lander.land(kept, found)
    settle(reading.workspace, found)
    return found


def _find_batch(reading: Reading, name: str) -> Kept:
    """Return the batch of an agent that an answer names."""
    kept = kept_readings.load_all(reading.workspace.store).get(name)
    if kept is None or kept.batch.agent != reading.agent:
        words = f"no batch {name} waits for an answer here" if name else 'the answer has no "id" of a batch'
        raise errors.batch_unknown(words, fix=Command("clawgit run {} --export batch.json", reading.agent))
    return kept
