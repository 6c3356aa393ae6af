"""A conversation of OpenClaw's agent, written down as OpenClaw does it while it goes on."""

import json
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

KEY = "agent:main:main"


class AgentSession:
    """A transcript in OpenClaw's folder, to which each call adds what was said or done just now.

    `grown` tells that it holds more than was last imported.
    """

    def __init__(self, home: Path, name: str) -> None:
        self.workspace = home / ".openclaw/workspace"
        folder = home / ".openclaw/agents/main/sessions"
        folder.mkdir(parents=True, exist_ok=True)
        self.id = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
        self.place = folder / f"{self.id}.jsonl"
        self.grown = True
        self._number, self._parent = 0, None
        head = {"type": "session", "version": 3, "id": self.id, "timestamp": _iso(), "cwd": str(self.workspace)}
        self.place.write_text(json.dumps(head) + "\n", "utf-8")
        paths = {KEY: {"sessionId": self.id, "updatedAt": int(time.time() * 1000), "chatType": "direct"}}
        (folder / "sessions.json").write_text(json.dumps(paths), "utf-8")

    def hear(self, text: str) -> None:
        """Let the owner say something."""
        self._message({"role": "user", "content": [_text(text)], "provenance": {"kind": "external_user"}})

    def answer(self, text: str) -> None:
        """Let the agent end its turn."""
        self._assistant([_text(text)], "stop")

    def read(self, path: str, text: str, offset: int = 0, limit: int = 0) -> None:
        """Read a file whose text this is: all of it, or `limit` lines from line `offset` on."""
        arguments: dict[str, Any] = {"path": path}
        if limit:
            arguments |= {"offset": offset, "limit": limit}
            rows = text.split("\n")
            left = len(rows) - (offset - 1 + limit)
            text = "\n".join(rows[offset - 1 : offset - 1 + limit])
            text += f"\n\n[{left} more lines in file. Use offset={offset + limit} to continue.]" if left > 0 else ""
        self._call("read", arguments, text)

    def write(self, path: str, text: str) -> None:
        """Write a file whole. Nothing is written here: whoever calls this does that."""
        result = f"Successfully wrote {len(text)} bytes to {path}"
        self._call("write", {"path": path, "content": text}, result)

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text in a file."""
        result = f"Successfully replaced 1 block(s) in {path}."
        self._call("edit", {"path": path, "edits": [{"oldText": old, "newText": new}]}, result)

    def run(self, command: str) -> None:
        """Run a command in a shell."""
        self._call("exec", {"command": command}, "(no output)")

    def _call(self, tool: str, arguments: dict[str, Any], result: str) -> None:
        name = f"call_{self._number}"
        self._assistant([{"type": "toolCall", "id": name, "name": tool, "arguments": arguments}], "toolUse")
        content = [_text(result)]
        self._message(
            {"role": "toolResult", "toolCallId": name, "toolName": tool, "content": content, "isError": False}
        )

    def _assistant(self, content: list[dict[str, Any]], reason: str) -> None:
        usage = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2}
        known_rows = {"api": "a", "provider": "p", "model": "m", "stopReason": reason, "usage": usage}
        self._message({"role": "assistant", "content": content, **known_rows})

    def _message(self, message: dict[str, Any]) -> None:
        name = f"{self._number:08x}"
        entry = {"type": "message", "id": name, "parentId": self._parent, "timestamp": _iso()}
        entry["message"] = {**message, "timestamp": int(time.time() * 1000)}
        with self.place.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        self._number, self._parent, self.grown = self._number + 1, name, True


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _iso() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
