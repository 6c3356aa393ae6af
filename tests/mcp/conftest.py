"""A workspace, and a client that asks a server in the same process."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import conftest as managed

OWNER = {
    "session": "agent:main:main",
    "channel": "webchat",
    "to": "agent:main:main",
    "sender": "gateway-client",
    "owner": True,
    "trigger": "user",
}
"""What the plugin says of the operator's own turn in the web chat."""
mould, space = managed.mould, managed.space


@pytest.fixture
def git(space: Path) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=space, capture_output=True, text=True, check=True).stdout

    return run


class Asked:
    """A server for a folder, asked from this process by the SDK's own client, a connection for each question."""

    def __init__(self, folder: Path, *, read_only: bool = False, gateway: bool = False) -> None:
        from clawgit.mcp.mcp_server import build_server  # noqa: PLC0415
        from clawgit.mcp.tool_arguments import Lanes, make_rooms  # noqa: PLC0415

        self.always: dict[str, Any] = {"requester": OWNER} if gateway else {}
        rooms = make_rooms(folder, read_only=read_only, gateway=gateway)
        self.lanes = Lanes(rooms.opened)
        self.server = build_server(rooms, self.lanes)

    def within(self, act: Callable[[Any], Any]) -> Any:
        """Return the result of `act` for a connected client."""
        import anyio  # noqa: PLC0415
        from mcp import Client  # noqa: PLC0415
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415

        async def run() -> Any:
            async with Client(self.server) as client:
                try:
                    return await act(client)
                except MCPError as exc:
                    return exc  # raised in here it would come out as one of a group

        outcome = anyio.run(run)
        if isinstance(outcome, MCPError):
            raise outcome
        return outcome

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its result."""
        arguments = self.always | arguments
        return self.within(lambda client: client.call_tool(tool, arguments))

    def told(self, tool: str, /, **arguments: Any) -> Any:
        result = self(tool, **arguments)
        assert not result.is_error, result.content
        return result.structured_content

    def refused(self, tool: str, /, **arguments: Any) -> str:
        result = self(tool, **arguments)
        assert result.is_error, result.structured_content
        assert "clawgit failed" not in result.content[0].text
        return str(result.content[0].text)

    def end(self) -> None:
        self.lanes._reading.shutdown()
        self.lanes._writing.shutdown()


@pytest.fixture
def serving() -> Iterator[Callable[..., Asked]]:
    """Serve folders until the test ends."""
    clients: list[Asked] = []

    def serve(folder: Path, *, read_only: bool = False, gateway: bool = False) -> Asked:
        clients.append(Asked(folder, read_only=read_only, gateway=gateway))
        return clients[-1]

    yield serve
    for client in clients:
        client.end()


@pytest.fixture
def ask(serving: Callable[..., Asked], space: Path) -> Asked:
    """The server of the workspace."""
    return serving(space)
