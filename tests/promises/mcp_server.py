"""The MCP server as a process."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.promises.desk import COMMAND

HELLO = {
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


class Server:
    """The MCP server of a workspace as a process: spoken to in lines, over stdio."""

    def __init__(self, root: Path, *options: str, state: Path | None = None) -> None:
        environ = os.environ | ({"OPENCLAW_STATE_DIR": str(state)} if state else {})
        command = [COMMAND, "-C", str(root), "mcp", *options]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environ, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.ask(HELLO)

    def ask(self, message: dict[str, Any]) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, **message}) + "\n")
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, fields: dict[str, Any], requester: Any = None) -> str:
        """Return the whole answer of a tool, as it came."""
        arguments = fields if requester is None else {**fields, "requester": requester}
        return json.dumps(self.ask({"method": "tools/call", "params": {"name": tool, "arguments": arguments}}))

    def end(self) -> None:
        with self.process:
            self.process.kill()
