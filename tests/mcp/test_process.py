"""The server as a process: the SDK's own client over stdio, and clients that do not behave."""

import ctypes
import fcntl
import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.promises.mcp_server import HELLO

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
PATIENT = """
import sys
from clawgit.cli.main import main
from clawgit.git import transaction
transaction.write.__kwdefaults__["patience"] = float(sys.argv.pop(1))
sys.exit(main())
"""
SYS_TGKILL = {"x86_64": 234, "aarch64": 131}
LONG = 60  # seconds in which a busy machine does anything


class Raw:
    """The server at the other end of two pipes, spoken to in lines."""

    def __init__(self, space: Path, patience: float | None = None) -> None:
        program = [PROGRAM] if patience is None else [sys.executable, "-c", PATIENT, str(patience)]
        command = [*program, "-C", str(space), "mcp"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)
        self.answer(self.ask(HELLO))
        self.say({"method": "notifications/initialized"})

    def say(self, message: dict[str, Any] | str) -> None:
        assert self.process.stdin
        text = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        self.process.stdin.write(text + "\n")

    def ask(self, message: dict[str, Any], number: int = 1) -> int:
        self.say({"id": number, **message})
        return number

    def call(self, tool: str, number: int = 2, /, **arguments: Any) -> int:
        return self.ask({"method": "tools/call", "params": {"name": tool, "arguments": arguments}}, number)

    def answer(self, number: int) -> dict[str, Any]:
        """Return the next answer, which must be that to `number`: nothing else stands on stdout."""
        assert self.process.stdout
        reply = json.loads(self.process.stdout.readline())
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", number)
        return dict(reply["result"])


@pytest.fixture
def raw(space: Path) -> Iterator[Callable[..., Raw]]:
    processes: list[Raw] = []

    def start(patience: float | None = None) -> Raw:
        """Start a server that waits so many seconds for a lock to write."""
        processes.append(Raw(space, patience))
        return processes[-1]

    yield start
    for process in processes:
        process.process.kill()
        for stream in (process.process.stdin, process.process.stdout, process.process.stderr):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        process.process.wait()


@contextmanager
def locked(space: Path) -> Iterator[None]:
    """Hold the lock that every write takes."""
    place = space / ".git/clawgit/lock"
    handle = os.open(place, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def test_the_sdks_client_gets_its_answers_over_stdio(space: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name.startswith(("XDG_", "GIT_", "HOME"))}
    server = StdioServerParameters(command=PROGRAM, args=["-C", str(space), "mcp"], env=environment)

    async def run() -> None:
        async with Client(stdio_client(server)) as client:
            addition = await client.call_tool("memory_add", {"text": "The tea is green."})
            assert addition.structured_content["commit"]
            answer = await client.call_tool("memory_search", {"query": "tea"})
            assert answer.structured_content["results"][0]["path"] == "MEMORY.md"
            refusal = await client.call_tool("memory_get", {"path": "../x"})
            assert refusal.is_error

    anyio.run(run)


def test_nothing_but_the_protocol_is_on_stdout(raw: Callable[..., Raw], space: Path, git: Callable) -> None:
    """Also when others wrote meanwhile, which a command would tell of."""
    server = raw()
    (space / "MEMORY.md").write_text("# Memory\n\n- Written by hand.\n")
    assert not server.answer(server.call("memory_add", text="The tea is green."))["isError"]
    server.say({"method": "notifications/nothing"})
    assert server.answer(server.call("memory_search", 3, query="tea"))["structuredContent"]["results"]
    output, err = server.process.communicate(timeout=LONG)
    assert (server.process.returncode, output) == (0, "")
    assert "Traceback" not in err
    assert git("status", "--porcelain") == ""


def test_a_locked_workspace_is_said_after_a_while_and_keeps_no_reader_waiting(
    raw: Callable[..., Raw], space: Path
) -> None:
    server = raw(0.5)
    with locked(space):
        server.call("memory_add", 2, text="The tea is green.")
        server.call("memory_search", 3, query="tea")
        assert server.answer(3)["structuredContent"]["results"] == []
        busy = server.answer(2)
    assert busy["isError"]
    assert busy["structuredContent"]["error"].startswith("another clawgit process is writing")
    assert busy["structuredContent"]["fix"]
    assert not server.answer(server.call("memory_add", 4, text="The tea is green."))["isError"]


def test_a_client_that_stops_reading_and_vanishes_takes_the_server_along(raw: Callable[..., Raw], space: Path) -> None:
    """Its pipe is full of answers then."""
    (space / "MEMORY.md").write_text("# Memory\n\n- " + "word " * 9_000 + "\n")
    server = raw()
    assert server.process.stdin
    for number in range(2, 22):
        server.call("memory_get", number, path="MEMORY.md")
    server.process.stdin.close()
    server.process.wait(LONG)


def test_a_signal_ends_it_whichever_thread_gets_it(raw: Callable[..., Raw]) -> None:
    """The main thread waits for messages, and no signal of another thread wakes it by itself."""
    server = raw()
    server.answer(server.call("memory_search", query="tea"))
    process = server.process.pid
    # Numbers begin anew at the highest: a thread's may be below that of its process.
    other = next(int(task.name) for task in Path(f"/proc/{process}/task").iterdir() if int(task.name) != process)
    assert not ctypes.CDLL(None, use_errno=True).syscall(SYS_TGKILL[platform.machine()], process, other, signal.SIGTERM)
    assert server.process.wait(LONG) == 128 + signal.SIGTERM


MALFORMED = (
    "hello",
    '{"jsonrpc": "2.0", "id": 5, "method": "tools/li',
    '{"jsonrpc": "2.0", "id": "\\ud83d", "method": "ping"}',  # half a character in its id
    "[" * 100_000,
    '{"id": 7}',
    "[]",
    "",
)


def test_what_is_no_message_is_survived_and_half_of_an_emoji_gets_an_answer(raw: Callable[..., Raw]) -> None:
    server = raw()
    for line in MALFORMED:
        server.say(line)
        assert server.answer(server.ask({"method": "ping"}, 9)) == {}, line[:60]
    assert "content" in server.answer(server.call("memory_search", query="cut \ud83e"))
    server.say('{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": {"a": "\\ud83d"}}')
    assert server.answer(5) == {}
