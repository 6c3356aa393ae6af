"""Lets what was asked be answered before the end."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from clawgit.integrations.mcp.malformed import refusal

Streams = tuple[Any, Any]
"""What messages are read from, and what they are written to."""


@asynccontextmanager
async def drained(wire: Streams, seconds: float, at_end: Callable[[], object]) -> AsyncIterator[Streams]:
    """Yield streams that stand for those of `wire`; their end comes when every request has its answer.

    At the latest `seconds` after the real one, for the client may be gone. `at_end` is called when that comes. What is
    no message is answered here.
    """
    read, write = wire
    into, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    saying, said = anyio.create_memory_object_stream[SessionMessage](0)
    asked: set[object] = set()
    ended, answered = anyio.Event(), anyio.Event()

    async def listen() -> None:
        async with into:
            with suppress(anyio.BrokenResourceError):  # the server has ended by itself
                async for message in read:
                    if isinstance(message, Exception):
                        tasks.start_soon(refuse, message)  # by itself: who does not read must not keep us from reading
                        continue
                    if isinstance(message, SessionMessage) and isinstance(message.message, JSONRPCRequest):
                        asked.add(message.message.id)
                    await into.send(message)
            at_end()
            ended.set()
            with anyio.move_on_after(seconds if asked else 0):
                await answered.wait()

    async def refuse(error: Exception) -> None:
        if answer := refusal(error):
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await write.send(answer)

    async def speak() -> None:
        async with write:
            async for message in said:
                await write.send(message)
                asked.discard(getattr(message.message, "id", None))
                if ended.is_set() and not asked:
                    answered.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listen)
        tasks.start_soon(speak)
        yield heard, saying
