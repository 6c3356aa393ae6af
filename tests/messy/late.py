"""States that a repository is in, some of which forbid every write."""

from .maker import Maker, shape


@shape("late", 12, group="index")
def usual_index(m: Maker) -> None:
    pass


@shape("late", 1, group="index")
def split_index(m: Maker) -> None:
    m.git("update-index", "--split-index")


@shape("late", 1, group="index")
def sparse_checkout(m: Maker) -> None:
    m.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs", "!/memory/projects", check=False)


@shape("late", 1, group="index")
def no_index(m: Maker) -> None:
    """Somebody deleted it: to git, everything is staged for deletion."""
    if not m.unborn:
        m.inside("index", shared=False).unlink(missing_ok=True)


@shape("late", 70, group="state")
def no_state(m: Maker) -> None:
    pass


def _diverge(m: Maker) -> bool:
    """Make a commit on a side branch that contradicts the one here; False if that is not possible."""
    path = "memory/contested.md"
    if m.unborn or not m.free(path):
        return False
    m.git("stash", "-q", check=False)
    m.git("switch", "-q", "-f", "-c", "contrary", check=False)
    for branch, text in (("contrary", "- no\n"), (m.branch, "- yes\n")):
        m.git("switch", "-q", "-f", branch, check=False)
        m.write(path, text)
        m.git("add", "-f", path, check=False)
        m.git("commit", "-q", "-m", branch, "--", path, check=False)
    return m.git("rev-parse", "-q", "contrary:memory/contested.md", check=False) != ""


def _tag_state(m: Maker, *marks: str) -> None:
    """Tag the state as one that holds, if git says so."""
    if any(m.inside(mark, shared=False).exists() for mark in marks):
        m.forbidden = True


@shape("late", 1, group="state")
def merging(m: Maker) -> None:
    if _diverge(m):
        m.git("merge", "-q", "contrary", check=False)
    _tag_state(m, "MERGE_HEAD")


@shape("late", 1, group="state")
def rebasing(m: Maker) -> None:
    if _diverge(m):
        m.git("rebase", "-q", "contrary", check=False)
    _tag_state(m, "rebase-merge", "rebase-apply")


@shape("late", 1, group="state")
def detached(m: Maker) -> None:
    if not m.unborn:
        m.git("checkout", "-q", "--detach", check=False)
        if not m.git("symbolic-ref", "-q", "HEAD", check=False):
            m.forbidden = True


@shape("late", 1, group="state")
def unmerged_entry(m: Maker) -> None:
    """A stash that did not fit: no operation is under way, but a file has two versions in the index."""
    if _diverge(m):
        m.git("merge", "-q", "contrary", check=False)
        for name in ("MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"):
            m.inside(name, shared=False).unlink(missing_ok=True)
        if m.git("ls-files", "-u"):
            m.forbidden = True


@shape("late", 1, group="state")
def index_locked(m: Maker) -> None:
    """A git that was killed left its lock."""
    m.inside("index.lock", shared=False).touch()
    m.forbidden = True
