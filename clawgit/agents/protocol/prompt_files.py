"""The prompt of an agent, as far as trusted."""

from hashlib import sha256

from clawgit.errors import ClawgitError
from clawgit.resources import resource
from clawgit.workspace.workspace import Workspace

_BEFORE = frozenset(
    (
        "275ebfd24444af1e",
        "76fa89f51040b84b",
        "c234e565bdeb047d",
        "cb7050c454a554ea",
        "f925f8f0451e074f",
        "95e0e7b4bc9aea46",
    )
)
"""The SHA-256, 16 digits of it, of prompts that clawgit brought before: they ask for other answers."""
_DIGITS = 16


def instructions(workspace: Workspace, agent: str) -> tuple[str, str]:
    """Return what an agent is told to do, and a sentence where the workspace's own file may not be used.

    Of `agents/NAME/SOUL.md` what counts is what the operator approved in so many words: an agent may edit the file, and
    an edit of low grade counts as approved elsewhere.
    """
    path = f"agents/{agent}/SOUL.md"
    shipped = (resource("templates") / path).read_text("utf-8")
    try:
        own = workspace.read(path)
    except ClawgitError as exc:
        return shipped, f"{path} cannot be read, so the prompt that clawgit brings is used: {exc.message}"
    if own is None or not own.strip() or own == shipped or _is_older(own):
        return shipped, ""
    if own == workspace.trust.said(path):
        return own, ""
    return shipped, f"{path} is not as you approved it, so the prompt that clawgit brings is used: clawgit trust"


def _is_older(text: str) -> bool:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS] in _BEFORE
