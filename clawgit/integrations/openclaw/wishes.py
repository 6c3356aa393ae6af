"""What OpenClaw's configuration should say."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from clawgit.errors import quoted
from clawgit.integrations.openclaw.part import Name
from clawgit.integrations.openclaw.record import Keys, Record
from clawgit.integrations.openclaw.target import Target

_HOOKS = ("hooks", "internal")
_SPEAKS = (2026, 4, 0)
"""Since when OpenClaw knows the key `mcp`; before, it refuses to start with it."""

_PROFILES = ("minimal", "coding", "messaging")


class Wish(Struct, frozen=True):
    """A value that `keys` should lead to; it is not put there for the reason in `unfit`, if there is one.

    `command` has OpenClaw put it there itself; `fix` takes the reason away.
    """

    part: Name
    keys: Keys
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


def part(keys: Keys) -> Name:
    """Return the part that a value at `keys` is for."""
    names: Mapping[str, Name] = {"hooks": "hook setting", "plugins": "plugin setting"}
    return names.get(keys[0], "mcp server")


def wishes(target: Target, known: Record) -> tuple[Wish, ...]:
    """Return what the way of the target needs, where `known` was put there already."""
    return (_plugin(target),) if target.way == "plugin" else _hook(target, known)


def _plugin(target: Target) -> Wish:
    """Return the entry of the plugin: its switch, and the leave to see the conversation.

    Without `allowConversationAccess` OpenClaw gives a plugin that it does not bring itself neither the prompt of a turn
    nor its end (docs/plugins/hooks.md).
    """
    keys = ("plugins", "entries", target.name)
    value = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    say = f"openclaw config set {'.'.join(keys)} {quoted(json.dumps(value))} --strict-json"
    unfit, fix = next(_kept_out(target), ("", ""))
    return Wish("plugin setting", keys, value, say, unfit, fix)


def _kept_out(target: Target) -> Iterator[tuple[str, str]]:
    """Yield why OpenClaw would not load the plugin, whatever its entry says, and what takes that away."""
    found = target.host.config.table("plugins")
    allowed, denied = found.get("allow"), found.get("deny")
    if found.get("enabled") is False:
        yield "plugins.enabled is false: OpenClaw loads no plugin at all", _set("plugins.enabled", value=True)
    if isinstance(denied, list) and target.name in denied:
        left = [one for one in denied if one != target.name]
        yield "plugins.deny names it", _set("plugins.deny", left)
    if isinstance(allowed, list) and allowed and target.name not in allowed:
        more = [*allowed, target.name]
        yield "plugins.allow names all that OpenClaw loads, and not this", _set("plugins.allow", more)


def tools_hidden(target: Target) -> tuple[str, str]:
    """Return why OpenClaw loads the plugin and shows the agent none of its tools, and what takes that away; else "".

    All profiles but `full` leave out what plugins bring, unless `alsoAllow` names it (docs/gateway/config-tools).
    """
    tools = target.host.config.table("tools")
    allowed, more, profile = tools.get("allow"), tools.get("alsoAllow"), tools.get("profile")
    listed = [one for one in (allowed, more) if isinstance(one, list) and one]
    if any({target.name, "group:plugins", "*"} & set(map(str, one)) for one in listed):
        return "", ""
    if isinstance(allowed, list) and allowed:
        return "tools.allow does not name it: the agent has none of its tools", _set(
            "tools.allow", [*allowed, target.name]
        )
    if profile not in _PROFILES:
        return "", ""
    why = f'tools.profile is "{profile}": the agent has none of its tools'
    return why, _set("tools.alsoAllow", [*(more if isinstance(more, list) else []), target.name])


def _set(key: str, value: Any) -> str:
    said = quoted(json.dumps(value, ensure_ascii=False))
    return f"openclaw config set {key} {said} --strict-json && clawgit openclaw install"


def _hook(target: Target, known: Record) -> tuple[Wish, ...]:
    """Return what the hook and the MCP server need.

    The hook is named as `openclaw hooks enable` names it, save where OpenClaw loads every hook that it finds: there a
    name would keep all others from being loaded.
    """
    hook, server = _HOOKS, ("mcp", "servers")
    enable = f"openclaw hooks enable {target.name}"
    spoken = _server(target)
    say = f"openclaw mcp set {target.name} {quoted(json.dumps(spoken, ensure_ascii=False))}"
    unfit, fix = next(_unfit(target, say), ("", ""))
    named = Wish("hook setting", (*hook, "entries", target.name), {"enabled": True}, enable)
    return (
        Wish("hook setting", (*hook, "enabled"), True, enable),  # noqa: FBT003
        *((named,) if _named(target, known) else ()),
        Wish("mcp server", (*server, target.name), spoken, say, unfit, fix),
    )


def own(target: Target) -> tuple[Keys, ...]:
    """Return where the configuration bears the name of this connection, and nobody else's value."""
    return (*_HOOKS, "entries", target.name), ("mcp", "servers", target.name), ("plugins", "entries", target.name)


def _named(target: Target, known: Record) -> bool:
    """Tell whether OpenClaw loads a hook only if it is named: always, unless it is switched on without any name.

    What `known` put there does not count, so that installing again comes to the same.
    """
    ours, internal = {one.keys for one in known.puts}, target.host.config.table(*_HOOKS)
    if internal.get("enabled") is not True or (*_HOOKS, "enabled") in ours:
        return True
    others = {name for name in target.host.config.table(*_HOOKS, "entries") if (*_HOOKS, "entries", name) not in ours}
    return bool(others or target.host.installed_hooks)


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
    if not target.alone:
        yield "OpenClaw shows an MCP server to all its agents, also to those of other workspaces", say
