"""An answer and its operations."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct, field

from clawgit.llm import json_answer

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
_TEXTS = ("text", "section", "due", "wrong", "right", "file", "reason", "holds")
MAX_OPERATIONS = 200
MAX_TEXT_CHARS = 2_000
_MAX_NAMED_PROBLEMS = 3


class Operation(Struct, frozen=True):
    """One proposal.

    `turns` are its evidence, `context` an earlier turn that words may come from. `entries` are the entries that it
    replaces, merges, retires, corrects, or that contradict each other. `text` is the new line, `tag` and `section` are
    its place; a `detail` goes to the file of its topic; `due` is a day in ISO 8601. A correction has `wrong` and
    `right`. A change of the identity has its `file` and the number of the `line` that it replaces (0 to add). `holds`
    is the id of the entry that wins a conflict.
    """

    act: Act
    turns: tuple[int, ...] = ()
    text: str = ""
    tag: Tag | None = None
    section: str = ""
    due: str = ""
    detail: bool = False
    entries: tuple[str, ...] = ()
    context: int | None = None
    wrong: str = ""
    right: str = ""
    file: str = ""
    line: int = 0
    reason: str = ""
    holds: str = ""


class Answer(Struct, frozen=True):
    """The operations of an answer, and the reasons for asked turns without one, by their number.

    `problems` are sentences on operations that could not be read.
    """

    operations: tuple[Operation, ...] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """What became of an operation: `why` is one sentence; `commit` if it landed, `proposal` if it waits."""

    operation: Operation
    state: State
    why: str = ""
    commit: str = ""
    proposal: str = ""


def list_acts(roles: Iterable[str]) -> tuple[Act, ...]:
    """Return the operations of some agents, each once."""
    return tuple(dict.fromkeys(act for role in roles for act in ROLES[role]))


def find_role(act: Act, roles: Sequence[str]) -> str:
    """Return the agent whose operation it is."""
    return next((role for role in (*roles, *ROLES) if act in ROLES[role]), "memory-miner")


def make_schema(roles: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer."""
    text = {"type": "string", "maxLength": MAX_TEXT_CHARS}
    operation = {
        "type": "object",
        "required": ["act", "turns"],
        "additionalProperties": False,
        "properties": {
            "act": {"enum": list(list_acts(roles))},
            "turns": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "context": {"type": ["integer", "null"]},
            "entries": {"type": "array", "items": {"type": "string"}},
            "tag": {"enum": list(TAGS)},
            "detail": {"type": ["boolean", "null"]},
            "line": {"type": "integer", "minimum": 0},
            **dict.fromkeys(_TEXTS, text),
        },
    }
    return {
        "type": "object",
        "required": ["operations"],
        "additionalProperties": False,
        "properties": {
            "operations": {"type": "array", "maxItems": MAX_OPERATIONS, "items": operation},
            "reasons": {"type": "object", "additionalProperties": text},
        },
    }


def parse(said: str, roles: Sequence[str]) -> Answer | str:
    """Return an answer; a sentence if it is none.

    Prose and fences around the JSON do no harm. An operation that cannot be read is a problem of the answer, and takes
    none of the others with it; an answer of such operations alone is none.
    """
    for value in json_answer.values(said):
        if isinstance(value, dict) and isinstance(value.get("operations"), list):
            answer = _read_answer(value, list_acts(roles))
            if answer.operations or not answer.problems:
                return answer
            return "; ".join(answer.problems[:_MAX_NAMED_PROBLEMS])
    return "there is no JSON object with a list of operations in it"


def _read_answer(value: Mapping[str, Any], acts: Sequence[Act]) -> Answer:
    operations: dict[Operation, None] = {}
    problems: list[str] = []
    for number, row in enumerate(value["operations"][:MAX_OPERATIONS], 1):
        try:
            operations[_read_operation(row, acts)] = None
        except (KeyError, TypeError, ValueError) as exc:
            problems.append(f"operation {number}: {exc.args[0] if exc.args else 'is none'}")
    if len(value["operations"]) > MAX_OPERATIONS:
        problems.append(f"of {len(value['operations'])} operations only {MAX_OPERATIONS} are read")
    given = value.get("reasons")
    pairs: Iterable[tuple[Any, Any]] = given.items() if isinstance(given, dict) else ()
    reasons = {int(n): str(why)[:MAX_TEXT_CHARS] for n, why in pairs if str(n).isdecimal() and str(why).strip()}
    return Answer(tuple(operations), reasons, tuple(problems))


def _read_operation(row: Any, acts: Sequence[Any]) -> Operation:
    if not isinstance(row, dict):
        raise TypeError("is no object")
    act: Any = row.get("act")
    tag: Any = row.get("tag")
    if act not in acts:
        raise ValueError(f"act is one of {', '.join(acts)}")
    if tag is not None and tag not in TAGS:
        raise ValueError(f"tag is one of {', '.join(TAGS)}")
    context, line = _unwrap(row.get("context")), _unwrap(row.get("line"))
    return Operation(
        act=act,
        turns=tuple(_read_numbers(row.get("turns", []))),
        tag=tag,
        detail=row.get("detail") is True,
        entries=tuple(_read_names(row.get("entries") or [])),
        context=None if context is None else _read_number(context),
        line=0 if line is None else _read_number(line),
        **{name: _read_text(row, name) for name in _TEXTS},
    )


def _read_text(row: Mapping[str, Any], name: str) -> str:
    text = row.get(name)
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > MAX_TEXT_CHARS:
        raise ValueError(f"{name} is a text of at most {MAX_TEXT_CHARS} characters")
    return text.strip()


def _unwrap(value: Any) -> Any:
    """Return what a list of one holds, as models write a single number; None for an empty one."""
    return value if not isinstance(value, list) or len(value) > 1 else next(iter(value), None)


def _read_number(value: Any) -> int:
    """Return a whole number, which some models write as "1" or 1.0. Raises ValueError."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("turns, context and line are whole numbers")
    return value


def _read_numbers(value: Any) -> Iterable[int]:
    if isinstance(value, str | int | float):
        value = [value]
    if not isinstance(value, list):
        raise TypeError("turns is a list of numbers")
    return (_read_number(number) for number in value)


def _read_names(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError("entries is a list of ids")
    return value
