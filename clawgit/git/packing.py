"""Has git pack what lies loose."""

from clawgit.git.command import git
from clawgit.git.repository import Repository

SECONDS = 600.0


def pack(repo: Repository, seconds: float = SECONDS) -> None:
    """Have git pack, where it finds that enough lies loose, and drop what nothing has led to for two weeks.

    Git does so after its own commits; ours are made without it. The operator's `gc.*` settings hold: with `gc.auto = 0`
    nothing is done. Raises ClawgitError.
    """
    git(repo.root, "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet", timeout=seconds)
