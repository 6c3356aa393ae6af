"""`clawgit adopt` and `clawgit eject`."""

import subprocess
from collections.abc import Callable
from pathlib import Path

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


def test_what_would_be_refused_is_said_by_the_dry_run_too(call: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "lived"
    (folder / "memory").mkdir(parents=True)
    (folder / "SOUL.md").write_text("# Soul\n\n- Calm.\n")
    (folder / "MEMORY.md").write_text("- Deploys on Monday.\n")
    (folder / "memory/2026-01-20.md").write_text(f"key {KEY}\n")
    (folder / "memory/2026-01-21.md").write_text("- one\n")
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "SOUL.md"),
        ("commit", "-qm", "x"),
        ("checkout", "-q", "--detach"),
    ):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True)
    answer = call("adopt", folder, "--dry-run")
    assert answer.code == 0
    assert "HEAD is detached" in answer.err
    refusal = call("adopt", folder)
    assert (refusal.code, refusal.out) == (1, "")
    assert "error: HEAD is detached" in refusal.err
    assert not (folder / ".git/clawgit").exists()


def test_files_of_others_and_links_stay_and_rules_are_added_below_theirs(
    call: Callable, tmp_path: Path, git: Callable[..., str]
) -> None:
    folder, elsewhere = tmp_path / "lived", tmp_path / "elsewhere"
    elsewhere.mkdir()
    theirs = {"SOUL.md": b"# Soul\n", "CONFIG.md": b"# mine\n", "CHANGELOG.md": b"# mine\n"}
    for path, data in {**theirs, ".gitignore": b"*.log\r\n.env\r\n"}.items():
        folder.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "agents").symlink_to(elsewhere)
    git("init", "--quiet", "-b", "main", folder)
    git("add", ".", cwd=folder)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one", cwd=folder)
    call("adopt", folder, "--minimal")
    assert git("diff", "--name-only", "HEAD~1", cwd=folder).split() == [".clawgit/entries.tsv", ".clawgit/format"]
    call("-C", folder, "eject", "--yes")
    assert call("adopt", folder).code == 0
    rules = (folder / ".gitignore").read_bytes()
    assert rules.startswith(b"*.log\r\n.env\r\n\r\n# added by clawgit\r\n.openclaw/\r\n")
    assert (rules.split().count(b".env"), b"/CHANGELOG.md\r\n" in rules) == (1, False)
    assert b"/SOUL_CHANGELOG.md\r\n" in rules
    assert call("-C", folder, "changelog").code == 0
    assert (folder / "SOUL_CHANGELOG.md").exists()
    call("-C", folder, "eject", "--yes")
    assert {path: (folder / path).read_bytes() for path in theirs} == theirs
    assert (folder / ".gitignore").read_bytes() == b"*.log\r\n.env\r\n"
    assert not (folder / "SOUL_CHANGELOG.md").exists()
    assert list(elsewhere.iterdir()) == []
