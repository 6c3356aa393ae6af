"""Git-backed memory and identity for OpenClaw agents."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from clawgit.workspace.workspace import Workspace

__version__ = "0.1.0"
__all__ = ["__version__", "assemble", "open", "triage"]


def __getattr__(name: str) -> object:
    """Import the room `triage`, which can be called, and `assemble`, when they are first asked for."""
    if name in ("triage", "assemble"):
        from importlib import import_module  # noqa: PLC0415 - importing clawgit costs nothing

        return (
            import_module("clawgit.triage") if name == "triage" else import_module("clawgit.context.assemble").assemble
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def open(path: str | PathLike[str] = ".") -> Workspace:  # noqa: A001 - read as clawgit.open
    """Return the workspace that encloses `path`; leave it as a context manager.

    Raises ClawgitError when there is none.
    """
    from pathlib import Path  # noqa: PLC0415 - importing clawgit costs nothing

    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    return open_workspace(Path(path))
