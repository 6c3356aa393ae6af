"""An answer, its operations, and their verdicts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct, field

from clawgit.llm import json_answer

Act = Literal["add", "replace", "merge", "retire", "correct", "soul", "lesson", "conflict"]
Tag = Literal["decision", "event", "knowledge", "skill"]
TAGS: tuple[Tag, ...] = get_args(Tag)
State = Literal["landed", "waits", "refused"]

OPERATIONS: Mapping[str, tuple[Act, ...]] = {
    "memory-miner": ("add", "replace", "merge", "retire", "correct", "lesson"),
    "soul-keeper": ("soul", "lesson"),
    "recall-validator": ("correct",),
    "conflict-detector": ("conflict", "merge"),
}
"""What each agent may propose."""
_MOST = 200
_LONGEST = 2_000
_NAMED = 3


class Operation(Struct, frozen=True):
    """One thing that a reader proposes.

    `turns` are the turns that bear it out, `context` an earlier turn that words may come from. `entries` are the
    entries that it replaces, merges, retires or corrects. `text` is the new line ("" to retire), `tag` and `section`
    are where it goes; a `detail` goes to the file of its topic; `due` is a day in ISO 8601 for plans. A correction has
    `wrong` and `right`. A change of the soul has its `file`, the number of the `line` that it replaces (0 to add), and
    whether the line goes (`text` ""). A conflict names two entries that cannot both hold, the words in which each
    `differs`, and where the operator says so the id of the one that `holds`.
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
    differs: tuple[str, ...] = ()
    holds: str = ""


class Answer(Struct, frozen=True):
    """What a reader says to a batch: operations, and of turns that must have one but have none, the reason.

    `problems` are sentences on operations that could not be read; they count as refused.
    """

    operations: tuple[Operation, ...] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """What became of an operation: `why` is a sentence that a reader can act on; `commit` where it landed."""

    operation: Operation
    state: State
    why: str = ""
    commit: str = ""
    proposal: str = ""


def schema(agent: str) -> dict[str, Any]:
    """Return the JSON schema of an answer of this agent."""
    text = {"type": "string", "maxLength": _LONGEST}
    number = {"type": "integer", "minimum": 1}
    operation = {
        "type": "object",
        "required": ["act", "turns"],
        "additionalProperties": False,
        "properties": {
            "act": {"enum": list(OPERATIONS[agent])},
            "turns": {"type": "array", "items": number},
            "context": {"type": ["integer", "null"]},
            "entries": {"type": "array", "items": {"type": "string"}},
            "text": text,
            "tag": {"enum": list(TAGS)},
            "section": text,
            "due": text,
            "detail": {"type": ["boolean", "null"]},
            "wrong": text,
            "right": text,
            "file": text,
            "line": {"type": "integer", "minimum": 0},
            "reason": text,
            "differs": {"type": "array", "items": text},
            "holds": text,
        },
    }
    return {
        "type": "object",
        "required": ["operations"],
        "additionalProperties": False,
        "properties": {
            "operations": {"type": "array", "maxItems": _MOST, "items": operation},
            "reasons": {"type": "object", "additionalProperties": text},
        },
    }


def parse(said: str, *agents: str) -> Answer | str:
    """Return what a reader says for these agents; a sentence on what is wrong where it is no answer at all.

    Prose and fences around the JSON do no harm. An operation that is not as the schema has it is a problem of the
    answer, and takes none of the others with it; an answer of such operations alone is none.
    """
    for value in json_answer.values(said):
        if isinstance(value, dict) and isinstance(value.get("operations"), list):
            answer = _answer(value, acts(*agents))
            return answer if answer.operations or not answer.problems else "; ".join(answer.problems[:_NAMED])
    return "there is no JSON object with a list of operations in it"


def acts(*agents: str) -> tuple[Act, ...]:
    """Return what these agents may propose, each act once."""
    return tuple(dict.fromkeys(act for agent in agents for act in OPERATIONS[agent]))


def _answer(value: Mapping[str, Any], allowed: Sequence[Act]) -> Answer:
    found: list[Operation] = []
    problems: list[str] = []
    for number, one in enumerate(value["operations"][:_MOST], 1):
        try:
            found.append(_operation(one, allowed))
        except (KeyError, TypeError, ValueError) as exc:
            problems.append(f"operation {number}: {exc.args[0] if exc.args else 'is none'}")
    if len(value["operations"]) > _MOST:
        problems.append(f"of {len(value['operations'])} operations only {_MOST} are read")
    said = value.get("reasons")
    pairs: Iterable[tuple[Any, Any]] = said.items() if isinstance(said, dict) else ()
    reasons = {int(n): str(why)[:_LONGEST] for n, why in pairs if str(n).isdecimal() and str(why).strip()}
    return Answer(tuple(found), reasons, tuple(problems))


def _operation(one: Any, allowed: Sequence[Any]) -> Operation:
    if not isinstance(one, dict):
        raise TypeError("is no object")
    act: Any = one.get("act")
    if act not in allowed:
        raise ValueError(f"act is one of {', '.join(allowed)}")
    tag = one.get("tag")
    if tag is not None and tag not in TAGS:
        raise ValueError(f"tag is one of {', '.join(TAGS)}")
    context, line = _only(one.get("context")), _only(one.get("line"))
    return Operation(
        act=act,
        turns=tuple(_numbers(one.get("turns", []))),
        text=_text(one, "text"),
        tag=tag,
        section=_text(one, "section"),
        due=_text(one, "due"),
        detail=one.get("detail") is True,
        entries=tuple(_names(one.get("entries", []))),
        context=None if context is None else _number(context),
        wrong=_text(one, "wrong"),
        right=_text(one, "right"),
        file=_text(one, "file"),
        line=0 if line is None else _number(line),
        reason=_text(one, "reason"),
        differs=tuple(_names(one.get("differs") or [], "differs is a list of two pieces")),
        holds=_text(one, "holds"),
    )


def _text(one: Mapping[str, Any], name: str) -> str:
    said = one.get(name)
    if said is None:
        return ""
    if not isinstance(said, str) or len(said) > _LONGEST:
        raise ValueError(f"{name} is a text of at most {_LONGEST} characters")
    return said.strip()


def _only(said: Any) -> Any:
    """Return what a list of one holds, as models write a single number; None for an empty one."""
    return said if not isinstance(said, list) or len(said) > 1 else next(iter(said), None)


def _number(said: Any) -> int:
    """Return a whole number, which some models write as "1" or 1.0. Raises ValueError."""
    if isinstance(said, str) and said.strip().isdecimal():
        said = int(said)
    if isinstance(said, float) and said.is_integer():
        said = int(said)
    if isinstance(said, bool) or not isinstance(said, int) or said < 0:
        raise ValueError("turns, context and line are whole numbers")
    return said


def _numbers(said: Any) -> Iterable[int]:
    if isinstance(said, str | int | float):
        said = [said]
    if not isinstance(said, list):
        raise TypeError("turns is a list of numbers")
    return (_number(one) for one in said)


def _names(said: Any, wrong: str = "entries is a list of ids") -> Iterable[str]:
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        raise TypeError(wrong)
    return said
