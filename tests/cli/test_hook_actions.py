"""A hook as git calls it."""

import subprocess
import sys
from pathlib import Path

import pytest

HOOKS = ("pre-commit", "post-commit", "pre-push")


@pytest.mark.parametrize("name", HOOKS)
def test_what_no_hook_needs_is_not_loaded(name: str, space: Path) -> None:
    """Git waits, and each of these takes longer to load than most hooks take."""
    heavy = ("click", "pygit2", "markdown_it", "ruamel", "rapidfuzz", "rich", "clawgit.cli.lazy_commands")
    script = (
        "import sys; from clawgit.cli.main import main; code = main(sys.argv[1:]);"
        f"sys.exit(str([name for name in {heavy!r} if name in sys.modules] or code or ''))"
    )
    (space / "SOUL.md").write_text("# Soul\n\n- other\n")
    subprocess.run(["git", "commit", "--quiet", "-am", "x"], cwd=space, check=True)
    subprocess.run(["git", "rm", "--quiet", "--cached", "SOUL.md"], cwd=space, check=True)
    arguments = [sys.executable, "-c", script, "hook", "run", name]
    done = subprocess.run(arguments, cwd=space, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (1, "", "")
