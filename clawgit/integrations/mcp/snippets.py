"""What a client's configuration says to start the server."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Client = Literal["openclaw", "claude", "cursor"]

WHERE: Mapping[Client, str] = {
    "openclaw": "~/.openclaw/openclaw.json",
    "claude": "claude_desktop_config.json, or .mcp.json of a project",
    "cursor": "~/.cursor/mcp.json",
}
"""The file that the snippet belongs to."""


def snippet(client: Client, program: Path, workspace: Path, *, read_only: bool) -> Mapping[str, object]:
    """Return the part of a client's configuration that starts the server for a workspace."""
    words: Sequence[str] = ["-C", str(workspace), "mcp", *(["--read-only"] if read_only else [])]
    server = {"command": str(program), "args": words}
    if client == "openclaw":
        return {"mcp": {"servers": {"clawgit": server}}}
    return {"mcpServers": {"clawgit": {"type": "stdio", **server} if client == "cursor" else server}}
