"""The newest commit of each machine, at the shared place."""

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1, sha256
from pathlib import Path

from msgspec import Struct, field

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command, remote_failed
from clawgit.git import commit_graph, references, regular_file, repository
from clawgit.git.git_command import decode_lines, git, use_quarantine
from clawgit.git.repository import Oid, Repository
from clawgit.sync import control_files
from clawgit.workspace import purged_objects
from clawgit.workspace.trust_review import MIRROR, REWRITTEN, find_rewritten

HEADS = "refs/clawgit/heads/"
APPROVED = "refs/clawgit/approved/"
"""Below it stands what each machine approved, by its id."""
BRANCH = "branch"
"""What the branch is called among the heads."""
_PREFIX = "approved-"  # of the name of an approval
_SECONDS = 900.0
_MACHINE = re.compile(r"refs/clawgit/(?:heads|approved)/[k-z]{8}")
_FORBIDDEN = re.compile(r"transport '\S+' not allowed")
_OVERTAKEN = re.compile(r"\[rejected\]|cannot lock ref|incorrect old value")


class OvertakenError(Exception):
    """Another machine moved the shared branch: the merge is discarded, and made anew from the new heads."""


class SharedHeads(Struct, frozen=True):
    """The heads of machines ("branch" is the branch itself), and those that could not be looked at.

    `approved` are the commits with the approvals of a machine, by its id; `old` machines still have objects purged
    here, `purged` ones purged objects that are still here.
    """

    heads: Mapping[str, Oid]
    problems: tuple[ClawgitError, ...] = ()
    approved: Mapping[str, Oid] = field(default_factory=dict)
    old: tuple[str, ...] = ()
    purged: tuple[str, ...] = ()


class _Place:
    """The shared place of heads: `words` is its name in messages.

    Its content is known here by references of ours. `renamed` are commits that were purged here since, with their
    replacements.
    """

    def __init__(self, repo: Repository, words: str, label: str, limit: int, renamed: Mapping[Oid, Oid]) -> None:
        self._repo, self.words, self._limit, self._renamed = repo, words, limit, renamed
        plain = re.sub(r"[^A-Za-z0-9-]+", "-", label).strip("-")[:40]
        safe = plain if plain == label else f"{plain or 'x'}-{sha256(label.encode()).hexdigest()[:8]}"
        self._place, self._mirror = f"{safe}/", f"{MIRROR}{safe}/"

    def _begin(self) -> dict[str, Oid]:
        """Begin to fetch, and return the heads that are here already."""
        self._old, self._names = list[str](), list[str]()
        ours = (name for name in references.list_our_references(self._repo) if name.startswith(self._mirror))
        return self._mirrored(name.removeprefix(self._mirror) for name in ours)

    def _mirrored(self, names: Iterable[str]) -> dict[str, Oid]:
        """Return the heads of these names that are here already."""
        return {name: oid for name in names if (oid := references.target(self._repo, self._mirror + name))}

    def _take(self, source: str, listing: Mapping[str, Oid], pack: int) -> Iterator[tuple[str, ClawgitError]]:
        """Bring the new heads of a listing here, one by one, and yield why some are not here.

        Those that were purged here since are `_old`, all others `_names`. No pack is larger than `pack` bytes.
        """
        for reference, oid in listing.items():
            name = self._call(reference)
            if oid in self._renamed:
                self._old.append(name)
                continue
            self._names.append(name)
            if references.target(self._repo, mirror := self._mirror + name) == oid:
                continue
            # Forced into our own mirror only: a rewritten head is recognised by its former one there.
            spec = f"+{reference}:{mirror}"
            try:
                self._receive(source, spec, oid, pack)
                references.set_reference(self._repo, mirror, oid)
            except ClawgitError as exc:
                yield name, exc

    def _receive(self, source: str, spec: str, head: Oid, pack: int) -> None:
        """Fetch a head into a place beside the repository, check the objects, and take them in.

        No object is larger than the limit, unpacked, and all of it together, packed, no larger than `pack` bytes; none
        was purged here. Raises ClawgitError with nothing taken in, also for anything but a commit.
        """
        objects = self._repo.commondir / "objects"
        # git has no limit for a fetch: objects go to a place of their own, and are counted before they are ours.
        with _make_object_place(self._repo) as place:
            try:
                self._git(*_SETTINGS, "fetch", *_OPTIONS, source, spec, largest=pack)
            except ClawgitError as exc:
                if any(file.stat().st_size >= pack - _BLOCK for file in place.rglob("tmp_pack_*")):
                    words = f"it brings over {pack // MEGABYTE:,} MB"
                    raise RefusedError("sync-too-large", words, fix=_WAY_OUT) from exc
                raise
            output = git(self._repo.root, "cat-file", "--batch-check", stdin=head.encode()).decode()
            if not output.startswith(f"{head} commit"):
                raise remote_failed("what is there is no commit", fix=Command("git show {}", head[:10]))
            _require_fit(self._repo, head, self._limit)
            for suffix in (".pack", ".rev", ".idx"):  # a pack is there once its index is
                for file in sorted(place.glob(f"pack/*{suffix}")):
                    (objects / "pack").mkdir(exist_ok=True)
                    file.replace(objects / "pack" / file.name)

    @staticmethod
    def _call(name: str) -> str:
        """Return the name of a reference in our mirror of a place."""
        if name.startswith(HEADS):
            return name.removeprefix(HEADS)
        return _PREFIX + name.removeprefix(APPROVED) if name.startswith(APPROVED) else BRANCH

    def _git(self, *arguments: str, largest: int = 0) -> bytes:
        return git(self._repo.root, *arguments, timeout=_SECONDS, literal=False, largest=largest)

    def _found(self, before: Mapping[str, Oid], problems: Iterable[ClawgitError]) -> SharedHeads:
        """Separate the heads that do not continue their former ones: their history was rewritten.

        Raises ClawgitError, with nothing kept of it, if the place belongs to another repository.
        """
        repo, sound, left_out, purged = self._repo, self._mirrored(self._names), list(problems), list[str]()
        strangers = list[str]()
        for name, oid in list(sound.items()):
            was = before.get(name)
            was = was if was and self._is_related(name, was) else None
            goes_on = was is not None and repository.reaches(repo, oid, was)
            if not goes_on and purged_objects.brings_back(repo, "HEAD", oid):
                purged.append(name)
            elif not goes_on and not self._is_related(name, oid):
                strangers.append(name)
                words = f"{oid[:10]} has no commit in common with this workspace: they cannot be brought together"
                fix = Command("git remote -v", note="the right one? A second machine: clawgit init DIR --from URL")
                left_out.append(errors.sync_unrelated(words, fix=fix))
            elif was is None or goes_on or purged_objects.brings_back(repo, was, oid):
                continue
            elif purged_objects.brings_back(repo, oid, "HEAD"):
                left_out.append(make_purged_error(name, "here"))
            else:
                head = f"{self._place}{name}/{was}"
                references.set_reference(repo, REWRITTEN + head, oid)
                left_out += find_rewritten(repo, head)
            del sound[name]
            if was is None:
                references.drop(repo, self._mirror + name)
            else:
                # The mirror stays on the former head, so the next fetch finds the rewrite again.
                references.set_reference(repo, self._mirror + name, was)
        # An unrelated branch means another repository; a single unrelated machine is only left out.
        if strangers and (BRANCH in strangers or not sound):
            raise left_out[-1]
        approvals = {name.removeprefix(_PREFIX): sound.pop(name) for name in list(sound) if name.startswith(_PREFIX)}
        return SharedHeads(sound, tuple(left_out), approvals, tuple(self._old), tuple(purged))

    def _is_related(self, name: str, oid: Oid) -> bool:
        """Return whether a head has a commit in common with this workspace; approvals are a history of their own."""
        head = repository.head(self._repo)
        return head is None or name.startswith(_PREFIX) or commit_graph.common(self._repo, head, oid) is not None


class Remote(_Place):
    """A remote of git: machines share a branch, which only goes forward.

    A machine writes a head of its own only while the branch does not take its commits, as after a purge.
    """

    def __init__(self, repo: Repository, name: str, branch: str, limit: int, renamed: Mapping[Oid, Oid]) -> None:
        super().__init__(repo, name, name, limit, renamed)
        self._branch = f"refs/heads/{branch}"
        self._there: dict[str, Oid] = {}

    def fetch(self) -> SharedHeads:
        """Fetch the heads of all machines, below references of ours. Raises ClawgitError if that fails."""
        lines = decode_lines(self._git("ls-remote", "--refs", self.words))
        self._there = {name: oid for oid, _, name in (row.partition("\t") for row in lines)}
        heads = {name: oid for name, oid in self._there.items() if name == self._branch or _MACHINE.fullmatch(name)}
        before = self._begin()
        # A head that is no longer at the remote is forgotten here, too.
        for name in before.keys() - {BRANCH, *map(self._call, heads)}:
            references.drop(self._repo, self._mirror + name)
        left_out = [
            ClawgitError(exc.key, f"{name_machine(name)} is left out: {exc.message}", fix=exc.fix)
            for name, exc in self._take(self.words, heads, self._limit)
        ]
        return self._found(before, left_out)

    def publish(self, machine: str, head: Oid, approval: Oid | None = None) -> bool:
        """Publish this machine's approvals, and its head if the branch does not have it; return whether it did.

        A head that the branch has by now is deleted.
        """
        branch, own = self._there.get(self._branch), self._there.get(f"{HEADS}{machine}")
        if approval and self._there.get(f"{APPROVED}{machine}") != approval:
            self._push(f"{APPROVED}{machine}", approval, approval)
        if branch and repository.resolve(self._repo, branch) and repository.reaches(self._repo, branch, head):
            if own:
                with contextlib.suppress(ClawgitError):  # a server that lets nothing be deleted: it stays as it is
                    self._git("push", "--quiet", self.words, f":{HEADS}{machine}")
            return False
        if own != head:
            self._push(f"{HEADS}{machine}", head, head)
        return own != head

    def push_branch(self, head: Oid) -> bool:
        """Push a commit to the shared branch, and return whether that moved it.

        Raises OvertakenError if another machine was faster, ClawgitError if the branch does not take it.
        """
        branch_tip = self._there.get(self._branch)
        if branch_tip and branch_tip not in self._renamed and repository.resolve(self._repo, branch_tip) is None:
            return False  # it was left out, and cannot go forward from here
        tip = control_files.commit_for_branch(self._repo, head, branch_tip)
        if branch_tip == tip:
            return False
        try:
            self._push(self._branch, tip, head)
        except ClawgitError as exc:
            if _OVERTAKEN.search(exc.message):
                raise OvertakenError from exc
            raise
        self._there[self._branch] = tip
        references.set_reference(self._repo, self._mirror + BRANCH, tip)
        return True

    def _push(self, name: str, commit: Oid, head: Oid) -> None:
        """Push a commit; a reference goes back if its target was purged here since, and nobody moved it."""
        place = self._repo.root / os.fsdecode(self._git("remote", "get-url", "--push", self.words)).strip()
        # A push to a folder on this machine makes files there, which root must not own.
        if place.is_dir():
            regular_file.keep_owner(place)
        remote_oid = self._there.get(name, "")
        goes_back = remote_oid in self._renamed and repository.reaches(self._repo, head, self._renamed[remote_oid])
        # After a purge the old head must go; the lease makes sure that nobody has moved it.
        lease = [f"--force-with-lease={name}:{remote_oid}"] if goes_back else []
        self._git("push", "--quiet", *lease, self.words, f"{commit}:{name}")

    def _git(self, *arguments: str, largest: int = 0) -> bytes:
        try:
            return super()._git(*arguments, largest=largest)
        except ClawgitError as exc:
            root, fix = self._repo.root, exc.fix
            if "does not appear to be a git repository" in exc.message:
                fix = Command("git -C {} remote -v", root)
            elif _FORBIDDEN.search(exc.message):
                fix = Command("git -C {} config --local --list", root, note="and move it to: git config --global")
            elif not fix:
                fix = Command("git -C {} ls-remote {}", root, self.words)
            raise ClawgitError(exc.key, f"{self.words}: {exc.message}", fix=fix) from exc


def name_machine(name: str) -> str:
    """Return the name of a head in messages."""
    return "the branch there" if name == BRANCH else f"machine {name.removeprefix(_PREFIX)}"


def make_purged_error(name: str, place: str) -> ClawgitError:
    """Return the problem of a head with objects that were purged at another place."""
    words = f"{name_machine(name)} still has what was purged {place}; it is left out"
    return errors.remote_failed(words, fix=Advice("clawgit purge --text - < FILE   # on that machine, as there"))


class Folder(_Place):
    """A folder that something else carries about: each machine writes one file of its own, a bundle of git."""

    def __init__(self, repo: Repository, place: Path, limit: int, renamed: Mapping[Oid, Oid]) -> None:
        super().__init__(repo, str(place), f"folder {place.resolve()}", limit, renamed)
        self._folder = place

    def fetch(self) -> SharedHeads:
        """Bring the heads of all machines here; a file that is not whole, as one that is still on its way, is left."""
        if not self._folder.is_dir():
            make = Command("mkdir -p {}", self._folder)
            fix = Advice("clawgit sync --folder ANOTHER") if self._folder.exists() else make
            raise errors.folder_missing(f"{self._folder} is not a folder", fix=fix)
        before = self._begin()
        problems = list[ClawgitError]()
        for bundle in sorted(self._folder.glob("*.bundle")):
            try:
                columns = (row.partition(" ") for row in decode_lines(self._git("bundle", "list-heads", str(bundle))))
                heads = {name: oid for oid, _, name in columns if _MACHINE.fullmatch(name)}
                for _, problem in self._take(str(bundle.resolve()), heads, bundle.stat().st_size + self._limit):
                    raise problem
            except RefusedError as exc:
                problems.append(ClawgitError(exc.key, f"{bundle.name} is left out: {exc.message}", fix=exc.fix))
            except (ClawgitError, OSError) as exc:
                reason = exc.message.splitlines()[0] if isinstance(exc, ClawgitError) else str(exc.strerror)
                words = f"{bundle.name} is not whole, or still on its way; it is left out ({reason})"
                fix = Command("git -C {} bundle verify {}", self._repo.root, bundle)
                problems.append(errors.bundle_damaged(words, fix=fix))
        return self._found(before, problems)

    def is_whole(self, machine: str) -> bool:
        """Return whether the file of this machine is there, and its pack ends with its own checksum."""
        bundle = self._folder / f"{machine}.bundle"
        pack = bundle.read_bytes().partition(b"\n\n")[2] if bundle.is_file() else b""
        return sha1(pack[:-20], usedforsecurity=False).digest() == pack[-20:]

    def publish(self, machine: str, head: Oid, approval: Oid | None = None) -> bool:
        """Leave the head of this machine there, as a file that is put in its place at once when it is whole."""
        bundle, name = self._folder / f"{machine}.bundle", f"{HEADS}{machine}"
        references.set_reference(self._repo, name, head)
        names = [name, f"{APPROVED}{machine}"] if approval else [name]
        fresh = self._folder / f".{machine}.{os.getpid()}.tmp"
        try:
            self._git("bundle", "create", "--quiet", str(fresh.resolve()), *names)
            fresh.replace(bundle)
        except OSError as exc:
            fix = Command("ls -ld {} && df -h {}", self._folder, self._folder)
            raise errors.file_unwritable(f"cannot write {bundle}: {exc.strerror}", fix=fix) from exc
        finally:
            fresh.unlink(missing_ok=True)
        return True


Exchange = Remote | Folder
"""Where machines leave their heads for each other."""


# ---- objects of other machines, looked at before they are ours


MEGABYTE = 1_000_000
_FETCH = "fetch-"
_STALE = 3600.0
_WAY_OUT = Command("clawgit config sync_max_mb 1000", note="at a terminal, if that is meant")
_BLOCK = 512  # bytes, what `ulimit -f` counts in
_OPTIONS = ("--quiet", "--dry-run", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
"""A dry run of `git fetch` brings the objects and moves no reference."""
_SETTINGS = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "fetch.unpackLimit=1"),  # one pack, whose size is bounded while it grows
    *("-c", "transfer.unpackLimit=1"),
    *("-c", "core.bigFileThreshold=1m"),  # what is large goes through in pieces
)


class RefusedError(ClawgitError):
    """It would bring forbidden objects: too large ones, or purged ones."""


def _require_fit(repo: Repository, head: Oid, limit: int) -> None:
    if revived := purged_objects.brings_back(repo, head, "HEAD"):
        is_crossed = purged_objects.brings_back(repo, "HEAD", head)
        note = "; something was purged there, too: purge it here" if is_crossed else ""
        words = f"it would bring back {revived:,} objects that were purged here{note}"
        fix = Advice("clawgit purge --text - < FILE   # on that machine, as here")
        raise RefusedError("purge-revived", words, fix=fix)
    rows = git(repo.root, "rev-list", "--objects", head, "--not", "--all", timeout=_SECONDS).splitlines()
    names = {row[:40]: row[41:].decode("utf-8", "replace") for row in rows}
    oids = b"".join(oid + b"\n" for oid in names)
    form = "--batch-check=%(objectsize) %(objectname)"
    sizes = git(repo.root, "cat-file", form, stdin=oids, timeout=_SECONDS)
    for size, oid in (row.split() for row in sizes.splitlines() if not row.endswith(b" missing")):
        if int(size) > limit:
            name = names[oid] or "an object"
            raise RefusedError("sync-too-large", f"{name} has {int(size) / MEGABYTE:,.0f} MB", fix=_WAY_OUT)


@contextmanager
def _make_object_place(repo: Repository) -> Iterator[Path]:
    """Yield a place for objects that git writes to, and reads from beside those of the repository."""
    home = repo.commondir / "clawgit"
    home.mkdir(exist_ok=True)
    for old in home.glob(f"{_FETCH}*"):
        if time.time() - old.stat().st_mtime > _STALE:  # of one who was killed
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_FETCH, dir=home, ignore_cleanup_errors=True) as place:
        objects = str(repo.commondir / "objects")
        with use_quarantine({"GIT_OBJECT_DIRECTORY": place, "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects}):
            yield Path(place)
