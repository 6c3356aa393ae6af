"""`clawgit init`."""

import subprocess
from collections.abc import Callable
from pathlib import Path

FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")
OPERATORS = {
    *("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md"),
}
ODD = {
    "SOUL.md": b"\xef\xbb\xbf# mine\r\n\r\nlast",
    "CONFIG.md": b"my own words\n",
    ".gitignore": b"*.log\n",
    "memory/deep/2025-01-01.md": b"old\n",
    "agents/memory-miner/SOUL.md": b"mine too\n",
    "node_modules/a/README.md": b"x\n",
}


def test_a_new_folder_becomes_a_workspace_and_eject_leaves_what_is_the_operators(
    call: Callable, tmp_path: Path, git: Callable[..., str]
) -> None:
    """Covers P14, H1: the whole tree, in a clone as well; the ritual comes once and never again."""
    folder = tmp_path / "new"
    answer = call("init", folder, "--json")
    document = answer.json
    assert answer.code == 0
    assert set(document) == {"workspace", "branch", "created", "kept", "warnings", "report", "commit", "hooks"}
    assert (document["workspace"], document["branch"], document["kept"]) == (str(folder), "main", [])
    assert OPERATORS | {"CONFIG.md", ".clawgit/format", "CHANGELOG.md", "COMPACTION_LOG.md"} <= set(document["created"])
    assert document["commit"] == git("rev-parse", "HEAD", cwd=folder).strip()
    assert git("status", "--porcelain", cwd=folder) == ""
    git("clone", "--quiet", folder, tmp_path / "clone")
    assert all((place / name).is_dir() for place in (folder, tmp_path / "clone") for name in FOLDERS)
    repeated = call("init", folder, "--json")
    assert (repeated.code, repeated.json["commit"], repeated.json["reason"]) == (0, None, "it is managed already")

    assert call("-C", folder, "eject", "--yes").code == 0
    assert {place.name for place in folder.iterdir()} - {".git"} == OPERATORS
    (folder / "BOOTSTRAP.md").unlink()
    assert "BOOTSTRAP.md" not in call("init", folder, "--json").json["created"]
    assert not (folder / "BOOTSTRAP.md").exists()


def test_what_was_there_is_kept_to_the_byte(call: Callable, tmp_path: Path, git: Callable[..., str]) -> None:
    """Files, modes, branch, hooks, settings and staged changes; the next change goes to the branch at hand."""
    folder = tmp_path / "old"
    for path, data in ODD.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "SOUL.md").chmod(0o600)
    git("init", "--quiet", "--template=", "-b", "feature/x", folder)
    subprocess.run(["git", "config", "user.name", "Ada"], cwd=folder, check=True)
    (folder / "app.py").write_text("x\n")
    git("add", "app.py", cwd=folder)
    config = (folder / ".git/config").read_bytes()
    document = call("init", folder, "--json").json
    assert (document["branch"], "BOOTSTRAP.md" in document["created"]) == ("feature/x", False)
    assert set(document["kept"]) == {*ODD} - {"node_modules/a/README.md"}
    assert call("-C", folder, "journal", "add", "x").code == 0
    assert {path: (folder / path).read_bytes() for path in ODD} == ODD
    assert (folder / "SOUL.md").stat().st_mode & 0o777 == 0o600
    assert (folder / ".git/config").read_bytes() == config
    assert git("for-each-ref", "--format=%(refname)", "refs/heads", cwd=folder) == "refs/heads/feature/x\n"
    assert git("status", "--porcelain", "--", "app.py", cwd=folder) == "A  app.py\n"
