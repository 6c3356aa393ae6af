"""Reads YAML, bounded in size and depth, and front matter."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar

from msgspec import Struct

MAX_CONFIG_BYTES = 256 << 10
MAX_FRONT_MATTER_BYTES = 64 << 10
MAX_DEPTH = 20

_SCALARS = (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9][0-9_]*|0o[0-7]+|0x[0-9a-fA-F]+|0b[01]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|[0-9][0-9_]*(?=[eE])|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?",
        "-+0123456789.",
    ),
    ("float", r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "-+."),
)
"""What a word without quotes is in YAML 1.2, by the letters that it may begin with."""


class BlockError(ValueError):
    """The block cannot be read, or not be changed in place; `line` counts from 1, within the block."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


class RefusedError(BlockError):
    """The block is never read: it is too large or too deep, or uses aliases, merge keys or tags."""


def compose_yaml(text: str, limit: int = MAX_CONFIG_BYTES) -> Any:
    """Return the root node of the only document, None without one. Raises BlockError.

    The events are looked at before anything is built from them.
    """
    import yaml  # noqa: PLC0415 - 11 ms that most commands do not need

    loader = _make_loader()
    if len(text) > limit or len(text.encode("utf-8", "replace")) > limit:
        raise RefusedError(1, f"more than {limit:,} bytes of YAML are not read")
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if reason := _find_refusal(yaml, event, depth):
                raise RefusedError(event.start_mark.line + 1, reason)
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as exc:
        kind = RefusedError if "nesting depth" in str(exc.problem) else BlockError  # libyaml looks ahead
        raise kind(exc.problem_mark.line + 1 if exc.problem_mark else 1, str(exc.problem)) from exc
    except (yaml.YAMLError, UnicodeError) as exc:  # a character that no YAML may hold
        line = text.count("\n", 0, getattr(exc, "position", 0) or 0) + 1
        raise BlockError(line, "the yaml block cannot be read") from exc


def _find_refusal(yaml: Any, event: Any, depth: int) -> str:
    """Return the reason that YAML with this event is not read, "" for none."""
    if depth > MAX_DEPTH:
        return f"values nested more than {MAX_DEPTH} deep are not read"
    if getattr(event, "anchor", None):
        return f"aliases are not read: {'*' if isinstance(event, yaml.AliasEvent) else '&'}{event.anchor[:40]}"
    if getattr(event, "tag", None):
        return f"tags are not read: {event.tag[:40]}"
    if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style:
        return "merge keys are not read: <<"
    return ""


@cache
def _make_loader() -> Any:
    """Return a loader that reads YAML 1.2: `12:30`, `on` and `yes` are text, and so is a date."""
    import yaml  # noqa: PLC0415 - as above

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    for kind, form, letters in _SCALARS:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(rf"(?:{form})\Z"), [*letters, ""])
    Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: _read_whole(loader.construct_scalar(node)))
    Loader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
    return Loader


def _read_whole(text: str) -> int:
    plain = text.replace("_", "")
    return int(plain, 0 if plain[:2] in ("0o", "0x", "0b") else 10)


def _construct_mapping(loader: Any, node: Any) -> dict[str, Any]:
    """Return a mapping. Raises BlockError for a key that is set twice, or is no text."""
    values: dict[str, Any] = {}
    for key, value in node.value:
        if key.id != "scalar" or key.value in values:
            reason = f"{key.value} is set twice" if key.id == "scalar" else "a key has to be a word"
            raise BlockError(key.start_mark.line + 1, reason)
        values[key.value] = loader.construct_object(value, deep=True)
    return values


def read_yaml(text: str, limit: int = MAX_CONFIG_BYTES) -> tuple[dict[str, Any], dict[str, int]] | None:
    """Return values by key, and the line (from 1) of each; None for anything but a mapping. Raises BlockError."""
    node = compose_yaml(text, limit)
    if node is None or (node.id == "scalar" and not node.value):
        return {}, {}
    if node.id != "mapping":
        return None
    try:
        values = _make_loader()("").construct_document(node)
    except ValueError as exc:
        if isinstance(exc, BlockError):
            raise
        raise BlockError(node.start_mark.line + 1, "a number is too long") from exc
    return values, {key.value: key.start_mark.line + 1 for key, _ in node.value}


class FrontMatter(Struct, frozen=True):
    """The lines from `---` on the first line to the next `---`: their values, or why they are read as text."""

    values: Mapping[str, Any] = {}
    size: int = 0
    error: BlockError | None = None

    @property
    def lines(self) -> int:
        """How many lines are front matter, and no text."""
        return self.size if self.values else 0


@lru_cache(maxsize=16)
def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a text. Anything but a YAML mapping right below the first line is text."""
    plain = text.removeprefix("\ufeff")
    if not plain.startswith("---") or plain.partition("\n")[0].rstrip(" \t\r") != "---":
        return FrontMatter()
    import frontmatter  # noqa: PLC0415 - takes 40 ms, and few files begin so

    mark = re.compile(r"^---[ \t\r]*$", re.MULTILINE)
    try:
        block, _ = frontmatter.default_handlers.YAMLHandler(mark).split(plain)
    except ValueError:  # it never ends
        return FrontMatter()
    size = block.count("\n") + 1
    if not block.partition("\n")[2].partition("\n")[0].strip():  # prose between two rules
        return FrontMatter(size=size)
    try:
        document = read_yaml(block, MAX_FRONT_MATTER_BYTES)
    except BlockError as exc:
        return FrontMatter(size=size, error=exc)
    return FrontMatter(document[0] if document else {}, size)
