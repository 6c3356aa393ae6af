"""What OpenClaw's configuration should say, and what becomes of it."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.integrations.openclaw.config_part import Name
from clawgit.integrations.openclaw.openclaw_target import Keys, Put, Record, Target
from clawgit.workspace.host import openclaw_files as host_files
from clawgit.workspace.host import openclaw_files as host_json
from clawgit.workspace.host.openclaw_files import HostConfig

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
    return _plugin(target) if target.way == "plugin" else _hook(target, known)


_PATHS = ("plugins", "load", "paths")


def _plugin(target: Target) -> tuple[Wish, ...]:
    """Return the entry of the plugin, its switch and the leave to see the conversation, and where it is linked.

    The installer adds to a list that has other paths. Without `allowConversationAccess` OpenClaw gives a plugin that
    it does not bring itself neither the prompt of a turn nor its end (docs/plugins/hooks.md).
    """
    keys = ("plugins", "entries", target.name)
    value = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    say = f"openclaw config set {'.'.join(keys)} {quoted(json.dumps(value))} --strict-json"
    unfit, fix = next(_kept_out(target), ("", ""))
    entry = Wish("plugin setting", keys, value, say, unfit, fix)
    if not target.linked or target.host.config.at(*_PATHS) not in (None, [str(target.plugin)]):
        return (entry,)
    say = f"openclaw config set {'.'.join(_PATHS)} {quoted(json.dumps([str(target.plugin)]))} --strict-json"
    return entry, Wish("plugin setting", _PATHS, [_plain(str(target.plugin))], say, unfit, fix)


def is_loaded(target: Target) -> bool:
    """Return whether OpenClaw is told where a linked plugin is."""
    paths = target.host.config.at(*_PATHS)
    return isinstance(paths, list) and str(target.plugin) in paths


def _kept_out(target: Target) -> Iterator[tuple[str, str]]:
    """Yield why OpenClaw would not load the plugin, whatever its entry says, and what takes that away."""
    found = target.host.config.table("plugins")
    allowed, denied = found.get("allow"), found.get("deny")
    if found.get("enabled") is False:
        yield "plugins.enabled is false: OpenClaw loads no plugin at all", _set("plugins.enabled", value=True)
    if target.linked:
        return  # the installer takes it off the one list and adds it to the other
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
    return f"openclaw config set {key} {said} --strict-json && clawgit connect"


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
    names = (*_HOOKS, "entries", target.name), ("mcp", "servers", target.name), ("plugins", "entries", target.name)
    return (*names, _PATHS) if target.linked else names


def _named(target: Target, known: Record) -> bool:
    """Return whether OpenClaw loads a hook only if it is named: always, unless it is switched on without any name.

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
    if host.config.at("mcp") is None and (known is None or known.number < _SPEAKS):
        what = f"version {known.text}" if known else "this OpenClaw, of a version that nothing tells,"
        yield f"{what} may not know MCP servers, and would refuse its configuration", say
    if not target.alone:
        yield "OpenClaw shows an MCP server to all its agents, also to those of other workspaces", say


_GONE = object()
_LEFT = {"enabled": False}
"""What `openclaw plugins uninstall` leaves of an entry."""


class Rewritten(Struct, frozen=True):
    """The configuration at `place` goes from `before` to `after`; None: no such file, or one that stays as it is.

    `left` are the wishes that are not fulfilled, and why; `kept` the values that are not taken out, since somebody
    changed them.
    """

    place: Path
    before: bytes | None
    after: bytes | None
    record: Record
    left: Mapping[Keys, str] = field(default_factory=dict)
    kept: tuple[Keys, ...] = ()


class ShapeError(Exception):
    """A configuration that cannot be edited safely; the words are the second half of a sentence."""


def written(config: HostConfig, record: Record, wishes: Sequence[Wish]) -> Rewritten:
    """Return the configuration with every wish in it that can be fulfilled; sections without one keep their bytes.

    What an older installation put there goes first, unless it is still wanted.
    """
    place = Path(os.path.realpath(config.path))
    try:
        before = _read(place)
        known = record if record.place == str(place) else Record()
        stays = _standing(before, known, wishes)
        others = replace(known, puts=tuple(one for one in known.puts if one not in stays))
        text, kept = _without(before.decode(), others)
        original, _ = _without(before.decode(), known)
    except ShapeError as exc:
        return _unable(place, wishes, f"{place} {exc}")
    except UnicodeDecodeError:
        return _unable(place, wishes, f"{place} is not UTF-8")
    puts = [*stays, *(one for one in known.puts if one.keys in kept)]
    left: dict[Keys, str] = {}
    for wish in wishes:
        try:
            if _wanted(config, before.decode(), text, wish):
                made = _known(text, wish.keys)
                text = rewrite_sections(text, _joined(_parsed(text), wish.keys, wish.value))
                puts.append(Put(wish.keys, wish.value, made))
        except ShapeError as exc:
            left[wish.keys] = f"{place} {exc}"
    return Rewritten(place, before, text.encode(), Record(str(place), tuple(puts), original=original), left, kept)


def cleared(config: HostConfig, record: Record) -> Rewritten:
    """Return the configuration without what `record` says was put there, to the byte where nobody has set a value."""
    place = Path(record.place or os.path.realpath(config.path))
    try:
        before = _read(place)
        text, kept = _without(before.decode(), record)
    except (ShapeError, UnicodeDecodeError):
        unknown = bool(config.problems)
        held = (one.keys for one in record.puts if unknown or there(value_at(config.values, one.keys)))
        return Rewritten(place, None, None, record, kept=tuple(held))
    return Rewritten(place, before, text.encode(), Record(), kept=kept)


_NOTES = ("meta", "wizard")
"""What OpenClaw writes into its configuration about itself."""


def says_same(text: str, other: str, names: Sequence[str] = ()) -> bool:
    """Return whether two configurations differ only in OpenClaw's notes and in the lists of plugins' names."""
    return bool(_values_beside(text, names) == _values_beside(other, names))


def _values_beside(text: str, names: Sequence[str]) -> Any:
    """Return the values without these names of plugins, and without what is empty then."""

    def strip_names(value: Any) -> Any:
        if isinstance(value, list):
            return [one for one in value if one not in names]
        if isinstance(value, dict):
            below = {key: strip_names(inner) for key, inner in value.items()}
            return {key: one for key, one in below.items() if one not in ({}, [])}
        return value

    values = _parsed(text)
    if not isinstance(values, dict):
        return values
    return {
        **{key: values[key] for key in values if key not in _NOTES},
        "plugins": strip_names(values.get("plugins", {})),
    }


def value_at(values: Any, keys: Sequence[str]) -> Any:
    """Return what `keys` lead to, a mark of its own where that is nothing."""
    for key in keys:
        values = values.get(key, _GONE) if isinstance(values, dict) else _GONE
    return values


def there(value: Any) -> bool:
    """Return whether `value_at` found something."""
    return value is not _GONE


def _read(place: Path) -> bytes:
    """Return the bytes of a configuration that can be replaced. Raises ShapeError for any other."""
    try:
        data = host_files.data(place, host_files.LARGEST)
        about = place.stat()
    except OSError as exc:
        words = "does not exist yet" if isinstance(exc, FileNotFoundError) else host_files.why(exc)
        raise ShapeError(words) from exc
    if about.st_uid != os.geteuid() or about.st_nlink > 1 or not os.access(place.parent, os.W_OK):
        raise ShapeError("cannot be replaced: it, or its folder, is not this user's alone")
    if not about.st_mode & 0o222 or not os.access(place, os.W_OK):
        raise ShapeError("may not be written: it is read-only")
    return data


def _parsed(text: str) -> Any:
    try:
        return host_json.parse(text.removeprefix("\ufeff"))
    except host_json.JsonError as exc:
        raise ShapeError(f"cannot be read at line {exc.line}: {exc.words}") from exc


def _unable(place: Path, wishes: Sequence[Wish], why: str) -> Rewritten:
    return Rewritten(place, None, None, Record(), {wish.keys: why for wish in wishes})


def _wanted(config: HostConfig, before: str, text: str, wish: Wish) -> bool:
    """Return whether a wish is still open. Raises ShapeError where the configuration says otherwise."""
    found, meant = value_at(_parsed(text), wish.keys), wish.value
    if not there(found) and not there(value_at(_parsed(before), wish.keys)):
        found, meant = value_at(config.values, wish.keys), wish.read  # of a file that is included
    if there(found) and found != meant:
        raise ShapeError(f"says something else at {'.'.join(wish.keys)}")
    return not there(found)


def _standing(before: bytes, record: Record, wishes: Sequence[Wish]) -> tuple[Put, ...]:
    """Return what was put and is still wanted: it stays in its place."""
    values, wanted = _parsed(before.decode()), {wish.keys: wish.value for wish in wishes}
    return tuple(
        one for one in record.puts if one.value == wanted.get(one.keys) and value_at(values, one.keys) == one.value
    )


def _known(text: str, keys: Keys) -> int:
    """Return how many of the keys lead somewhere already."""
    values = _parsed(text)
    return next((at for at in range(len(keys)) if not there(value_at(values, keys[: at + 1]))), len(keys))


def _joined(values: Any, keys: Keys, value: Any, at: int = 0) -> dict[str, Any]:
    """Return the values with `value` at `keys`; objects on the way that are missing are made. Raises ShapeError.

    Where an object on the way is written in another file, nobody but its writer knows where the member belongs.
    """
    place = ".".join(keys[:at]) or "its top"
    if not isinstance(values, dict):
        raise ShapeError(f"has no object at {place}")
    if _INCLUDE in values:
        raise ShapeError(f"includes another file at {place}")
    key = keys[at]
    below = value if at == len(keys) - 1 else _joined(values.get(key, {}), keys, value, at + 1)
    return {**values, key: below}


_INCLUDE = "$include"


def _without(text: str, record: Record) -> tuple[str, tuple[Keys, ...]]:
    """Return `text` without what the record tells of, and the keys whose values somebody changed.

    It is the text from before, to the byte, where nobody has set any other value since.
    """
    bare, kept = _take_out(text, record.puts, lambda *_: True)
    if record.original and not kept and says_same(bare, record.original, [one.keys[-1] for one in record.puts]):
        return record.original, ()
    return _take_out(text, record.puts, _alone)


def _take_out(text: str, puts: Sequence[Put], may: Callable[[Any, Put], bool]) -> tuple[str, tuple[Keys, ...]]:
    kept, values = [], _parsed(text)
    for one in reversed(puts):
        found = value_at(values, one.keys)
        if not there(found):
            continue
        if found not in (one.value, _LEFT) or not may(values, one):
            kept.append(one.keys)
            continue
        values = _removed(values, one.keys)
        for end in range(len(one.keys) - 1, one.made, -1):
            if value_at(values, one.keys[:end]) == {}:
                values = _removed(values, one.keys[:end])
    return rewrite_sections(text, values), tuple(kept)


def _removed(values: Any, keys: Keys) -> Any:
    """Return the values without the member at `keys`, which is there."""
    inner = {keys[0]: _removed(values[keys[0]], keys[1:])} if len(keys) > 1 else {}
    return {key: inner.get(key, value) for key, value in values.items() if len(keys) > 1 or key != keys[0]}


def _alone(values: Any, one: Put) -> bool:
    """Return whether nobody leans on a switch that we turned on: hooks of others, enabled since."""
    if one.value is not True:
        return True
    beside = value_at(values, one.keys[:-1])
    return not isinstance(beside, dict) or not {key for key, value in beside.items() if value} - {one.keys[-1]}


_TOKEN = re.compile(
    r"(?P<blank>(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)+)"
    r"""|"(?:[^"\\\n\r]|\\(?:\r\n|.))*"|'(?:[^'\\\n\r]|\\(?:\r\n|.))*'|[{}\[\],:]|[^\s,\[\]{}:"'/]+""",
    re.DOTALL,
)


class _Section(Struct):
    """A member of the outermost object: where its key and its value begin, and its value and its comma end."""

    key: str
    start: int
    value: int = -1
    end: int = -1
    comma: int = -1


def _find_sections(text: str) -> list[_Section]:
    """Return the members of the outermost object of JSON5 text that can be parsed."""
    sections, depth, is_key = list[_Section](), 0, True
    for token in _TOKEN.finditer(text):
        word = token[0]
        if token["blank"] or (depth == 0 and word != "{"):
            continue
        depth -= word in "}]"
        if depth == 1 and word == ",":
            sections[-1].comma, is_key = token.end(), True
        elif depth == 1 and is_key and word != "{":
            name = str(host_json.parse(word)) if word[0] in "\"'" else word
            sections.append(_Section(name, token.start()))
            is_key = False
        elif depth and sections and not (depth == 1 and word == ":"):
            sections[-1].value = token.start() if sections[-1].value < 0 else sections[-1].value
            sections[-1].end = token.end()
        depth += word in "{["
    return sections


def rewrite_sections(text: str, values: Any) -> str:
    """Return the text with these values: sections that say something else are written anew, every other byte stays.

    Raises ShapeError where that cannot be done.
    """
    old = _parsed(text)
    if old == values:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    for key in {**old, **values}:
        if key in old and key in values and old[key] == values[key]:
            continue
        sections = _find_sections(text)
        found = [at for at, section in enumerate(sections) if section.key == key]
        if len(found) > 1:
            raise ShapeError(f"has {key} twice")
        said = json.dumps(values.get(key), ensure_ascii=False, indent=2).replace("\n", f"{newline}  ")
        if found and key in values:
            text = f"{text[: sections[found[0]].value]}{said}{text[sections[found[0]].end :]}"
        elif found:
            text = _cut_section(text, sections, found[0])
        elif sections:
            text = f"{text[: sections[0].start]}{json.dumps(key)}: {said},{newline}  {text[sections[0].start :]}"
        else:
            start = text.index("{") + 1
            text = f"{text[:start]}{newline}  {json.dumps(key)}: {said}{newline}{text[start:]}"
    if _parsed(text) != values:
        raise ShapeError("is written in a way that cannot be edited safely")
    return text


def _cut_section(text: str, sections: Sequence[_Section], at: int) -> str:
    section = sections[at]
    if section.comma >= 0:
        return text[: section.start] + text[section.comma :].lstrip(" \t\r\n")
    start = sections[at - 1].end if at else section.start
    return text[:start].rstrip(" \t\r\n") + text[section.end :]
