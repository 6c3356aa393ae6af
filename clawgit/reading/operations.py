"""A batch of turns, and the operations of its answer."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, field, to_builtins

from clawgit.llm import asking
from clawgit.memory.in_force import Rule
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import fold_spaces

Act = Literal["add", "replace", "merge", "retire", "correct", "soul", "lesson", "conflict"]
Tag = Literal["decision", "event", "knowledge", "skill"]
TAGS: tuple[Tag, ...] = get_args(Tag)
State = Literal["landed", "waits", "refused"]

ROLES: Mapping[str, tuple[Act, ...]] = {
    "memory-miner": ("add", "replace", "merge", "retire", "correct", "lesson"),
    "soul-keeper": ("soul", "lesson"),
    "recall-validator": ("correct",),
    "conflict-detector": ("conflict", "merge"),
}
"""The operations of each agent."""
_SINGLE = ("context", "line")
MAX_OPERATIONS = 200
MAX_TEXT_CHARS = 2_000
_MAX_NAMED_PROBLEMS = 3
Number = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(max_length=MAX_TEXT_CHARS)]


class Operation(Struct, frozen=True):
    """One proposal.

    `turns` are its evidence, `context` an earlier turn that words may come from. `entries` are the entries that it
    replaces, merges, retires, corrects, or that contradict each other. `text` is the new line, `tag` and `section` are
    its place; a `detail` goes to the file of its topic; `due` is a day in ISO 8601. A correction has `wrong` and
    `right`. A change of the identity has its `file` and the number of the `line` that it replaces (0 to add).
    """

    act: Act
    turns: tuple[Number, ...] = ()
    text: Text = ""
    tag: Tag | None = None
    section: Text = ""
    due: Text = ""
    detail: bool = False
    entries: tuple[str, ...] = ()
    context: Number | None = None
    wrong: Text = ""
    right: Text = ""
    file: Text = ""
    line: Number = 0
    reason: Text = ""


class Answer(Struct, frozen=True):
    """The operations of an answer, and the reasons for asked turns without one, by their number.

    `problems` are sentences on operations that could not be read. `id` is the batch that it names, "" for none.
    """

    operations: tuple[Operation, ...] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    id: str = ""


class Verdict(Struct, frozen=True):
    """The outcome of an operation: `why` is one sentence; `commit` if it landed, `proposal` if it waits."""

    operation: Operation
    state: State
    why: str = ""
    commit: str = ""
    proposal: str = ""


def list_acts(roles: Iterable[str]) -> tuple[Act, ...]:
    """Return the operations of some agents, each once."""
    return tuple(dict.fromkeys(act for role in roles for act in ROLES[role]))


def make_schema(roles: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer."""
    _, parts = msgspec.json.schema_components([Operation])
    operation = parts["Operation"]
    acts = {"act": {"enum": list(list_acts(roles))}}
    items = {**operation, "properties": {**operation["properties"], **acts}, "additionalProperties": False}
    reasons = {"type": "object", "additionalProperties": {"type": "string", "maxLength": MAX_TEXT_CHARS}}
    return {
        "type": "object",
        "required": ["operations"],
        "additionalProperties": False,
        "properties": {
            "operations": {"type": "array", "maxItems": MAX_OPERATIONS, "items": items},
            "reasons": reasons,
        },
    }


def parse_answer(answer_text: str, roles: Sequence[str]) -> Answer | str:
    """Return an answer; a sentence if it is none.

    Prose and fences around the JSON do no harm. An operation that cannot be read is a problem of the answer, and takes
    none of the others with it; an answer of such operations alone is none.
    """
    for value in asking.values(answer_text):
        if (rows := _find_rows(value)) is not None:
            answer = _read_answer_rows(value if isinstance(value, dict) else {}, rows, list_acts(roles))
            if answer.operations or not answer.problems:
                return answer
            return "; ".join(answer.problems[:_MAX_NAMED_PROBLEMS])
    return "there is no JSON object with a list of operations in it"


def _find_rows(value: Any) -> list[Any] | None:
    """Return the operations of an object, or of a bare list; None for none."""
    if isinstance(value, dict):
        rows = next((rows for name, rows in value.items() if name.casefold() == "operations"), None)
        return [rows] if isinstance(rows, dict) else rows if isinstance(rows, list) else None
    return value if value and all(isinstance(row, dict) and "act" in row for row in value) else None


def _read_answer_rows(value: Mapping[str, Any], rows: Sequence[Any], acts: Sequence[Act]) -> Answer:
    operations: dict[Operation, None] = {}
    problems: list[str] = []
    for number, row in enumerate(rows[:MAX_OPERATIONS], 1):
        try:
            operations[_read_operation(row, acts)] = None
        except (ValueError, msgspec.ValidationError) as exc:
            problems.append(f"operation {number}: {exc}")
    if len(rows) > MAX_OPERATIONS:
        problems.append(f"of {len(rows)} operations only {MAX_OPERATIONS} are read")
    reason_table = value.get("reasons")
    pairs: Iterable[tuple[Any, Any]] = reason_table.items() if isinstance(reason_table, dict) else ()
    reasons = {
        int(n): _clean(str(reason))[:MAX_TEXT_CHARS]
        for n, reason in pairs
        if str(n).isdecimal() and str(reason).strip()
    }
    name = value.get("id")
    return Answer(tuple(operations), reasons, tuple(problems), name if isinstance(name, str) else "")


def _read_operation(row: Any, acts: Sequence[Act]) -> Operation:
    """Return an operation; a model may write "1" or 1.0 for a number, and a list of one for it or it for a list.

    It may also write `turn 1` or `turn` for the list of turns, and capitals in an act or a tag.
    Raises ValueError.
    """
    if not isinstance(row, dict):
        raise ValueError("is no object")  # noqa: TRY004 - one error for all that is none
    fields = {name: _clean(value) if isinstance(value, str) else value for name, value in row.items()}
    for name in _SINGLE:
        if isinstance(fields.get(name), list) and len(fields[name]) <= 1:
            fields[name] = next(iter(fields[name]), None)
    # Tags have a `#` in the memory file, so models write them with it.
    fields |= {name: str(fields[name]).lstrip("#").casefold() for name in ("act", "tag") if fields.get(name)}
    fields |= {"turns": fields.pop("turn")} if "turn" in fields else {}
    fields |= {"turns": _read_turn_numbers(fields["turns"])} if "turns" in fields else {}
    fields |= {"entries": [fields["entries"]]} if isinstance(fields.get("entries"), str) else {}
    plain = {name: value for name, value in fields.items() if value is not None or name == "turns"}
    operation = msgspec.convert(plain, Operation, strict=False)
    if operation.act not in acts:
        raise ValueError(f"act is one of {', '.join(acts)}")
    return operation


def _clean(text: str) -> str:
    """Return a text without spaces around it, and with a question mark for half a character."""
    return text.strip().encode("utf-8", "replace").decode()


def _read_turn_numbers(value: Any) -> Any:
    """Return the numbers in a value: `[1, "turn 2", 3.0]`; itself where a part has none."""
    parts = value if isinstance(value, list) else [value]
    numbers = [re.findall(r"\d{1,9}", str(part).removesuffix(".0")) for part in parts]
    return [int(digits) for part in numbers for digits in part] if all(numbers) else value


Speaker = Literal["operator", "agent", "tool", "other"]


class Turn(Struct, frozen=True):
    """One turn of a conversation.

    `n` is its number in the batch, from 1; `time` is ISO 8601 with the offset of the workspace, "" if unknown.
    `may_cite`: it is the operator's. `asked`: it is an explicit request, or sounds like a correction. `text` is
    redacted; an operator's turn is whole, others may be cut.
    """

    n: int
    session: str
    time: str
    by: Speaker
    may_cite: bool
    text: str
    event: str = ""
    asked: bool = False

    @property
    def day(self) -> date | None:
        """The day of the turn, None if unknown."""
        try:
            return date.fromisoformat(self.time[:10])
        except ValueError:
            return None


class KnownEntry(Struct, frozen=True):
    """A shown entry of memory: `first` is the day of its first mention, in ISO 8601.

    `front`: it is in the part of the prompt that is the same from reading to reading.
    """

    id: str
    file: str
    section: str
    text: str
    first: str = ""
    front: bool = False


class IdentityLine(Struct, frozen=True):
    """A line of the identity."""

    file: str
    section: str
    line: int
    text: str


class Batch(Struct, frozen=True):
    """The input of one reading.

    `agent` runs, `roles` are the agents whose operations are kept. `turns` are new. `entries` are the shown memories,
    `soul` the lines of the identity, `corrections` the newest ones, `free` the characters left in the memory file.
    """

    agent: str
    roles: tuple[str, ...]
    today: str
    timezone: str
    turns: tuple[Turn, ...]
    entries: tuple[KnownEntry, ...] = ()
    soul: tuple[IdentityLine, ...] = ()
    corrections: tuple[Rule, ...] = ()
    free: int | None = None

    @property
    def id(self) -> str:
        """A hash of its content."""
        # Sorted keys: the same batch has the same id on every machine.
        text = json.dumps(to_builtins(self), ensure_ascii=False, sort_keys=True)
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def asked(self) -> tuple[int, ...]:
        """The turns that need an operation or a reason."""
        return tuple(turn.n for turn in self.turns if turn.asked)

    def turn(self, n: int) -> Turn | None:
        """Return the turn of this number, None without one."""
        return self.turns[n - 1] if 0 < n <= len(self.turns) else None

    def entry(self, name: str) -> KnownEntry | None:
        """Return the entry of this id, None without one."""
        return next((entry for entry in self.entries if entry.id == name), None)


MAX_OTHER_TOKENS, MAX_TOOL_TOKENS = 60, 20
"""Tokens of a turn of the agent's or somebody else's, of a tool's result."""
CUT = "[…]"
_MAX_TOKEN_LETTERS = 12


def cut_line(text: str, max_tokens: int) -> str:
    """Return a turn of somebody else's on one line; of a long one the head, and the end with its question."""
    return cut_middle(fold_spaces(text), max_tokens, f" {CUT} ")


def cut_middle(text: str, max_tokens: int, gap: str = f"\n{CUT}\n") -> str:
    """Return a text whole, or its head and its end with a gap between if it has more than `max_tokens` tokens."""
    tokens = count(text[: max_tokens * _MAX_TOKEN_LETTERS])
    if len(text) <= max_tokens * _MAX_TOKEN_LETTERS and tokens <= max_tokens:
        return text
    letters = max_tokens * _MAX_TOKEN_LETTERS * max_tokens // max(tokens, max_tokens)
    letters = min(letters, len(text) * max_tokens // max(tokens, max_tokens))
    head, end = text[: letters - letters // 3], text[len(text) - letters // 3 :]
    return f"{head.rpartition(' ')[0] or head}{gap}{end.partition(' ')[2] or end}"
