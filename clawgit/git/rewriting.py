"""Takes something out of all of history."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct, field

from clawgit.errors import ClawgitError, Command, package_missing, purge_failed, purge_incomplete
from clawgit.git import own_commits, phrase_forms
from clawgit.git.git_command import environment, git
from clawgit.git.repository import Oid, Repository

_PATIENCE = 1800.0
STASHES = "refs/clawgit/purge/stash/"
"""Where the entries of the stash are while history is rewritten, by their number."""
_HEADS = "refs/clawgit/purge/head/"
_NEWS = "refs/clawgit/purge/new/"
_OURS = (STASHES, _HEADS, _NEWS)
_NAME = b"purged"  # what stands in the name of a reference, which takes no brackets


class Order(Struct, frozen=True):
    """What goes: phrases in all their forms, files; and the hashes of entries, old to new.

    `names` are the files that are called otherwise, old to new; two never come to the same name.
    """

    phrases: tuple[bytes, ...] = ()
    paths: tuple[str, ...] = ()
    rows: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


class Checkout(Struct, frozen=True):
    """A working tree of the repository: its folder, its commit, and the branch that it is on, "" for none."""

    root: Path
    head: Oid
    branch: str = ""


class Rewritten(Struct, frozen=True):
    """A mirror in which it is gone: what references lead to before and after, and the maps of commits and blobs.

    `names` are the references that are called otherwise, old to new.
    """

    mirror: Path
    before: Mapping[str, Oid]
    after: Mapping[str, Oid]
    commits: Mapping[Oid, Oid]
    blobs: Mapping[Oid, Oid]
    names: Mapping[str, str] = field(default_factory=dict)


def holding(
    root: Path, phrases: Sequence[bytes], kinds: Sequence[str] = ("blob", "commit", "tag", "tree")
) -> Iterator[tuple[Oid, str, bytes]]:
    """Yield the objects that hold a phrase, reached or not: id, kind, bytes. All of these kinds are read."""
    listed = git(
        root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)", timeout=_PATIENCE
    )
    rows = [row.split() for row in listed.splitlines()]
    yield from _read(root, [oid for oid, kind in rows if kind.decode() in kinds], phrases)


def _read(root: Path, oids: Sequence[bytes], phrases: Sequence[bytes]) -> Iterator[tuple[Oid, str, bytes]]:
    for at in range(0, len(oids), 2000):
        some = oids[at : at + 2000]
        data = git(root, "cat-file", "--batch", stdin=b"".join(one + b"\n" for one in some), timeout=_PATIENCE)
        place = 0
        for _ in some:
            end = data.index(b"\n", place)
            oid, kind, size = data[place:end].split()
            body = data[end + 1 : end + 1 + int(size)]
            place = end + 2 + int(size)
            if phrase_forms.holds(body, phrases):
                yield oid.decode(), kind.decode(), body


def references(repo: Repository) -> dict[str, Oid]:
    """Return all references with what they lead to, without those that only name another one, as a clone's `HEAD`."""
    form = "--format=%(objectname) %(refname) %(symref)"
    listed = git(repo.root, "for-each-ref", form).decode("utf-8", "surrogateescape")
    rows = (row.split(" ") for row in listed.splitlines())
    return {name: oid for oid, name, symbolic in rows if not symbolic}


def stashes(repo: Repository) -> list[tuple[Oid, str]]:
    """Return the entries of the stash, the newest first, with their titles."""
    try:
        told = git(repo.root, "reflog", "show", "--format=%H%x00%gs", "refs/stash").decode("utf-8", "replace")
    except ClawgitError:
        return []
    return [(row.partition("\0")[0], row.partition("\0")[2]) for row in told.splitlines() if "\0" in row]


def checkouts(repo: Repository) -> Iterator[Checkout]:
    """Yield the working trees of the repository that are there and have a commit."""
    listed = git(repo.root, "worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    for block in listed.split("\n\n"):
        said = dict(row.partition(" ")[::2] for row in block.split("\n") if row)
        if (head := said.get("HEAD", "")).strip("0") and "prunable" not in said and "bare" not in said:
            yield Checkout(Path(said["worktree"]), head, said.get("branch", ""))


def names(repo: Repository, phrases: Sequence[bytes]) -> Mapping[str, str]:
    """Return the files of all of history whose name holds a phrase, with the names that they get."""
    words = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "--name-only", "-z")
    told = git(repo.root, *words, timeout=_PATIENCE)
    every = {os.fsdecode(one.strip(b"\n")) for one in told.split(b"\0") if one.strip(b"\n")}
    return new_names(every, phrases)


def new_names(every: Collection[str], phrases: Sequence[bytes]) -> Mapping[str, str]:
    """Return the names that hold a phrase with those that they get, which no other has."""
    found: dict[str, str] = {}
    taken = set(every)
    for name in sorted(every):
        data = os.fsencode(name)
        if phrase_forms.holds(data, phrases):
            new = plain = os.fsdecode(phrase_forms.without(data, phrases))
            number = 2
            while new in taken:
                new, number = f"{plain}-{number}", number + 1
            found[name] = new
            taken.add(new)
    return found


def renamed(name: str, phrases: Sequence[bytes]) -> str:
    """Return the name of a reference without phrases."""
    return phrase_forms.without(os.fsencode(name), phrases, _NAME).decode("utf-8", "surrogateescape")


def clear(repo: Repository) -> None:
    """Drop the mirrors of those who were killed."""
    for folder in (repo.commondir / "clawgit").glob("purge-*"):
        if folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def rewritten(repo: Repository, order: Order, worker: str) -> Iterator[Rewritten]:
    """Have `worker`, a module, rewrite a mirror beside the repository, and read all of that again.

    Raises ClawgitError while any of it is left.
    """
    require_engine()
    folder = Path(tempfile.mkdtemp(prefix="purge-", dir=repo.commondir / "clawgit"))
    try:
        for number, (oid, _) in enumerate(stashes(repo)):
            git(repo.root, "update-ref", f"{STASHES}{number}", oid)
        for number, one in enumerate(checkouts(repo)):
            git(repo.root, "update-ref", f"{_HEADS}{number}", one.head)
        before = references(repo)
        mirror = folder / "mirror.git"
        git(
            repo.root,
            "clone",
            "--quiet",
            "--mirror",
            "--no-hardlinks",
            str(repo.commondir),
            str(mirror),
            timeout=_PATIENCE,
        )
        blobs = _filter(mirror, order, worker)
        left = [oid for oid, _, _ in holding(mirror, order.phrases)]
        if left:
            raise purge_incomplete(f"still in {len(left)} objects, such as {left[0]}", fix=Command("clawgit doctor"))
        rows = (mirror / "filter-repo/commit-map").read_text().split("\n")[1:]
        commits = {old: new for old, _, new in (row.partition(" ") for row in rows) if new and new.strip("0")}
        _move_notes(mirror, commits | dict(blobs))
        names = {name: new for name in before if (new := renamed(name, order.phrases)) != name}
        targets = _targets(mirror)
        after = {name: targets.get(names.get(name, name)) or commits.get(oid, oid) for name, oid in before.items()}
        yield Rewritten(mirror, before, after, commits, blobs, names)
    finally:
        for name in references(repo):
            if name.startswith(_OURS):
                git(repo.root, "update-ref", "-d", name)
        shutil.rmtree(folder, ignore_errors=True)


def _move_notes(mirror: Path, ids: Mapping[Oid, Oid]) -> None:
    """Have notes stand at the commits and files that took the place of theirs, in the newest commit of the notes."""
    moved = {old: new for old, new in ids.items() if old != new}
    who = ("-c", "user.name=clawgit", "-c", "user.email=clawgit@localhost")
    for name, tip in _targets(mirror).items():
        if not name.startswith("refs/notes/"):
            continue
        listed = git(mirror, "notes", f"--ref={name}", "list").decode().split("\n")
        noted = [row.split()[1] for row in listed if row]
        pairs = "".join(f"{one} {moved[one]}\n" for one in noted if one in moved)
        if pairs:
            git(mirror, *who, "notes", f"--ref={name}", "copy", "--force", "--stdin", stdin=pairs.encode())
            olds = "".join(f"{one}\n" for one in noted if one in moved)
            git(mirror, *who, "notes", f"--ref={name}", "remove", "--ignore-missing", "--stdin", stdin=olds.encode())
            tree = git(mirror, "rev-parse", f"{name}^{{tree}}").strip()
            _, line, rest = git(mirror, "cat-file", "commit", tip).partition(b"\n")
            new = git(mirror, "hash-object", "-t", "commit", "-w", "--stdin", stdin=b"tree " + tree + line + rest)
            git(mirror, "update-ref", name, new.decode().strip())


def _targets(mirror: Path) -> dict[str, Oid]:
    listed = git(mirror, "for-each-ref", "--format=%(objectname) %(refname)").decode("utf-8", "surrogateescape")
    return {name: oid for oid, name in (row.split(" ", 1) for row in listed.splitlines())}


def _filter(mirror: Path, order: Order, worker: str) -> Mapping[Oid, Oid]:
    words = {
        "phrases": [base64.b64encode(phrase).decode() for phrase in order.phrases],
        "paths": list(order.paths),
        "rows": dict(order.rows),
        "names": {_coded(old): _coded(new) for old, new in order.names.items()},
    }
    done = subprocess.run(
        [sys.executable, "-m", worker],
        cwd=mirror,
        env=environment(mirror) | {"PYTHONPATH": os.pathsep.join(sys.path)},
        input=json.dumps(words).encode(),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise purge_failed(f"git-filter-repo: {said[-1] if said else done.returncode}", fix=Command("clawgit doctor"))
    found: Mapping[Oid, Oid] = json.loads(done.stdout)
    return found


def _coded(name: str) -> str:
    return base64.b64encode(os.fsencode(name)).decode()


def require_engine() -> None:
    """Raise ClawgitError where git-filter-repo is not installed."""
    if find_spec("git_filter_repo") is None:
        raise package_missing("purge needs git-filter-repo", fix=Command("pip install clawgit[purge]"))


def fetch(repo: Repository, found: Rewritten) -> None:
    """Bring in the objects of what was rewritten; nothing leads to them but references of ours."""
    words = ("--quiet", "--no-write-fetch-head", "--no-tags", str(found.mirror), f"+refs/*:{_NEWS}*")
    git(repo.root, "fetch", *words, timeout=_PATIENCE)


def swap(repo: Repository, found: Rewritten) -> None:
    """Have all references, and the HEAD of each working tree, lead to what was rewritten, at once."""
    own_commits.rename(repo, found.commits)
    trees = list(checkouts(repo))
    lines = [f"delete {name} {found.before[name]}" for name in found.names]
    lines += [f"create {new} {found.after[name]}" for name, new in found.names.items()]
    lines += [
        f"update {name} {found.after[name]} {oid}"
        for name, oid in found.before.items()
        if found.after[name] != oid and name not in found.names
    ]
    lines += [f"delete {name}" for name in references(repo) if name.startswith(_NEWS)]
    text = "".join(f"{line}\n" for line in ("start", *lines, "prepare", "commit"))
    git(repo.root, "update-ref", "--stdin", stdin=text.encode("utf-8", "surrogateescape"))
    for one in trees:
        if not one.branch:
            git(one.root, "update-ref", "--no-deref", "HEAD", found.commits.get(one.head, one.head))
        elif one.branch in found.names:
            git(one.root, "symbolic-ref", "HEAD", found.names[one.branch])


def forget(repo: Repository, kept: Sequence[tuple[Oid, str]]) -> None:
    """Drop what nothing leads to any more, with all reflogs; the entries of the stash that are `kept` stay."""
    for name in ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "AUTO_MERGE"):
        (repo.commondir / name).unlink(missing_ok=True)
    git(repo.root, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    if kept:
        git(repo.root, "update-ref", "-d", "refs/stash")
        for oid, title in reversed(kept):
            git(repo.root, "stash", "store", "-m", title, oid)
    git(repo.root, "gc", "--quiet", "--prune=now", timeout=_PATIENCE)


def backup(repo: Repository, place: Path) -> None:
    """Put all of history into a bundle that its owner alone can read."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_CREAT | os.O_WRONLY, 0o600)
    os.close(handle)
    git(repo.root, "bundle", "create", "--quiet", str(place), "--all", timeout=_PATIENCE)
    place.chmod(0o600)
