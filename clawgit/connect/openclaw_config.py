"""The wanted settings in OpenClaw's configuration, and its edits."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.connect.openclaw_target import Keys, Put, Record, Target
from clawgit.errors import quote_shell
from clawgit.git import regular_file
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.openclaw_files import HostConfig

_PATHS = ("plugins", "load", "paths")
_PROFILES = ("minimal", "coding", "messaging")
_NOTES = ("meta", "wizard")
"""What OpenClaw writes into its configuration about itself."""
_INCLUDE = "$include"
_LEFT = {"enabled": False}
"""What `openclaw plugins uninstall` leaves of an entry."""


def list_needed(target: Target) -> tuple[Put, ...]:
    """Return the entry of the plugin, with the permission to see the conversation, and the path of its folder.

    Without `allowConversationAccess` OpenClaw gives a plugin of others neither the prompt of a turn nor its end
    (docs/plugins/hooks.md).
    """
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    # OpenClaw reads `$${` as `${`.
    path = str(target.folder).replace("${", "$${")
    return Put(("plugins", "entries", target.name), entry), Put(_PATHS, [path])


def set_command(put: Put) -> str:
    """Return the command with which OpenClaw puts a value there itself."""
    value = quote_shell(json.dumps(put.value, ensure_ascii=False))
    return f"openclaw config set {'.'.join(put.keys)} {value} --strict-json"


def as_read(value: Any) -> Any:
    """Return a value as OpenClaw reads it."""
    return json.loads(json.dumps(value).replace("$${", "${"))


def is_loaded(target: Target) -> bool:
    """Return whether OpenClaw knows the folder of the plugin."""
    return has_value(target.host.config.at(*_PATHS), [str(target.folder)])


def has_value(value: Any, target_value: Any) -> bool:
    """Return whether a value is the wanted one; a list may have more members."""
    if isinstance(target_value, list):
        return isinstance(value, list) and all(item in value for item in target_value)
    return bool(value == target_value)


def find_obstacle(target: Target) -> tuple[str, str]:
    """Return the reason that OpenClaw would not load the plugin, whatever its entry, and the fix; else ""."""
    plugins = target.host.config.table("plugins")
    allowlist, denied = plugins.get("allow"), plugins.get("deny")
    if plugins.get("enabled") is False:
        fix = _reset(("plugins", "enabled"), value=True)
        return "plugins.enabled is false: OpenClaw loads no plugin at all", fix
    if target.host.program:
        return "", ""  # the installer takes it off the one list and adds it to the other
    if isinstance(denied, list) and target.name in denied:
        return "plugins.deny names it", _reset(("plugins", "deny"), [name for name in denied if name != target.name])
    if isinstance(allowlist, list) and allowlist and target.name not in allowlist:
        words = "plugins.allow names all that OpenClaw loads, and not this"
        return words, _reset(("plugins", "allow"), [*allowlist, target.name])
    return "", ""


def tools_hidden(target: Target) -> tuple[str, str]:
    """Return the reason that OpenClaw loads the plugin and hides its tools from the agent, and the fix; else "".

    All profiles but `full` leave out the tools of plugins, unless `alsoAllow` names them (docs/gateway/config-tools).
    """
    tools = target.host.config.table("tools")
    allowlist, extra, profile = tools.get("allow"), tools.get("alsoAllow"), tools.get("profile")
    lists = [names for names in (allowlist, extra) if isinstance(names, list) and names]
    if any({target.name, "group:plugins", "*"} & set(map(str, names)) for names in lists):
        return "", ""
    if isinstance(allowlist, list) and allowlist:
        fix = _reset(("tools", "allow"), [*allowlist, target.name])
        return "tools.allow does not name it: the agent has none of its tools", fix
    if profile not in _PROFILES:
        return "", ""
    fix = _reset(("tools", "alsoAllow"), [*(extra if isinstance(extra, list) else []), target.name])
    return f'tools.profile is "{profile}": the agent has none of its tools', fix


def _reset(keys: Keys, value: Any) -> str:
    return f"{set_command(Put(keys, value))} && clawgit connect"


class Edited(Struct, frozen=True):
    """The configuration at `place` goes from `before` to `after`; None: no such file, or one that stays as it is.

    `record` is its new record, `left` the reason that a value is not put there, `kept` a value changed by somebody: it
    is not removed.
    """

    place: Path
    before: bytes | None
    after: bytes | None
    record: Record
    left: Mapping[Keys, str] = field(default_factory=dict)
    kept: tuple[Keys, ...] = ()


class ShapeError(Exception):
    """A configuration that cannot be edited safely; the words are the second half of a sentence."""


def edit_configuration(config: HostConfig, old_record: Record, target_puts: Sequence[Put] = ()) -> Edited:
    """Return the configuration with all `target_puts` that can be put there, and without the rest of ours.

    Sections without a change keep their bytes; all of it does if nothing is left of ours, and nobody has set another
    value since.
    """
    place = Path(os.path.realpath(config.path))
    if not target_puts:
        place = Path(old_record.place or place)
    # A record of another configuration does not apply to this one.
    elif old_record.place != str(place):
        old_record = Record()
    left: dict[Keys, str] = {}
    try:
        text = _read_replaceable(place)
        bare, changed_keys = take_out(text, old_record)
        before, values = _parse_config(text), _parse_config(bare)
        puts = [put for put in old_record.puts if put.keys in changed_keys]
        for put in target_puts:
            try:
                if not _is_there_already(config, before, values, put):
                    values = _put(values, put.keys, put.value)
                    puts.append(put)
            except ShapeError as exc:
                left[put.keys] = f"{place} {exc}"
        after = rewrite_plugins(text, values) if puts else bare
    except ShapeError as exc:
        keys = (put.keys for put in old_record.puts if config.problems or config.at(*put.keys) is not None)
        reasons = {put.keys: f"{place} {exc}" for put in target_puts}
        return Edited(place, None, None, old_record, reasons, tuple(keys))
    record = replace(old_record, place=str(place), puts=tuple(puts), original=bare)
    return Edited(place, text.encode(), after.encode(), record, left, changed_keys)


def _is_there_already(config: HostConfig, before: Any, values: Any, put: Put) -> bool:
    """Return whether a value is there already. Raises ShapeError if the configuration has another."""
    value, target_value = value_at(values, put.keys), put.value
    if value is None and value_at(before, put.keys) is None:
        value, target_value = config.at(*put.keys), as_read(put.value)  # of a file that is included
    is_there = has_value(value, target_value)
    if not is_there and value is not None and not (isinstance(value, list) and isinstance(target_value, list)):
        raise ShapeError(f"says something else at {'.'.join(put.keys)}")
    return is_there


def take_out(text: str, record: Record) -> tuple[str, tuple[Keys, ...]]:
    """Return `text` without what the record tells of, and the keys whose values somebody changed.

    It is the text from before, to the byte, where nobody has set any other value since.
    """
    values, original = _parse_config(text), _parse_config(record.original or "{}")
    changed_keys = tuple(
        put.keys
        for put in record.puts
        if not isinstance(put.value, list) and value_at(values, put.keys) not in (None, put.value, _LEFT)
    )
    for put in reversed(record.puts):
        value = value_at(values, put.keys)
        others = [item for item in value if item not in put.value] if isinstance(value, list) else []
        if put.keys not in changed_keys and value is not None:
            values = _remove_member(values, put.keys, original)
            values = _put(values, put.keys, others) if others else values
    names = [put.keys[-1] for put in record.puts]
    if record.original and not changed_keys and _strip_notes(values, names) == _strip_notes(original, names):
        return record.original, ()
    return rewrite_plugins(text, values), changed_keys


def says_same(text: str, other: str) -> bool:
    """Return whether two configurations differ in OpenClaw's notes only."""
    return bool(_strip_notes(_parse_config(text), ()) == _strip_notes(_parse_config(other), ()))


def _strip_notes(values: Any, names: Sequence[str]) -> Any:
    """Return the values without OpenClaw's notes, and those of plugins without these names and their empty remains."""

    def strip_names(value: Any) -> Any:
        if isinstance(value, list):
            return [item for item in value if item not in names]
        if isinstance(value, dict):
            members = {key: strip_names(inner) for key, inner in value.items()}
            return {key: inner for key, inner in members.items() if inner not in ({}, [])}
        return value

    return {**values, "plugins": strip_names(values.get("plugins", {})), **dict.fromkeys(_NOTES)}


def value_at(values: Any, keys: Keys) -> Any:
    """Return the value at `keys`, None for none."""
    return HostConfig(Path(), values).at(*keys)


def _read_replaceable(place: Path) -> str:
    """Return the text of a configuration that can be replaced. Raises ShapeError for any other."""
    try:
        data = regular_file.read_regular_file(place)
        about = place.stat()
    except OSError as exc:
        words = "does not exist yet" if isinstance(exc, FileNotFoundError) else host_files.explain_error(exc)
        raise ShapeError(words) from exc
    # A replaced file is a new one: it loses a foreign owner and further hard links.
    if about.st_uid != os.geteuid() or about.st_nlink > 1 or not os.access(place.parent, os.W_OK):
        raise ShapeError("cannot be replaced: it, or its folder, is not this user's alone")
    # For root `os.access` allows every write, so the mode counts as well.
    if not about.st_mode & 0o222 or not os.access(place, os.W_OK):
        raise ShapeError("may not be written: it is read-only")
    try:
        return data.decode()
    except UnicodeDecodeError as exc:
        raise ShapeError("is not UTF-8") from exc


def _parse_config(text: str) -> dict[str, Any]:
    try:
        values = host_files.parse_json5(text.removeprefix("\ufeff"))
    except host_files.JsonError as exc:
        raise ShapeError(f"cannot be read at line {exc.line}: {exc.words}") from exc
    if not isinstance(values, dict):
        raise ShapeError("has no object at its top")
    return values


def _put(values: Any, keys: Keys, value: Any, depth: int = 0) -> dict[str, Any]:
    """Return the values with `value` at `keys`; missing objects on the way are made. Raises ShapeError.

    If an object on the way is written in another file, the place of the member is unknown.
    """
    place = ".".join(keys[:depth]) or "its top"
    if not isinstance(values, dict):
        raise ShapeError(f"has no object at {place}")
    if _INCLUDE in values:
        raise ShapeError(f"includes another file at {place}")
    member = values.get(keys[depth])
    if depth < len(keys) - 1:
        inner: Any = _put({} if member is None else member, keys, value, depth + 1)
    else:
        inner = [*member, *value] if isinstance(member, list) else value
    return {**values, keys[depth]: inner}


def _remove_member(values: dict[str, Any], keys: Keys, original: Any) -> dict[str, Any]:
    """Return the values without the member at `keys`, and without objects that are empty then and are not original."""
    rest = {key: value for key, value in values.items() if key != keys[0]}
    if len(keys) == 1:
        return rest
    outer = value_at(original, keys[:1])
    inner = _remove_member(values[keys[0]], keys[1:], outer)
    return {**values, keys[0]: inner} if inner or outer is not None else rest


_TOKEN = re.compile(
    r"(?P<blank>(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)+)"
    r"""|"(?:[^"\\\n\r]|\\(?:\r\n|.))*"|'(?:[^'\\\n\r]|\\(?:\r\n|.))*'|[{}\[\],:]|[^\s,\[\]{}:"'/]+""",
    re.DOTALL,
)


class _Section(Struct):
    """A member of the outermost object: the offsets of its key, its value, and the ends of its value and comma."""

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
            name = str(host_files.parse_json5(word)) if word[0] in "\"'" else word
            sections.append(_Section(name, token.start()))
            is_key = False
        elif depth and sections and not (depth == 1 and word == ":"):
            sections[-1].value = token.start() if sections[-1].value < 0 else sections[-1].value
            sections[-1].end = token.end()
        depth += word in "{["
    return sections


def rewrite_plugins(text: str, values: dict[str, Any]) -> str:
    """Return the text with these values, which differ in the section of plugins alone; every other byte stays.

    Raises ShapeError if that cannot be done.
    """
    if _parse_config(text) != values:
        text = _replace_section(text, _find_sections(text), _PATHS[0], values.get(_PATHS[0]))
    if _parse_config(text) != values:  # as where a section is there twice
        raise ShapeError("is written in a way that cannot be edited safely")
    return text


def _replace_section(text: str, sections: Sequence[_Section], key: str, value: Any) -> str:
    """Return the text with another value of a section, without the section for None."""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", f"{newline}  ")
    names = [section.key for section in sections]
    if key not in names and sections:
        return f"{text[: sections[0].start]}{json.dumps(key)}: {body},{newline}  {text[sections[0].start :]}"
    if key not in names:
        start = text.index("{") + 1
        return f"{text[:start]}{newline}  {json.dumps(key)}: {body}{newline}{text[start:]}"
    number = names.index(key)
    section = sections[number]
    if value is not None:
        return f"{text[: section.value]}{body}{text[section.end :]}"
    if section.comma >= 0:
        return text[: section.start] + text[section.comma :].lstrip(" \t\r\n")
    return text[: sections[number - 1].end if number else section.start].rstrip(" \t\r\n") + text[section.end :]
