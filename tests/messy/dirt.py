"""Changed, staged and new files at the moment of an adoption."""

from . import content
from .maker import Maker, shape


def _tracked(m: Maker, pathspec: str) -> list[str]:
    if (m.at / "memory").is_symlink():
        return []
    output = m.git("ls-files", "-z").split("\0")
    return [path for path in output if path.startswith(pathspec) and path.endswith(".md") and (m.at / path).is_file()]


@shape("dirt", 0.6, git=False)
def new_journals(m: Maker) -> None:
    for name in ("2026-01-10", "2026-01-11"):
        if m.free(f"memory/{name}.md"):
            m.write(f"memory/{name}.md", content.journal(m, name))
            m.ordinary.add(f"memory/{name}.md")


@shape("dirt", 0.5)
def edited_in_scope(m: Maker) -> None:
    for path in ("MEMORY.md", "AGENTS.md", "SOUL.md"):
        place = m.at / path
        if place.is_file() and not place.is_symlink() and m.chance.random() < 0.6:
            place.write_bytes(place.read_bytes() + b"\n- not committed yet\n")


@shape("dirt", 0.4)
def edited_out_of_scope(m: Maker) -> None:
    m.write("scripts/backup.sh", "#!/bin/sh\n# edited\n")
    m.write("scripts/new.sh", "#!/bin/sh\n# untracked\n")
    m.write("docs/draft.md", "# Draft, untracked\n")


@shape("dirt", 0.3)
def staged_out_of_scope(m: Maker) -> None:
    m.write("src/staged.py", "x = 1\n")
    m.write("src/meant.py", "y = 1\n")
    m.git("add", "-f", "src/staged.py")
    m.git("add", "-f", "-N", "src/meant.py")
    m.write("src/staged.py", "x = 2\n")


@shape("dirt", 0.12)
def staged_in_scope(m: Maker) -> None:
    if m.free("memory/staged.md"):
        m.write("memory/staged.md", "- staged\n")
        m.git("add", "-f", "memory/staged.md")


@shape("dirt", 0.08)
def staged_deletion(m: Maker) -> None:
    paths = _tracked(m, "memory/2025")
    if paths:
        m.git("rm", "-q", "-f", "--cached", paths[0])


@shape("dirt", 0.2)
def flags_in_the_index(m: Maker) -> None:
    """`assume-unchanged` and `skip-worktree`, by which people hide their own edits from git."""
    paths = [path for path in ("src/app.py", "docs/how.md") if m.git("ls-files", path)]
    for path, flag in zip(paths, ("--assume-unchanged", "--skip-worktree"), strict=False):
        m.git("update-index", flag, path)
        m.write(path, "hidden edit\n")
