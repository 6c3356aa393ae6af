"""The packages: the same bytes from the same files, with all that belongs in them."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from clawgit import __version__
from tests.test_house import ROOT, name, repository_files


def built(folder: Path, umask: str, moment: int) -> dict[str, bytes]:
    """The wheel and the source archive of a copy that was made under this mask, its files of this moment."""
    for path in repository_files():
        place = folder / name(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        os.utime(place, (moment, moment))
    build = [sys.executable, "-m", "build", "--no-isolation"]
    result = subprocess.run(
        ["sh", "-c", f'umask {umask}; exec "$@"', "sh", *build], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return {place.name: place.read_bytes() for place in sorted((folder / "dist").iterdir())}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which both were built."""
    folder = tmp_path_factory.mktemp("packages")
    built(folder, "022", 1_700_000_000)
    return folder / "dist"


def test_two_builds_are_the_same_to_the_byte(packages: Path, tmp_path: Path) -> None:
    second_build = built(tmp_path, "077", 1_500_000_000)
    assert second_build == {place.name: place.read_bytes() for place in sorted(packages.iterdir())}
    assert [key.rpartition(__version__)[2] for key in second_build] == ["-py3-none-any.whl", ".tar.gz"]


def test_the_wheel_has_what_a_shell_and_man_look_for(packages: Path) -> None:
    with zipfile.ZipFile(next(packages.glob("*.whl"))) as wheel:
        names = {place.partition(".data/data/")[2] for place in wheel.namelist()}
    assert names >= {
        "share/man/man1/clawgit.1",
        "share/bash-completion/completions/clawgit",
        "share/zsh/site-functions/_clawgit",
        "share/fish/vendor_completions.d/clawgit.fish",
    }


def test_the_source_archive_has_what_its_readme_names(packages: Path) -> None:
    with tarfile.open(next(packages.glob("*.tar.gz"))) as archive:
        names = {place.partition("/")[2] for place in archive.getnames()}
    assert names >= {"README.md", "LICENSE", "Makefile", "CONTRIBUTING.md", "SECURITY.md", "docs/demo/screen.svg"}


def test_the_version_stands_in_one_place() -> None:
    files = (path for path in repository_files() if not name(path).startswith("tests/"))
    sources = [path for path in files if path.suffix in (".py", ".toml", ".cfg")]
    version_text = f'"{__version__}"'
    assert [name(path) for path in sources if version_text in path.read_text("utf-8")] == ["clawgit/__init__.py"]


@pytest.mark.skipif(shutil.which("man") is None, reason="man; get it: apt-get install man-db groff")
def test_the_manual_page_is_read_without_a_complaint() -> None:
    page = ROOT / "docs/share/man/man1/clawgit.1"
    result = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True)
    assert result.stderr == ""
    assert "clawgit soul diff [OPTIONS] [A] [B]" in result.stdout


# --- a release


CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n- Two.\n\n## [0.1.0] - 2026-01-01\n\n- Zero.\n"


@pytest.fixture(scope="module")
def release() -> ModuleType:
    """The script that `make release` runs."""
    spec = spec_from_file_location("release", ROOT / "docs/release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_release_cuts_what_is_unreleased_and_nothing_else(release: ModuleType) -> None:
    text = release.cut(CHANGES, "0.2.0", "2026-11-24")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-11-24\n\n### Added\n\n- One.\n" in text
    assert release.entries(text, "0.2.0") == 2
    assert text.replace("## [0.2.0] - 2026-11-24\n\n", "") == CHANGES


@pytest.mark.parametrize(
    ("version", "words"), [("0.2", "no version such as"), ("0.1.0", "already"), ("v0.2.0", "no version")]
)
def test_a_version_that_cannot_be_is_refused(release: ModuleType, version: str, words: str) -> None:
    with pytest.raises(release.RefusedError, match=words):
        release.cut(CHANGES, version, "2026-11-24")


def test_nothing_unreleased_is_no_release(release: ModuleType) -> None:
    with pytest.raises(release.RefusedError, match="nothing under"):
        release.cut(release.cut(CHANGES, "0.2.0", "2026-11-24"), "0.3.0", "2026-11-25")


def test_a_release_is_one_commit_and_a_tag_and_is_told_first(tmp_path: Path) -> None:
    """On a copy of all this, with git of its own."""
    for path in repository_files():
        place = tmp_path / name(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    for words in (["init", "--quiet", "-b", "main"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    environment = os.environ | {
        **{f"GIT_{role}_{field}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")},
        "PYTHONPATH": str(tmp_path),
    }

    def run(*words: str) -> str:
        command = [sys.executable, "docs/release.py", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    output = run("9.8.7")
    assert "would release 9.8.7" in output
    assert subprocess.run([*git, "tag"], cwd=tmp_path, capture_output=True, check=True).stdout == b""
    assert "released 9.8.7 here" in run("9.8.7", "--apply")
    output = subprocess.run(
        [*git, "log", "-1", "--format=%s %D"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert output.startswith("release: 9.8.7 ")
    assert "tag: v9.8.7" in output
    assert sorted(place.name for place in (tmp_path / "dist").iterdir()) == [
        "clawgit-9.8.7-py3-none-any.whl",
        "clawgit-9.8.7.tar.gz",
    ]
    assert "clawgit 9.8.7" in (tmp_path / "docs/share/man/man1/clawgit.1").read_text()
