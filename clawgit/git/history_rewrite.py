"""Takes words or files out of all of history."""

import contextlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from clawgit.errors import ClawgitError, Command, package_missing, purge_failed, purge_incomplete
from clawgit.git import own_commits, phrase_forms, repository
from clawgit.git.git_command import decode_lines, git, make_git_environment, objects
from clawgit.git.repository import Oid, Repository

_SECONDS = 1800.0
_BATCH = 2000
_KINDS = ("blob", "commit", "tag", "tree")
_TEMPORARY = "refs/clawgit/purge/"
_STASHES, _HEADS, _NEW = (f"{_TEMPORARY}{name}/" for name in ("stash", "head", "new"))
_NAME = b"purged"  # stands in the name of a reference, which takes no brackets
_OPTIONS = ("--force", "--prune-empty", "never", "--prune-degenerate", "never", "--quiet")


class Order(Struct, frozen=True):
    """An order for a purge: phrases in all their forms, and files. `names` maps old names of files to new ones.

    `rewrite_blob` and `rewrite_message` get the remaining text of each file and message.
    """

    phrases: tuple[bytes, ...] = ()
    paths: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    rewrite_blob: Callable[[bytes], bytes] = bytes
    rewrite_message: Callable[[bytes], bytes] = bytes


class Rewritten(Struct, frozen=True):
    """A mirror with the new history: references before and after, and the new ids of commits and blobs by the old ones.

    `names` are the references with a new name, by the old one; `stashes` the entries of the stash, the newest first.
    """

    mirror: Path
    before: Mapping[str, Oid]
    after: Mapping[str, Oid]
    commits: Mapping[Oid, Oid]
    blobs: Mapping[Oid, Oid]
    names: Mapping[str, str]
    stashes: tuple[tuple[Oid, str], ...]


def find_objects(
    root: Path, phrases: Sequence[bytes], kinds: Collection[str] = _KINDS
) -> Iterator[tuple[Oid, str, bytes]]:
    """Yield the objects with a phrase in them, reachable or not: id, kind, bytes."""
    words = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    rows = (row.split() for row in git(root, *words, timeout=_SECONDS).decode().splitlines())
    oids = [oid for oid, kind in rows if kind in kinds]
    for start in range(0, len(oids), _BATCH):
        for oid, (kind, data) in objects(root, oids[start : start + _BATCH]).items():
            if phrase_forms.has_phrase(data, phrases):
                yield oid, kind, data


def rename_files(repo: Repository, phrases: Sequence[bytes]) -> dict[str, str]:
    """Return a new name for each file of history with a phrase in its name; two files never get the same one."""
    words = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "--name-only", "-z")
    raw_names = git(repo.root, *words, timeout=_SECONDS).split(b"\0")
    names = {os.fsdecode(name.strip(b"\n")) for name in raw_names if name.strip(b"\n")}
    renamed: dict[str, str] = {}
    for name in sorted(names):
        if phrase_forms.has_phrase(os.fsencode(name), phrases):
            plain = os.fsdecode(phrase_forms.remove_phrases(os.fsencode(name), phrases))
            new, number = plain, 2
            while new in names:
                new, number = f"{plain}-{number}", number + 1
            renamed[name] = new
            names.add(new)
    return renamed


def rename_reference(name: str, phrases: Sequence[bytes]) -> str:
    """Return the name of a reference without phrases."""
    return os.fsdecode(phrase_forms.remove_phrases(os.fsencode(name), phrases, _NAME))


def clear(repo: Repository) -> None:
    """Drop the mirrors and temporary references of killed processes."""
    for folder in (repo.commondir / "clawgit").glob("purge-*/"):
        shutil.rmtree(folder, ignore_errors=True)
    for name in repository.list_references(repo.root):
        if name.startswith(_TEMPORARY):
            git(repo.root, "update-ref", "-d", name)


@contextlib.contextmanager
def rewrite_mirror(repo: Repository, order: Order) -> Iterator[Rewritten]:
    """Rewrite a mirror beside the repository, and read all of it again.

    Raises ClawgitError if git-filter-repo fails or is missing, and while any of it is left.
    """
    if find_spec("git_filter_repo") is None:
        raise package_missing("purge needs git-filter-repo", fix=Command("pip install clawgit[purge]"))
    folder = Path(tempfile.mkdtemp(prefix="purge-", dir=repo.commondir / "clawgit"))
    mirror, output = folder / "mirror.git", b""
    with contextlib.suppress(ClawgitError):  # of no stash
        output = git(repo.root, "reflog", "show", "--format=%H%x00%gs", "refs/stash")
    stashes = [(row[:40], row[41:]) for row in decode_lines(output) if "\0" in row]
    try:
        # A mirror has references alone, so older stash entries and detached heads get some for this time.
        for number, (oid, _) in enumerate(stashes):
            git(repo.root, "update-ref", f"{_STASHES}{number}", oid)
        for number, checkout in enumerate(repository.list_checkouts(repo)):
            git(repo.root, "update-ref", f"{_HEADS}{number}", checkout.head)
        before = repository.list_references(repo.root)
        words = ("clone", "--quiet", "--mirror", "--no-hardlinks", str(repo.commondir), str(mirror))
        git(repo.root, *words, timeout=_SECONDS)
        blobs = _filter(mirror, order)
        if left := [oid for oid, _, _ in find_objects(mirror, order.phrases)]:
            raise purge_incomplete(f"still in {len(left)} objects, such as {left[0]}", fix=Command("clawgit doctor"))
        pairs = (row.split(" ") for row in (mirror / "filter-repo/commit-map").read_text().splitlines()[1:])
        # git-filter-repo writes zeros for a commit that it dropped.
        commits = {old: new for old, new in pairs if new.strip("0")}
        _move_notes(mirror, commits | blobs)
        names = {name: rename_reference(name, order.phrases) for name in before}
        # git-filter-repo makes branches of what a clone knows of its remote.
        references = repository.list_references(mirror)
        after = {name: references.get(names[name]) or commits.get(oid, oid) for name, oid in before.items()}
        titles = (os.fsdecode(phrase_forms.remove_phrases(os.fsencode(title), order.phrases)) for _, title in stashes)
        new_stashes = ((after[f"{_STASHES}{number}"], title) for number, title in enumerate(titles))
        renames = {name: new for name, new in names.items() if new != name}
        yield Rewritten(mirror, before, after, commits, blobs, renames, tuple(new_stashes))
    finally:
        clear(repo)


def _filter(mirror: Path, order: Order) -> dict[Oid, Oid]:
    """Rewrite a mirror in a process of its own; return the new ids of blobs."""
    process = subprocess.run(
        [sys.executable, "-m", __name__],
        cwd=mirror,
        env=make_git_environment(mirror) | {"PYTHONPATH": os.pathsep.join(sys.path)},
        input=pickle.dumps(order),
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    if process.returncode:
        words = process.stderr.decode("utf-8", "replace").strip().splitlines() or [str(process.returncode)]
        raise purge_failed(f"git-filter-repo: {words[-1]}", fix=Command("clawgit doctor"))
    blobs: dict[Oid, Oid] = pickle.loads(process.stdout)  # noqa: S301 - of our own process
    return blobs


def main() -> None:
    """Rewrite the repository of this folder by the order on stdin; write the new ids of blobs to stdout."""
    engine: Any = import_module("git_filter_repo")  # an extra
    order: Order = pickle.load(sys.stdin.buffer)  # noqa: S301 - of our own process
    blobs: dict[Oid, Oid] = {}

    def plain(data: bytes) -> bytes:
        return phrase_forms.remove_phrases(data, order.phrases)

    def change_blob(blob: Any, _: object) -> None:
        data = order.rewrite_blob(plain(blob.data))
        if data != blob.data:
            blobs[blob.original_id.decode()] = repository.hash_blob(data)
            blob.data = data

    options = [*_OPTIONS, *(word for path in order.paths for word in ("--path", path))]
    options += ["--invert-paths"] if order.paths else []
    # stdout carries the answer, so the output of git-filter-repo goes to stderr.
    with contextlib.redirect_stdout(sys.stderr):
        engine.RepoFilter(
            engine.FilteringOptions.parse_args(options),
            blob_callback=change_blob,
            message_callback=lambda text: order.rewrite_message(plain(text)),
            name_callback=plain,
            email_callback=plain,
            filename_callback=lambda name: (
                os.fsencode(order.names.get(os.fsdecode(name or b""), "")) or plain(name or b"")
            ),
            refname_callback=lambda name: os.fsencode(rename_reference(os.fsdecode(name), order.phrases)),
        ).run()
    sys.stdout.buffer.write(pickle.dumps(blobs))


def _move_notes(mirror: Path, ids: Mapping[Oid, Oid]) -> None:
    """Move notes to the commits and files in the place of theirs, in the newest commit of the notes."""
    for name, tip in repository.list_references(mirror).items():
        if name.startswith("refs/notes/"):
            rows = (row.partition(b"\t") for row in git(mirror, "ls-tree", "-r", "-z", tip).split(b"\0") if row)
            notes = {os.fsdecode(path).replace("/", ""): head for head, _, path in rows}
            tree = b"".join(b"%b\t%b\0" % (head, os.fsencode(ids.get(oid, oid))) for oid, head in notes.items())
            new_tree = git(mirror, "mktree", "-z", stdin=tree).strip()
            _, line, rest = git(mirror, "cat-file", "commit", tip).partition(b"\n")
            new = git(mirror, "hash-object", "-t", "commit", "-w", "--stdin", stdin=b"tree " + new_tree + line + rest)
            git(mirror, "update-ref", name, new.decode().strip())


def fetch(repo: Repository, rewritten: Rewritten) -> None:
    """Bring in the objects of the mirror; only temporary references lead to them."""
    words = ("--quiet", "--no-write-fetch-head", "--no-tags", str(rewritten.mirror), f"+refs/*:{_NEW}*")
    git(repo.root, "fetch", *words, timeout=_SECONDS)


def move_references(repo: Repository, rewritten: Rewritten) -> None:
    """Move all references, and the HEAD of each working tree, to the new history, at once."""
    # The record comes first: a reference must lead to no commit that it lacks.
    own_commits.rename(repo, rewritten.commits)
    detached = [checkout for checkout in repository.list_checkouts(repo) if not checkout.branch]
    after, names = rewritten.after, rewritten.names
    lines = [f"delete {name} {rewritten.before[name]}\ncreate {new} {after[name]}" for name, new in names.items()]
    lines += [
        f"update {name} {after[name]} {oid}"
        for name, oid in rewritten.before.items()
        if after[name] != oid and name not in names
    ]
    text = "".join(f"{line}\n" for line in ("start", *lines, "prepare", "commit"))
    git(repo.root, "update-ref", "--stdin", stdin=text.encode("utf-8", "surrogateescape"))
    for checkout in detached:
        git(checkout.root, "update-ref", "--no-deref", "HEAD", rewritten.commits.get(checkout.head, checkout.head))


def drop_unreachable(repo: Repository, stashes: Sequence[tuple[Oid, str]]) -> None:
    """Drop all reflogs, and the objects that nothing leads to; these entries of the stash stay."""
    for name in ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "AUTO_MERGE"):
        (repo.commondir / name).unlink(missing_ok=True)
    git(repo.root, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    if stashes:
        git(repo.root, "update-ref", "-d", "refs/stash")
        # The entry that is stored last is the newest of the stash.
        for oid, title in reversed(stashes):
            git(repo.root, "stash", "store", "-m", title, oid)
    git(repo.root, "gc", "--quiet", "--prune=now", timeout=_SECONDS)


def back_up(repo: Repository, place: Path) -> None:
    """Put all of history into a bundle that its owner alone can read. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    git(repo.root, "bundle", "create", "--quiet", str(place), "--all", timeout=_SECONDS)
    place.chmod(0o600)


if __name__ == "__main__":
    main()
