"""A folder that an agent lives in becomes a workspace, and nothing in it changes."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace.adopt import adopt, look

from .places import AWS, DAY, SOUL, Place

PROMPT = "agents/memory-miner/SOUL.md"


@pytest.fixture
def lived(tmp_path):
    """A folder with two journals and a soul, without git."""
    found = Place(tmp_path / "ws")
    found.write("SOUL.md", SOUL)
    found.write(DAY, "- one\n")
    found.write("node_modules/x/README.md", "# x\n")
    return found


def under_git(lived, branch="main"):
    lived.git("init", "--quiet", "-b", branch)
    lived.git("config", "user.name", "Ada")
    lived.git("config", "user.email", "ada@example.org")
    lived.git("add", "SOUL.md")
    lived.git("commit", "--quiet", "-m", "one")
    return lived


def finished(path, **options):
    found = adopt(path, **options)
    if found.workspace:
        found.workspace.close()
    return found


def test_minimal_adds_nothing_but_its_own_folder(lived):
    found = finished(under_git(lived).root, minimal=True)
    assert set(found.additions) == {".clawgit/format", ".clawgit/entries.tsv"}
    assert lived.git("diff", "--name-only", "HEAD~1").split() == [".clawgit/entries.tsv", ".clawgit/format"]


def test_files_of_others_that_have_our_names_stay(lived):
    for path, text in {"CONFIG.md": "# mine\n", "CHANGELOG.md": "# mine\n", PROMPT: "# mine\n"}.items():
        lived.write(path, text)
    found = finished(lived.root)
    assert set(found.kept) == {"CONFIG.md", PROMPT}
    assert lived.text("CONFIG.md") == lived.text(PROMPT) == "# mine\n"
    assert "/CHANGELOG.md" not in lived.text(".gitignore").split()
    assert "/SOUL_CHANGELOG.md" in lived.text(".gitignore").split()


def test_rules_are_added_below_those_of_others_and_only_where_they_are_committed(lived):
    under_git(lived).commit({".gitignore": "*.log\r\n.env\r\n"})
    finished(lived.root)
    assert lived.read(".gitignore").startswith(b"*.log\r\n.env\r\n\r\n# added by clawgit\r\n.openclaw/\r\n")
    assert lived.read(".gitignore").split().count(b".env") == 1


def test_what_may_not_enter_history_is_held_back(lived):
    lived.write("memory/secret.md", f"key {AWS}\n")
    lived.write("memory/latin.md", b"\xe9\n")
    (lived.root / "memory/link.md").symlink_to("/etc/passwd")
    promised = look(lived.root).held
    found = finished(lived.root)
    assert found.held.keys() == promised.keys() == {f"memory/{name}.md" for name in ("secret", "latin", "link")}
    assert lived.git("ls-files", "memory").split() == [DAY]


def test_a_file_of_ours_is_not_put_behind_a_link_or_into_another_repository(lived, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (lived.root / "agents").symlink_to(tmp_path / "elsewhere")
    found = finished(lived.root)
    assert not any(path.startswith("agents/") for path in found.additions)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_failure_leaves_no_repository_behind(lived, monkeypatch):
    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("clawgit.git.commit_chain.build", full)
    before = lived.tree()
    with pytest.raises(ClawgitError, match="No space left"):
        adopt(lived.root)
    assert lived.tree() == before
    assert not (lived.root / ".git").exists()
