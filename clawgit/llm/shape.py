"""Says what shape an answer must have, and checks it."""

import importlib.util
import json
from typing import TYPE_CHECKING, Any

from clawgit.llm import loose
from clawgit.llm.model import ModelError, Shape
from clawgit.llm.words import plain

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

GET = "pip install 'clawgit[llm]'"
_MOST = 8
_WORDS = 120
_DROPPED = ("title", "default", "examples")


def required() -> None:
    """Raise ModelError where pydantic is missing, without loading it."""
    if importlib.util.find_spec("pydantic") is None:
        raise ModelError("a model's answers are checked with pydantic, which is not installed", fix=GET)


def schema(shape: "type[BaseModel]") -> dict[str, Any]:
    """Return the JSON schema of a shape, as strictly as endpoints want it: every field is given, and no other."""
    found: dict[str, Any] = _strict(shape.model_json_schema())
    return found


def strict(found: dict[str, Any]) -> bool:
    """Tell whether endpoints can hold to a schema: none of its objects takes fields of any name."""
    return not _open(found)


def _strict(node: Any, *, names: bool = False) -> Any:
    """Return a schema made strict; `names`: the keys of `node` are names of fields, not words of JSON schema."""
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _strict(value, names=not names and key in ("properties", "$defs"))
        for key, value in node.items()
        if names or key not in _DROPPED
    }
    if not names and kept.get("type") == "object" and "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


def _open(node: Any) -> bool:
    if isinstance(node, list):
        return any(map(_open, node))
    if not isinstance(node, dict):
        return False
    free = node.get("type") == "object" and node.get("additionalProperties") is not False
    return free or any(map(_open, node.values()))


def instruction(found: dict[str, Any]) -> str:
    """Return the words that ask for an answer of this schema, for whoever heeds nothing else."""
    words = json.dumps(found, ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{words}"


def fitting(text: str, shape: type[Shape]) -> Shape | str:
    """Return the longest value in a text that has the shape, else what is wrong with it, for the model to read.

    What is wrong names fields and repeats no values.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - an extra, and slow to load

    problem = ""
    for value in loose.values(text):
        try:
            return shape.model_validate(value)
        except ValidationError as exc:
            problem = problem or _problem(exc)
    return problem or "there is no whole JSON object in it"


def _problem(exc: "ValidationError") -> str:
    every = exc.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(map(str, one['loc'])) or 'the whole'}: {one['msg']}" for one in every[:_MOST]]
    more = [f"and {len(every) - _MOST} more"] if len(every) > _MOST else []
    return "; ".join([plain(one, _WORDS) for one in said] + more)


def known(text: str, shape: type[Shape]) -> Shape | None:
    """Return what was kept as JSON, None where it has the shape no longer."""
    try:
        return shape.model_validate_json(text)
    except ValueError:
        return None
