"""The shapes of histories."""

import shutil

from . import content
from .maker import Maker, shape


@shape("history", 1.0)
def first_commits(m: Maker) -> None:
    """`git add -A` by everybody, a few times over; nothing on an unborn branch."""
    if "unborn_branch" in m.shapes:
        return
    m.commit("Initial commit")
    for _ in range(m.chance.randint(0, 4)):
        name = content.day(m)
        m.write(f"memory/{name}.md", content.journal(m, name))
        m.commit()


def _possible(m: Maker) -> bool:
    return not m.unborn


@shape("history")
def merges(m: Maker) -> None:
    if not _possible(m):
        return
    m.git("switch", "-q", "-c", "side")
    m.write("memory/side.md", "- from the side\n")
    m.commit("side work")
    m.git("switch", "-q", m.branch)
    m.write("memory/here.md", "- from here\n")
    m.commit("meanwhile")
    m.git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")


@shape("history")
def message_in_latin_1(m: Maker) -> None:
    """One that says so, and one that does not."""
    if not _possible(m):
        return
    declared = ("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", "-")
    m.git(*declared, stdin="Änderung".encode("latin-1"))
    tree, head = m.git("rev-parse", "HEAD^{tree}").strip(), m.git("rev-parse", "HEAD").strip()
    person = b"Z\xf6e <zoe@example.org> 1767300000 +0100"
    lines = [f"tree {tree}".encode(), f"parent {head}".encode(), b"author " + person, b"committer " + person]
    body = b"\n".join(lines) + b"\n\nErgebnis \xfcbernommen \xff\n"
    commit = m.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=body).strip()
    m.git("update-ref", "HEAD", commit)


@shape("history")
def secret_in_history(m: Maker) -> None:
    """Committed once, taken out again."""
    if not _possible(m):
        return
    m.write("memory/keys.md", f"- the key is {content.secret(m)}\n")
    m.commit()
    m.write("memory/keys.md", "- the key is in the store\n")
    m.commit("remove key")
    m.secrets.pop()  # it is there already


@shape("history", 0.2)
def secret_in_head(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("memory/login.md", f"- the key is {content.secret(m)}\n")
    m.commit()
    m.secrets.pop()


@shape("history", 0.2)
def gitlink_without_gitmodules(m: Maker) -> None:
    """The effect of `git add -A` on a repository inside."""
    if not _possible(m):
        return
    nested(m, "projects/tool", commit=True)
    m.commit()


@shape("history", 0.15)
def submodule(m: Maker) -> None:
    if not _possible(m):
        return
    library = m.beside / "library"
    library.mkdir()
    m.git("init", "-q", f"--object-format={m.hashes}", cwd=library)
    m.git("commit", "-q", "--allow-empty", "-m", "x", cwd=library)
    m.git("submodule", "--quiet", "add", str(library), "vendor/library")
    m.commit("submodule")


@shape("history")
def side_branches(m: Maker) -> None:
    if _possible(m):
        m.git("branch", "backup")
        m.git("branch", "claude/fix-memory", "HEAD~0")


def nested(m: Maker, path: str, *, commit: bool) -> None:
    """Make a repository inside the workspace, with Markdown in it."""
    inner = m.place(f"{path}/MEMORY.md").parent
    m.git("init", "-q", f"--object-format={m.hashes}", cwd=inner)
    (inner / "MEMORY.md").write_text("# Not ours\n")
    (inner / "memory").mkdir(exist_ok=True)
    (inner / "memory/2025-12-01.md").write_text("- not ours\n")
    if commit:
        m.git("add", "-A", cwd=inner)
        m.git("commit", "-q", "-m", "inner", cwd=inner)


# ---- what only the workspace's own repository has


@shape("local")
def stash_entries(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("MEMORY.md", "# MEMORY.md\n\n- stashed\n")
    m.git("stash", "-q", "-u", check=False)


@shape("local", 0.25)
def another_worktree(m: Maker) -> None:
    if _possible(m):
        m.git("worktree", "add", "-q", "-b", "other-tree", str(m.beside / "other-tree"))


@shape("local", 0.2)
def no_reflogs(m: Maker) -> None:
    m.git("config", "core.logAllRefUpdates", "false")
    shutil.rmtree(m.inside("logs"), ignore_errors=True)


@shape("local", 0.2)
def missing_old_blob(m: Maker) -> None:
    """An object of an old version is gone from the disk; no version of today needs it."""
    if not _possible(m) or "partial_clone" in m.shapes:
        return
    m.write("memory/holed.md", f"- old {m.seed}\n")
    m.commit()
    old = m.git("rev-parse", "HEAD:memory/holed.md").strip()
    m.write("memory/holed.md", f"- new {m.seed}\n")
    m.commit()
    (m.inside("objects") / old[:2] / old[2:]).unlink(missing_ok=True)
