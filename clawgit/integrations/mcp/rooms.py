"""What a server is given to work with."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.workspace.workspace import Workspace

AGENT = "main-agent"
"""In whose name the tools write: whoever calls them is taken for the main agent, and never for the operator."""

Document = Mapping[str, object]


class Rooms(Struct, frozen=True):
    """The workspace at `root`, opened anew for every call by `opened`.

    `follow` has the index take in the kept conversations, `bring` brings in what OpenClaw wrote down of them, `session`
    is what recalled lines are noted under ("" notes none), and `environ` says where conversations are kept. `gateway`
    tells that it is OpenClaw's plugin who asks, `reader` that it is a reader of batches, who gets nothing else.
    """

    root: Path
    opened: Callable[[], Workspace]
    follow: Callable[[Workspace], object]
    bring: Callable[[Workspace], object]
    environ: Mapping[str, str]
    session: str = ""
    read_only: bool = False
    gateway: bool = False
    reader: bool = False
