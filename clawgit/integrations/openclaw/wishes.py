"""What OpenClaw's configuration should say."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clawgit.errors import quoted
from clawgit.integrations.openclaw.part import Name
from clawgit.integrations.openclaw.target import Target

_SPEAKS = (2026, 4, 0)
"""Since when OpenClaw knows the key `mcp`; before, it refuses to start with it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A value that `keys` should lead to; it is not put there for the reason in `unfit`, if there is one.

    `command` has OpenClaw put it there itself; `fix` takes the reason away.
    """

    part: Name
    keys: tuple[str, ...]
    value: Any
    command: str
    unfit: str = ""
    fix: str = ""

    @property
    def read(self) -> Any:
        """The value as OpenClaw reads it."""
        return json.loads(json.dumps(self.value).replace("$${", "${"))

    @property
    def snippet(self) -> str:
        """The value as it would stand in an empty configuration, on one line."""
        value = self.value
        for key in reversed(self.keys):
            value = {key: value}
        return json.dumps(value, ensure_ascii=False)


def wishes(target: Target) -> tuple[Wish, ...]:
    """Return what the hook and the MCP server need; the hook as `openclaw hooks enable` sets it."""
    hook, server = ("hooks", "internal"), ("mcp", "servers")
    enable = f"openclaw hooks enable {target.name}"
    spoken = _server(target)
    say = f"openclaw mcp set {target.name} {quoted(json.dumps(spoken, ensure_ascii=False))}"
    unfit, fix = next(_unfit(target, say), ("", ""))
    return (
        Wish("hook setting", (*hook, "enabled"), True, enable),  # noqa: FBT003
        Wish("hook setting", (*hook, "entries", target.name), {"enabled": True}, enable),
        Wish("mcp server", (*server, target.name), spoken, say, unfit, fix),
    )


def _server(target: Target) -> Mapping[str, Any]:
    words = ("-C", str(target.root), "mcp")
    return {"command": _plain(str(target.program)), "args": [_plain(word) for word in words]}


def _plain(word: str) -> str:
    """Return a word as the configuration takes it letter for letter: `${NAME}` would be a variable."""
    return word.replace("${", "$${")


def _unfit(target: Target, say: str) -> Iterator[tuple[str, str]]:
    host, known = target.host, target.host.version
    if not target.speaks:
        yield "the package mcp is not installed", "pip install 'clawgit[mcp]'"
    if host.config.at("mcp") is None and (known is None or known.number < _SPEAKS):
        what = f"version {known.text}" if known else "this OpenClaw, of a version that nothing tells,"
        yield f"{what} may not know MCP servers, and would refuse its configuration", say
    if len(host.agents) > len(target.agents):
        yield "OpenClaw shows an MCP server to all its agents, also to those of other workspaces", say
