"""A folder becomes a workspace, and nothing in it is lost."""

import pytest

from clawgit.workspace import memory
from clawgit.workspace.bootstrap import RITUAL, init

from .places import SOUL, Place

VIEWS = {"CHANGELOG.md", "COMPACTION_LOG.md"}


@pytest.fixture
def bare(memory_folder):
    """An empty folder that is no workspace yet."""
    return Place(memory_folder / "ws")


@pytest.fixture
def existing(bare):
    """A repository of somebody's own, with an identity and a commit."""
    bare.root.mkdir()
    bare.git("init", "--quiet", "--template=", "-b", "main")
    bare.git("config", "user.name", "Ada")
    bare.git("config", "user.email", "ada@example.org")
    bare.commit({"README.md": "mine\n", "SOUL.md": SOUL}, "mine")
    return bare


def test_the_ritual_comes_once_and_never_again(bare):
    """The agent deletes it when it is done; a new init, also of a copy, must not begin it anew."""
    init(bare.root)
    bare.write(RITUAL, None)
    init(bare.root)
    assert bare.read(RITUAL) is None
    bare.git("rm", "--quiet", "-r", "--cached", ".clawgit", RITUAL)
    bare.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "let go")
    bare.write(".clawgit/format", None)
    assert RITUAL not in init(bare.root).created
    assert bare.read(RITUAL) is None


@pytest.mark.parametrize("sign", ["SOUL.md", "memory/2026-01-01.md", "skills/x/SKILL.md"])
def test_the_ritual_is_not_for_an_agent_that_lives(bare, sign):
    bare.root.mkdir()
    bare.write(sign, "mine\n")
    born = init(bare.root)
    assert RITUAL not in born.created
    assert born.warnings == ()
    assert bare.read(sign) == b"mine\n"


def test_no_file_that_is_there_is_touched(bare):
    """Not its bytes, not its mode; what is text of the workspace is committed as it stands."""
    odd = {
        "SOUL.md": b"\xef\xbb\xbf# mine\r\n\r\nlast",
        "MEMORY.md": b"",
        "CONFIG.md": b"my own words\n",
        ".gitignore": b"*.log\n",
        "notes.md": b"n\n",
        "memory/deep/2025-01-01.md": b"old\n",
        "agents/memory-miner/SOUL.md": b"mine too\n",
        "src/app.py": b"x\n",
        "node_modules/a/README.md": b"x\n",
        "agents/other/notes.md": b"x\n",
    }
    bare.root.mkdir()
    for path, data in odd.items():
        bare.write(path, data)
    (bare.root / "SOUL.md").chmod(0o600)
    before = bare.tree()
    born = init(bare.root)
    assert {path: file for path, file in bare.tree().items() if path in odd} == before
    assert set(born.kept) == {path for path in odd if not path.startswith(("src", "node_modules", "agents/other"))}
    for path in born.kept:
        assert bare.committed(path) == odd[path]
    untracked = bare.git("ls-files", "--others").split()
    assert untracked == ["agents/other/notes.md", "node_modules/a/README.md", "src/app.py"]


def test_an_existing_repository_is_kept(existing):
    """One capture at most, one commit; history, branch, hooks and settings as they were."""
    before, config = existing.head, existing.read(".git/config")
    existing.write("memory/2026-01-01.md", "new\n")
    existing.write("src/app.py", "untracked\n")
    existing.write("README.md", "mine, dirty\n")
    born = init(existing.root)
    assert existing.git("log", "--format=%s").splitlines()[::2] == ["workspace: managed by clawgit", "mine"]
    assert existing.git("merge-base", "HEAD", before).strip() == before
    assert existing.committed("README.md") == b"mine, dirty\n"
    assert existing.git("status", "--porcelain") == "?? src/\n"
    assert existing.read(".git/config") == config
    assert RITUAL not in born.created
    assert existing.text("SOUL.md") == SOUL


@pytest.mark.parametrize("branch", ["feature/x"])
def test_another_branch_is_named_in_the_config(existing, branch):
    """Otherwise the next write would wait for main for ever."""
    existing.git("switch", "--quiet", "-c", branch)
    main = existing.git("rev-parse", "main")
    ws = init(existing.root).workspace
    assert ws.branch == branch
    ws.apply(memory.add_note(ws, "x"))
    assert existing.git("rev-parse", "main") == main
    existing.agrees()


def test_a_repository_without_a_commit_keeps_what_is_staged(bare):
    bare.root.mkdir()
    bare.git("init", "--quiet", "--template=", "-b", "trunk")
    bare.write("src/a.py", "x\n")
    bare.git("add", "src/a.py")
    ws = init(bare.root).workspace
    assert (ws.branch, ws.managed) == ("trunk", True)
    assert bare.git("status", "--porcelain") == "A  src/a.py\n"
    ws.apply(memory.add_note(ws, "x"))
    assert bare.git("status", "--porcelain") == "A  src/a.py\n"


def test_a_new_workspace_has_the_tree_of_the_specification_and_so_has_its_clone(bare, tmp_path):
    """Covers P14, §14: memory/, Archive/, the agents, the records, and both views, with nothing left to commit."""
    born = init(bare.root)
    folders = {"memory", "Archive/Chronicles", "Archive/Corrections"}
    assert {name for name in folders if (bare.root / name).is_dir()} == folders
    assert set(born.created) >= VIEWS
    assert all((bare.root / name).is_file() for name in VIEWS)
    assert bare.git("status", "--porcelain") == ""
    bare.git("clone", "--quiet", str(bare.root), str(tmp_path / "clone"))
    assert {name for name in folders if (tmp_path / "clone" / name).is_dir()} == folders
