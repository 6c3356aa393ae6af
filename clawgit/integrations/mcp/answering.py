"""Turns calls into answers that a client may have."""

import contextlib
import json
import re
import sys
import traceback
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from clawgit.errors import ClawgitError
from clawgit.integrations.mcp.rooms import Document
from clawgit.integrations.mcp.tools import Tool
from clawgit.safety.redaction import redacted

LARGEST = 250_000
"""Characters of an answer: models read no more."""

_NAME = re.compile(r"[0-9a-f]{40}|[k-z]{10}|[\d:T+ .-]{4,32}")


def answer(tool: Tool, document: Document) -> CallToolResult:
    """Return a document as structured content, with its text. Raises ClawgitError for one that is too large."""
    shown = safe(document)
    said = json.dumps(shown, ensure_ascii=False)
    if len(said) > LARGEST:
        raise ClawgitError(
            f"the answer would have {len(said):,} characters; a client gets no more than {LARGEST:,}",
            fix="ask for less: fewer lines, a smaller limit, versions nearer to each other",
        )
    text = str(shown[tool.text]) if tool.text else said
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=shown)


def safe(value: Any) -> Any:
    """Return a value as JSON may hold it; a secret in its words is named instead of shown."""
    if isinstance(value, str):
        return value if _NAME.fullmatch(value) else redacted(value.encode("utf-8", "replace").decode())
    if isinstance(value, Mapping):
        return {str(key): safe(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [safe(one) for one in value]
    return value


def refusal(tool: Tool, given: Mapping[str, Any], exc: Exception) -> CallToolResult:
    """Return an error as its sentence and the way out, in OpenClaw's names where it has some."""
    error = exc if isinstance(exc, ClawgitError) else _mistake(exc)
    document: dict[str, Any] = {"error": error.message, "fix": error.fix}
    if tool.name == "memory_search":
        document |= {"results": [], "disabled": True, "unavailable": True}
        document |= {"warning": error.message, "action": error.fix}
    elif tool.name == "memory_get":
        path = given.get("path")
        document |= {"path": path[:1_000] if isinstance(path, str) else "", "text": "", "disabled": True}
    text = f"{error.message}\nfix: {error.fix}" if error.fix else error.message
    return CallToolResult(
        content=[TextContent(type="text", text=safe(text))], structured_content=safe(document), is_error=True
    )


def _mistake(exc: Exception) -> ClawgitError:
    """Return what nobody expected: its kind for the client, all of it for the log of the server."""
    with contextlib.suppress(OSError):  # nobody may keep a log
        traceback.print_exception(exc, file=sys.stderr)
    words = exc.strerror if isinstance(exc, OSError) and exc.strerror else type(exc).__name__
    return ClawgitError(f"clawgit failed: {words}", fix="clawgit doctor")
