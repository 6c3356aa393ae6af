"""Git-backed memory and identity for OpenClaw agents."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.api import Memory, open, triage  # noqa: A004 - read as clawgit.open
    from clawgit.errors import ClawgitError

__version__ = "0.2.0"
__all__ = ["ClawgitError", "Memory", "__version__", "open", "triage"]


def __getattr__(name: str) -> object:
    """Import the names of docs/api.md on first use: importing clawgit costs nothing."""
    if name == "ClawgitError":
        from clawgit.errors import ClawgitError  # noqa: PLC0415

        return ClawgitError
    if name in __all__:
        from clawgit import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
