"""The things in the folders: links, pipes, modes, other people's files."""

import os
import socket

from . import content
from .history import nested
from .maker import Maker, shape


@shape("files", 0.25, git=False)
def links(m: Maker) -> None:
    (m.beside / "outside.md").write_text("- outside\n")
    (m.beside / "folder").mkdir(exist_ok=True)
    (m.beside / "folder/in.md").write_text("- in a folder outside\n")
    targets = {
        "memory/link.md": "../AGENTS.md",
        "memory/dangling.md": "nowhere.md",
        "memory/out.md": str(m.beside / "outside.md"),
        "memory/linked": str(m.beside / "folder"),
        "notes": "memory",
        "memory/loop.md": "loop.md",
        "LINK.md": "memory/link.md",
        "memory/.#2025-12-01.md": "ada@host.1234:5678",
    }
    for path, target in targets.items():
        if m.free(path):
            m.place(path).symlink_to(target)
            if m.chance.random() < 0.5:
                m.kept.append(path)


def _instead(m: Maker, path: str, target: str) -> None:
    """Put a link in the place of a file, as it is on disk: the committed file stays."""
    place = m.at / path
    if place.is_symlink() or place.is_dir():
        return
    place.unlink(missing_ok=True)
    place.symlink_to(target)


@shape("files", 0.06, git=False)
def memory_file_is_a_link(m: Maker) -> None:
    (m.beside / "MEMORY.md").write_text(content.MEMORY)
    _instead(m, "MEMORY.md", m.chance.choice([str(m.beside / "MEMORY.md"), "memory/kept-there.md", "nowhere.md"]))


@shape("files", 0.06, git=False)
def soul_is_a_link(m: Maker) -> None:
    (m.beside / "SOUL.md").write_text(content.SOUL)
    _instead(m, "SOUL.md", str(m.beside / "SOUL.md"))


@shape("files", 0.06, git=False)
def memory_file_is_a_folder(m: Maker) -> None:
    place = m.at / "MEMORY.md"
    if place.is_symlink():
        return
    place.unlink(missing_ok=True)
    place.mkdir()
    (place / "part.md").write_text("- part\n")


@shape("files", 0.05, git=False)
def memory_folder_is_a_link(m: Maker) -> None:
    folder = m.at / "memory"
    if folder.is_dir() and not folder.is_symlink():
        folder.rename(m.beside / "memory")
        folder.symlink_to(m.beside / "memory")
        m.kept[:] = [path for path in m.kept if not path.startswith("memory/")]


@shape("files", 0.05, git=False)
def files_where_folders_belong(m: Maker) -> None:
    for name in ("Archive", "agents"):
        if m.free(name):
            m.write(name, "not a folder\n")


@shape("files", 0.05, git=False)
def sidecar_of_another(m: Maker) -> None:
    m.keep(".clawgit/format", "version = 99\n")
    m.keep(".clawgit/notes.txt", "mine\n")


@shape("files", 0.2, git=False)
def no_regular_files(m: Maker) -> None:
    """A pipe, on which a reader waits for ever, and a socket."""
    for name in ("memory/pipe.md", "pipe"):
        if m.free(name):
            os.mkfifo(m.place(name))
    if not m.free("memory/socket.md"):
        return
    folder = os.open(m.place("memory/socket.md").parent, os.O_DIRECTORY)  # a path may be too long for a socket
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{folder}/socket.md")
    os.close(folder)


@shape("files", git=False)
def odd_modes(m: Maker) -> None:
    for path, mode in {"memory/run.md": 0o755, "memory/private.md": 0o600, "memory/locked.md": 0o444}.items():
        m.keep(path, f"- mode {mode:o}\n", mode)
    if (m.at / "USER.md").is_file():
        (m.at / "USER.md").chmod(0o600)


@shape("files", 0.2, git=False)
def read_only_folder(m: Maker) -> None:
    m.keep("memory/sealed/x.md", "- sealed\n")
    if (m.at / "memory/sealed").is_dir():
        (m.at / "memory/sealed").chmod(0o555)


# ---- what others put there


@shape("files", 0.4, git=False)
def files_with_our_names(m: Maker) -> None:
    """Somebody else had the same idea."""
    texts = {
        "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- first release of my bot\n",
        "CONFIG.md": "# Config\n\nmodel: opus\n\n```yaml\nsoul_max_tokens: lots\nbranch:\n```\n",
        "CORRECTIONS.md": "# Corrections\n\n- it is Tuesday\n",
        "CONFLICTS.md": "nothing yet",
        "Archive/old.md": "- old\n",
        "COMPACTION_LOG.md": "compacted by hand\n",
    }
    for name in m.chance.sample(sorted(texts), k=m.chance.randint(1, len(texts))):
        m.keep(name, texts[name])


@shape("files", git=False)
def installed_things(m: Maker) -> None:
    for path in (
        "node_modules/left-pad/README.md",
        "node_modules/left-pad/memory/2025-12-01.md",
        ".venv/lib/site-packages/x/SOUL.md",
        "build/out/MEMORY.md",
    ):
        m.write(path, "# Not ours\n")


@shape("files", 0.25, git=False)
def repositories_inside(m: Maker) -> None:
    for path in ("memory/clone", "workbench/tool"):
        if m.free(f"{path}/MEMORY.md") and not os.path.lexists(m.at / path):
            nested(m, path, commit=m.chance.random() < 0.7)


@shape("files", 0.15, git=False)
def agents_workspace_inside(m: Maker) -> None:
    """The workspace of a second agent, with a repository of its own, among our agents."""
    if not os.path.lexists(m.at / "agents/scout") and m.free("agents/scout/SOUL.md"):
        nested(m, "agents/scout", commit=True)
        (m.at / "agents/scout/SOUL.md").write_text("# Scout\n")
