"""Answers what is no message of the protocol."""

import json
from typing import Any

from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_SHOWN = 200


def refusal(error: Exception) -> SessionMessage | None:
    """Return the answer to a line that could not be read; None for one that is empty, or itself an answer.

    JSON-RPC 2.0, §5.1: -32700 for what is no JSON, -32600 for what is no request, with its id if that can be told.
    """
    found: list[Any] = [*error.errors()] if isinstance(error, ValidationError) else []
    first = found[0] if found else {}
    broken = first.get("type") == "json_invalid"
    given = (
        first.get("input") if broken else next((one["input"] for one in found if isinstance(one["input"], dict)), None)
    )
    if isinstance(given, str):
        if not given.strip():
            return None
        given = _lenient(given)
    if isinstance(given, dict) and "method" not in given and ("result" in given or "error" in given):
        return None
    name = given.get("id") if isinstance(given, dict) else None
    number = name if isinstance(name, str) or (isinstance(name, int) and not isinstance(name, bool)) else None
    words = str(first.get("msg") or error)[:_SHOWN]
    why = ErrorData(code=PARSE_ERROR, message=words) if broken else ErrorData(code=INVALID_REQUEST, message=words)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=_sound(number), error=why))


def _lenient(line: str) -> object:
    """Return what Python's reader makes of a line, which takes half a character for one, else None."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _sound(name: str | int | None) -> str | int | None:
    """Return an id that can be written as UTF-8, else None."""
    return None if isinstance(name, str) and name.encode("utf-8", "replace").decode() != name else name
