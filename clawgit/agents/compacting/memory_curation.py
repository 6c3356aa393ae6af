"""Has a voice order what a memory file can spare."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from clawgit.agents.compacting.memory_pieces import Piece
from clawgit.agents.line_claims import Say
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety.redaction import redacted
from clawgit.text import document
from clawgit.workspace.commit_message import one_line, shorten

_ANSWER_TOKENS, _MAX_PARTS = 4_000, 150
_SHOWN, _SHOWN_LABEL = 400, 160
RULES = """\
The memory file of an agent is too long for its prompt. You read its parts: a number, the title, the lines, how they
begin. Name those that may leave for files of their own, in the order in which they may, first what will be needed
least: what is over, worked out, the state of one day, or only read up on now and then. Leave out what every talk needs:
who the operator is, how he wants the agent to behave, what the agent may not do, what he works on now, decisions that
stand. The first line of what you read says how many lines have to go: where the parts that you name have fewer, others
go that nobody chose. Answer with one JSON object and nothing else:
{"order": [3, 1]}"""


class Ordered(NamedTuple):
    """First lines of parts in the order in which they may leave; with `note`, and none, where the voice failed."""

    lines: tuple[int, ...] = ()
    note: str = ""


def order(text: str, some: Sequence[Piece], wanted: int, say: Say) -> Ordered:
    """Return the order in which a voice would have parts leave, of which `wanted` lines have to go."""
    rows = document.split(text)
    some = some[:_MAX_PARTS]
    shown = (_shown(number, one, rows) for number, one in enumerate(some, 1))
    try:
        said = say(RULES, "\n".join((f"at least {wanted} of {len(rows)} lines", *shown)), _ANSWER_TOKENS)
    except ModelError as exc:
        return Ordered(note=f"the voice gave no answer on what may leave the memory file: {exc.message}")
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    numbers: list[Any] = next((value["order"] for value in values if isinstance(value.get("order"), list)), [])
    named = [number for number in numbers if isinstance(number, int) and 1 <= number <= len(some)]
    return Ordered(tuple(dict.fromkeys(some[number - 1].start for number in named)))


def _shown(number: int, one: Piece, rows: Sequence[str]) -> str:
    title = f"{one.top}: {one.title}" if one.within and one.title not in (one.top, one.within) else one.title
    body = one_line("".join(rows[one.start - one.label : one.end]))
    begins = redacted(shorten(body, _SHOWN_LABEL if one.label else _SHOWN))
    return f"{number} {title} ({one.end - one.start + one.label} lines): {begins}"
