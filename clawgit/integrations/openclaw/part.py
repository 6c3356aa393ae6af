"""The parts of the connection, and how each one stands."""

from pathlib import Path
from typing import Literal

from msgspec import Struct

Name = Literal["plugin", "plugin setting", "hook", "hook setting", "mcp server", "skill"]
State = Literal["installed", "missing", "outdated", "edited", "foreign", "off", "unfit"]
Act = Literal["installed", "renewed", "kept", "removed", "left"]


class Part(Struct, frozen=True):
    """How one part stands at `place`.

    `installed`: as it would be installed now; `outdated`: ours, from another version or with other places in it;
    `edited`: ours, with words of somebody's in it; `foreign`: somebody's own; `off`: switched off by the operator;
    `unfit`: it cannot be installed from here, for the reason in `note`. `fix` is a command to paste.
    """

    name: Name
    state: State
    place: Path
    note: str = ""
    fix: str = ""


class Done(Struct, frozen=True):
    """What becomes of one part; what is `left` was not touched, for the reason in `note`, and `fix` is the way out."""

    name: Name
    act: Act
    place: Path
    note: str = ""
    fix: str = ""
