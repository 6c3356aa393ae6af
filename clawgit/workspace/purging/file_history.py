"""What history knows of a file that is purged."""

import json
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from clawgit.errors import Advice, file_kind, quoted
from clawgit.git import phrase_forms, repository, rewriting
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.workspace.purging.file_walk import walked
from clawgit.workspace.purging.purge_unreached import EVERY, listed
from clawgit.workspace.workspace import Workspace


def require_file(workspace: Workspace, path: str) -> None:
    """Raise UsageError for what is a folder, or was one: all below it would go."""
    told = git(workspace.root, *EVERY, "--name-only", "--", path)
    below = any(os.fsdecode(one.strip(b"\n")).startswith(f"{path}/") for one in told.split(b"\0"))
    if below or any((one.root / path).is_dir() for one in rewriting.checkouts(workspace.repo)):
        fix = f"clawgit purge --path FILE   # each by itself; git log --name-only -- {quoted(path)} lists them"
        raise file_kind(f"{path} is a folder, or was one", fix=Advice(fix))


def elsewhere(
    workspace: Workspace, path: str, blobs: Collection[Oid], kept: Iterable[tuple[str, Path]]
) -> Iterator[str]:
    """Yield where the words of a file stand besides, which stay there."""
    ours = {one.root / path for one in rewriting.checkouts(workspace.repo)}
    texts = {one: repository.blob(workspace.repo, one) for one in blobs}
    sizes = {len(data) for data in texts.values() if data}
    filled = frozenset(one for one, data in texts.items() if data)
    names = dict.fromkeys(_other_names(workspace, path, filled))
    for root, place in walked(workspace):
        name = place.relative_to(root).as_posix()
        if place not in ours and name not in names and _is_copy(place, sizes, texts):
            names[name] = None
    if names:
        yield f"the same file under other names, which stays there: {listed(list(names))}"
    forms = sorted({form for data in texts.values() for form in _forms(data.strip())})
    if beside := [str(place) for _, place in kept if _holds(place, forms)]:
        yield f"what is kept beside history, with all that stood in it: {listed(beside)}"
    yield "what quotes it in other files, messages and messages of commits: clawgit purge --text - < FILE looks for it"


def _other_names(workspace: Workspace, path: str, blobs: frozenset[Oid]) -> Iterator[str]:
    told = git(workspace.root, *EVERY, "--raw", "--no-abbrev").split(b"\0")
    rows = iter(one.strip(b"\n") for one in told)
    for row in rows:
        if row.startswith(b":"):
            _, _, old, new, _ = row.decode().split(" ")
            name = os.fsdecode(next(rows))
            if name != path and not blobs.isdisjoint((old, new)):
                yield name


def _is_copy(place: Path, sizes: Collection[int], blobs: Collection[Oid]) -> bool:
    try:
        return (
            place.is_file()
            and not place.is_symlink()
            and place.stat().st_size in sizes
            and repository.hash_blob(place.read_bytes()) in blobs
        )
    except OSError:
        return False


def _forms(data: bytes) -> Iterator[bytes]:
    if len(data) >= phrase_forms.LEAST:
        text = data.decode("utf-8", "replace")
        yield from (data, json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode())


def _holds(place: Path, forms: Iterable[bytes]) -> bool:
    try:
        data = place.read_bytes()
    except OSError:
        return False
    return any(one in data for one in forms)
