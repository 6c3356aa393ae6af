"""Has a voice choose and order notes."""

from collections.abc import Sequence

from msgspec import Struct

from clawgit.agents.line_claims import Say
from clawgit.agents.promoting.journal_notes import Note
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety.redaction import redacted
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line, shorten

_ANSWER_TOKENS, _MAX_NOTES = 6_000, 60
_MAX_REASON_CHARS, _MAX_NOTE_CHARS = 200, 600
RULES = f"""\
You read notes of the journals of an agent, each with a number and its day. Choose those that are worth keeping for
good: what somebody will need in months, such as decisions and their reasons, agreements, prices, contracts, rights,
people and how they stand to each other, how things are built, what was reached, what is planned, and what was asked to
be kept. Leave out the work, talk and errands of a day, jokes, feelings, what says that something is not decided, and
what is not understood without the journal. Answer with one JSON object and nothing else:
{{"order": [{{"line": 3, "why": "…"}}]}}
The best comes first, at most {_MAX_NOTES}; an empty list is a good answer. "why" is a few words on why it will be
needed."""


class Ordered(Struct, frozen=True):
    """The places of the notes that a voice would keep with its reasons, the best first, and how many notes it read.

    `choices` is None where it gave no answer of use; then `fault` says why.
    """

    choices: dict[int, str] | None = None
    read: int = 0
    fault: str = ""


def order(notes: Sequence[Note], say: Say, tokens: int) -> Ordered:
    """Return what a voice would keep of notes, the first of which come first into one batch of so many tokens."""
    rows: list[str] = []
    room = tokens - count(RULES)
    for number, note in enumerate(notes, 1):
        row = f"{number} {note.day} {_clean(f'{note.entry.text} {note.nested}', _MAX_NOTE_CHARS)}"
        room -= count(row) + 1
        if room < 0:
            break
        rows.append(row)
    try:
        answer = say(RULES, "\n".join(rows), _ANSWER_TOKENS)
    except ModelError as exc:
        return Ordered(fault=f"the voice gave no answer, and the score orders: {exc.message}")
    for value in json_answer.values(answer):
        if isinstance(value, dict) and isinstance(value.get("order"), list):
            return Ordered(_choices(value["order"], len(rows)), len(rows))
    return Ordered(fault="the voice gave no answer of use, and the score orders")


def _choices(rows: Sequence[object], total: int) -> dict[int, str]:
    choices: dict[int, str] = {}
    for row in rows[:_MAX_NOTES]:
        number, why = (row.get("line"), row.get("why")) if isinstance(row, dict) else (None, "")
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= total:
            choices.setdefault(number - 1, _clean(why, _MAX_REASON_CHARS) if isinstance(why, str) else "")
    return choices


def _clean(text: str, most: int) -> str:
    return shorten(one_line(redacted(text)), most)
