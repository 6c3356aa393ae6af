"""Nothing of the machine reaches a test, and no test reaches the machine."""

import os
import pwd
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_no_identity_leaks_from_the_machine(git: Callable[..., str]) -> None:
    levels = {line.partition("\t")[0] for line in git("config", "--list", "--show-scope").splitlines()}
    assert levels <= {"global", "local"}
    assert "user.name" not in git("config", "--global", "--list")


def test_libgit2_reads_the_sealed_home_alone(home: Path) -> None:
    import pygit2  # noqa: PLC0415 - a test of pure text must not pay for it

    for level in ("SYSTEM", "XDG", "GLOBAL", "PROGRAMDATA"):
        place = pygit2.settings.search_path[getattr(pygit2.enums.ConfigLevel, level)]
        assert Path(place).is_relative_to(home)
    assert "user.name" not in pygit2.Config.get_global_config()
    with pytest.raises(OSError):
        pygit2.Config.get_system_config()


def test_the_real_home_is_out_of_reach(home: Path, git: Callable[..., str]) -> None:
    """Files for the home land in the sealed one, through Python and through git."""
    real = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert Path.home() == Path("~").expanduser() == home != real
    git("config", "--global", "clawgit.sealed", "yes")
    try:
        assert "sealed = yes" in (home / ".gitconfig").read_text()
        assert not (real / ".gitconfig").exists() or "sealed = yes" not in (real / ".gitconfig").read_text()
    finally:
        git("config", "--global", "--remove-section", "clawgit")


def test_nothing_of_the_operators_environment_is_left(home: Path) -> None:
    ours = "CLAWGIT_TEST_"  # say where the tests find what they need
    names = [name for name in os.environ if not name.startswith(ours)]
    assert not [name for name in names if name.startswith(("CLAWGIT_", "OPENCLAW_"))]
    folders = [value for name, value in os.environ.items() if name.startswith("XDG_")]
    assert all(Path(folder).is_relative_to(home) for folder in folders)
    assert {"GIT_DIR", "GIT_AUTHOR_NAME", "EMAIL"}.isdisjoint(os.environ)
    assert time.tzname[0] == "UTC"


def test_text_alone_does_not_load_libgit2() -> None:
    """Tests of pure functions start without the cost of pygit2."""
    script = "import sys; sys.path.insert(0, 'tests'); import conftest; sys.exit('pygit2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
