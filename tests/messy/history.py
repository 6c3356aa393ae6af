"""What histories look like."""

import shutil

from . import content
from .maker import Maker, shape


@shape("history", 1.0)
def first_commits(m: Maker) -> None:
    """`git add -A` by everybody, a few times over; nothing on an unborn branch."""
    if "unborn_branch" in m.tags:
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
def reverted(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("memory/wrong.md", "- wrong\n")
    m.commit("wrong")
    m.git("revert", "--no-edit", "HEAD")


@shape("history")
def renamed(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("memory/old-name.md", "- a\n- b\n- c\n")
    m.commit("notes")
    m.git("mv", "memory/old-name.md", "memory/new-name.md")
    m.commit("rename")


@shape("history")
def deleted_and_added_again(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("memory/2025-12-24.md", "- first\n")
    m.commit()
    m.git("rm", "-q", "memory/2025-12-24.md")
    m.commit("cleanup")
    m.write("memory/2025-12-24.md", "- second\n")
    m.commit()


@shape("history", 0.2)
def soul_was_renamed(m: Maker) -> None:
    """SOUL.md had another name before."""
    if not (_possible(m) and (m.at / "SOUL.md").is_file() and (m.at / "SOUL.md").read_bytes()):
        return
    m.git("mv", "SOUL.md", "PERSONA.md")
    m.commit("rename")
    m.git("mv", "PERSONA.md", "SOUL.md")
    m.commit("rename back")


@shape("history")
def empty_commits(m: Maker) -> None:
    if _possible(m):
        m.git("commit", "-q", "--allow-empty", "-m", "wip")
        m.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")


@shape("history")
def message_in_latin_1(m: Maker) -> None:
    """One that says so, and one that does not."""
    if not _possible(m):
        return
    declared = ("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", "-")
    m.git(*declared, stdin="Änderung".encode("latin-1"))
    tree, head = m.git("rev-parse", "HEAD^{tree}").strip(), m.git("rev-parse", "HEAD").strip()
    who = b"Z\xf6e <zoe@example.org> 1767300000 +0100"
    lines = [f"tree {tree}".encode(), f"parent {head}".encode(), b"author " + who, b"committer " + who]
    body = b"\n".join(lines) + b"\n\nErgebnis \xfcbernommen \xff\n"
    made = m.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=body).strip()
    m.git("update-ref", "HEAD", made)


@shape("history", 0.2)
def odd_times(m: Maker) -> None:
    if not _possible(m):
        return
    for moment in ("1 +0000", "2147483000 +1300", "4102444800 -1200"):
        m.git("commit", "-q", "--allow-empty", "-m", "odd", "--date", f"@{moment}")


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
    m.tag("memory/login.md")
    m.secrets.pop()


@shape("history", 0.2)
def link_in_history(m: Maker) -> None:
    """A file that was a link once."""
    if not (_possible(m) and m.free("memory/was-link.md")):
        return
    m.place("memory/was-link.md").symlink_to("../MEMORY.md")
    m.commit()
    (m.at / "memory/was-link.md").unlink()
    m.write("memory/was-link.md", "- now a file\n")
    m.commit()


@shape("history", 0.2)
def mode_changes(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("memory/mode.md", "- x\n", 0o755)
    m.commit()
    (m.at / "memory/mode.md").chmod(0o644)
    m.commit("chmod")


@shape("history", 0.2)
def large_file_in_history(m: Maker) -> None:
    if not _possible(m):
        return
    m.write("dump.bin", bytes(range(256)) * 4096)
    m.commit()
    m.git("rm", "-q", "dump.bin")
    m.commit("remove dump")


@shape("history", 0.2)
def gitlink_without_gitmodules(m: Maker) -> None:
    """What `git add -A` makes of a repository inside."""
    if not _possible(m):
        return
    nested(m, "projects/tool", commit=True)
    m.commit()
    m.tag("projects/tool")


@shape("history", 0.15)
def gitlink_in_memory(m: Maker) -> None:
    if not _possible(m):
        return
    nested(m, "memory/wiki", commit=True)
    m.commit()
    m.tag("memory/wiki")


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
    m.tag("vendor/library")


@shape("history")
def side_branches(m: Maker) -> None:
    if _possible(m):
        m.git("branch", "backup")
        m.git("branch", "claude/fix-memory", "HEAD~0")


@shape("history")
def tags(m: Maker) -> None:
    if _possible(m):
        m.git("tag", "v1")
        m.git("tag", "-a", "-m", "noted", "v1-noted")
        m.git("tag", "-a", "-m", "of a tag", "v1-again", "v1-noted")


@shape("history", 0.2)
def gone_from_disk_long_ago(m: Maker) -> None:
    """Markdown that is tracked outside of the usual places."""
    if not _possible(m):
        return
    m.write("wiki/deep/page.md", "# Page\n")
    m.write("wiki/gone.md", "# Gone\n")
    m.commit()
    m.git("rm", "-q", "wiki/gone.md")
    m.commit()


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


@shape("local", 0.25)
def old_detached_worktree(m: Maker) -> None:
    """Its folder is gone."""
    if not _possible(m):
        return
    folder = m.beside / "old-tree"
    m.git("worktree", "add", "-q", "--detach", str(folder))
    shutil.rmtree(folder)


@shape("local", 0.2)
def other_references(m: Maker) -> None:
    if not _possible(m):
        return
    m.git("update-ref", "refs/archive/2025", "HEAD")
    m.git("update-ref", "refs/remotes/origin/main", "HEAD")
    m.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    m.git("notes", "add", "-m", "a note", "HEAD")


@shape("local", 0.1)
def replaced_commit(m: Maker) -> None:
    if not _possible(m):
        return
    tree = m.git("rev-parse", "HEAD^{tree}").strip()
    other = m.git("commit-tree", tree, "-m", "instead").strip()
    first = m.git("rev-list", "--max-parents=0", "HEAD").split()[0]
    if first != m.git("rev-parse", "HEAD").strip():
        m.git("replace", first, other)


@shape("local", 0.2)
def no_reflogs(m: Maker) -> None:
    m.git("config", "core.logAllRefUpdates", "false")
    shutil.rmtree(m.inside("logs"), ignore_errors=True)


@shape("local", 0.2)
def missing_old_blob(m: Maker) -> None:
    """An object of an old version is gone from the disk; no version of today needs it."""
    if not _possible(m) or "partial_clone" in m.tags:
        return
    m.write("memory/holed.md", f"- old {m.seed}\n")
    m.commit()
    old = m.git("rev-parse", "HEAD:memory/holed.md").strip()
    m.write("memory/holed.md", f"- new {m.seed}\n")
    m.commit()
    (m.inside("objects") / old[:2] / old[2:]).unlink(missing_ok=True)
    m.tag("memory/holed.md")
