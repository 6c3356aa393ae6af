"""Reads CONFIG.md."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from clawgit.errors import ClawgitError
from clawgit.workspace import scope

_FENCE = re.compile(r"^```ya?ml[ \t]*\r?\n(.*?)(?:^```|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Config:
    """What the yaml block of CONFIG.md sets; `first` is the line of the file that the block begins on.

    Every value raises ClawgitError with file:line when it, or the block, cannot be used.
    """

    block: str = ""
    first: int = 1

    @property
    def branch(self) -> str:
        """The branch that the workspace lives on; "" leaves it to the repository."""
        return self._text("branch")

    @property
    def zone(self) -> ZoneInfo | None:
        """The operator's time zone; None is the system's."""
        name = self._text("timezone")
        try:
            return ZoneInfo(name) if name else None
        except (ValueError, OSError, KeyError) as exc:
            raise self._error(
                "timezone", f"there is no time zone {name!r}", "use a name such as Europe/Berlin"
            ) from exc

    @property
    def soul_max_tokens(self) -> int:
        """The size that SOUL.md does not grow past (spec §13)."""
        value = self._value("soul_max_tokens", 800)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._error("soul_max_tokens", f"{value!r} is not a whole number above 0", "soul_max_tokens: 800")
        return value

    def _text(self, key: str) -> str:
        value = self._value(key, "") or ""
        if not isinstance(value, str):
            raise self._error(key, f"{value!r} is not text", f'{key}: "{value}"')
        return value

    def _value(self, key: str, default: Any) -> Any:
        # A key that the block does not even name needs no YAML, which takes 20 ms to load.
        return self._parsed[0].get(key, default) if key in self.block else default

    def _error(self, key: str, words: str, fix: str) -> ClawgitError:
        return ClawgitError(f"{scope.CONFIG}:{self._parsed[1].get(key, self.first)}: {key}: {words}", fix=fix)

    @cached_property
    def _parsed(self) -> tuple[dict[str, Any], dict[str, int]]:
        return _parsed(self.block, self.first)


def load(root: Path) -> Config:
    """Return what the first yaml block of CONFIG.md sets; nothing when there is no such file or block."""
    try:
        text = (root / scope.CONFIG).read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return Config()
    fence = _FENCE.search(text)
    return Config(fence[1], text.count("\n", 0, fence.start(1)) + 1) if fence else Config()


def _parsed(block: str, first: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Return values by key, and the line that each stands on."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - 15 ms that most commands do not need
    from ruamel.yaml.comments import CommentedMap  # noqa: PLC0415
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    try:
        yaml = YAML()
        yaml.composer.warn_double_anchors = False
        values = yaml.load(block)
    except MarkedYAMLError as exc:
        line = first + (exc.problem_mark.line if exc.problem_mark else 0)
        raise ClawgitError(f"{scope.CONFIG}:{line}: {exc.problem}", fix=f"edit line {line}") from exc
    except (YAMLError, ValueError, LookupError, AttributeError, TypeError) as exc:  # the last three for odd tags
        raise ClawgitError(f"{scope.CONFIG}:{first}: the yaml block cannot be read", fix="edit it") from exc
    if not isinstance(values, CommentedMap):
        return {}, {}
    lines = values.lc.data or {}  # a key that `<<` brought in stands on no line of its own
    return dict(values), {str(key): first + lines[key][0] for key in values if key in lines}
