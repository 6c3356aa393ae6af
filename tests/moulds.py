"""Workspaces that are made once, and copied for each test."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

IDENTITY = "[user]\n\tname = Ada\n\temail = ada@example.org\n"


@pytest.fixture(scope="session", autouse=True)
def skip_fsync() -> Iterator[None]:
    """Leave out fsync for a conftest that imports this: other tests try crashes."""
    patch = pytest.MonkeyPatch()
    patch.setattr(os, "fsync", lambda handle: None)
    yield
    patch.undo()


def managed(folder: Path, soul: str = "", config: str = IDENTITY) -> Path:
    """Make a managed workspace: branch main, an identity and, if one is given, a soul."""
    from clawgit.workspace.bootstrap import init  # noqa: PLC0415 - tests of pure text do not load it

    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", folder], check=True)
    with (folder / ".git/config").open("a") as file:
        file.write(config)
    if soul:
        (folder / "SOUL.md").write_text(soul)
    init(folder).workspace.close()
    return packed(folder)


def packed(folder: Path) -> Path:
    """Put the objects of a repository into one pack: half the cost of a copy is their files and folders."""
    subprocess.run(["git", "repack", "-a", "-d", "-q"], cwd=folder, check=True)
    return folder


def copied(mould: Path, target: Path) -> Path:
    """Copy a mould, which stays as it is from then on; copytree takes three times as long."""
    folders, files, links = _read(mould)
    target.mkdir()
    for path, mode in folders:
        (target / path).mkdir(mode)
    for path, data, mode, times in files:
        handle = os.open(target / path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        os.write(handle, data)
        os.fchmod(handle, mode)
        os.utime(handle, ns=times)
        os.close(handle)
    for path, leads_to in links:
        (target / path).symlink_to(leads_to)
    return target


@cache
def _read(
    mould: Path,
) -> tuple[Sequence[tuple[str, int]], Sequence[tuple[str, bytes, int, tuple[int, int]]], Sequence[tuple[str, str]]]:
    """Return the folders, parents first, the files and the symbolic links of a mould."""
    folders, files, links = [], [], []
    for folder, names, others in os.walk(mould):
        for name in names + others:
            place = Path(folder, name)
            path, status = str(place.relative_to(mould)), place.lstat()
            if place.is_symlink():
                links.append((path, str(place.readlink())))
            elif name in names:
                folders.append((path, status.st_mode & 0o7777))
            else:
                files.append(
                    (path, place.read_bytes(), status.st_mode & 0o7777, (status.st_atime_ns, status.st_mtime_ns))
                )
    return folders, files, links
