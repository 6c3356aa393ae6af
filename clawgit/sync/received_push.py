"""What a push must not bring in."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command, quoted
from clawgit.git import bare_repository, churn, paths
from clawgit.git.churn import Gap, Touch
from clawgit.git.git_command import git
from clawgit.git.outgoing import Update
from clawgit.git.regular_file import limit_of
from clawgit.git.repository import Oid, Repository
from clawgit.safety import hidden_text
from clawgit.sync.control_files import explain_name
from clawgit.workspace import file_roles, outgoing_secrets
from clawgit.workspace.outgoing_secrets import Leak, additions
from clawgit.workspace.purging import purged_objects

BRANCHES, MACHINES, OURS = "refs/heads/", "refs/clawgit/heads/", "refs/clawgit/"
IDENTITY = "clawgit.identity"
"""The key of the server's own git configuration that says whose identity comes in: any, none, or ids of machines."""
LARGEST = 16 << 20
"""Bytes of a file that comes in; a larger one is no memory."""
_MACHINE = re.compile(r"[k-z]{8}")
_LINK, _SUBMODULE = b"120000", b"160000"
_RAW = re.compile(rb":+((?:\d{6} )+)((?:[0-9a-f]+ )+)[A-Z]+\d*")
_SEVERAL = 20


def pushed(lines: str) -> tuple[Update, ...]:
    """Return what git tells a pre-receive hook: OLD NEW REFERENCE, a line each. Raises ClawgitError for else."""
    found = []
    for line in lines.splitlines():
        fields = line.split(" ", 2)
        if len(fields) != 3:  # noqa: PLR2004 - as the docstring says
            raise errors.git_output(f"unreadable line from git: {line!r}", fix=Advice("use git 2.30 or newer"))
        old, new, name = fields
        found.append(Update(name, new if new.strip("0") else None, old if old.strip("0") else None))
    return tuple(found)


def refusals(repo: Repository, given: Sequence[Update]) -> Iterator[ClawgitError]:
    """Yield what stands against letting a push in, at most so many sentences as anybody reads.

    Called while the objects are in quarantine and no reference has moved.
    """
    named = list(_names(given))
    yield from named
    if named:  # what follows takes the names to be sound
        return
    known = bare_repository.tips(repo)
    news = [one.local for one in given if one.local]
    commits = churn.reachable(repo, *news, "--not", "--all") if news else []
    yield from _rewritten(repo, given, known)
    yield from _tree(repo, commits, given, first=not known)
    yield from _revived(repo, commits, news, known)
    yield from _leaks(repo, commits, given)
    yield from _identity(repo, given, known)


def _names(given: Iterable[Update]) -> Iterator[ClawgitError]:
    for one in given:
        if one.name.startswith(OURS) and not _machine(one.name):
            yield errors.push_refused(
                f"{one.name} is no head of a machine: nothing else of clawgit's is pushed",
                fix=Advice("on your machine: clawgit sync"),
            )
        elif one.local is None:
            yield errors.push_refused(
                f"{one.name} would be deleted: that is done on the server alone", fix=_there(one, "")
            )


def _machine(name: str) -> str:
    """Return the machine whose head a reference is, "" where it is none."""
    machine = name.removeprefix(MACHINES)
    return machine if name.startswith(MACHINES) and is_machine(machine) else ""


def is_machine(name: str) -> bool:
    """Return whether a name is the id of a machine."""
    return _MACHINE.fullmatch(name) is not None


def _there(one: Update, new: str) -> Command:
    act = "git update-ref {} {}" if new else "git update-ref -d {}"
    return Command(act, one.name, new, note="on the server, by its operator")


def _rewritten(repo: Repository, given: Iterable[Update], known: Mapping[str, Oid]) -> Iterator[ClawgitError]:
    """Yield the references whose history would be written anew, and heads that have nothing in common with the rest."""
    main = _main(known)
    for one in given:
        if one.local and one.remote and git(repo.root, "rev-list", "-n", "1", one.remote, f"^{one.local}"):
            yield errors.push_rewritten(
                f"{one.name} does not go on from {one.remote[:10]}: its history was written anew (a purge, or a forced "
                "push), and nothing is forced here",
                fix=Advice(
                    f"on your machine: clawgit sync; it merges. If the new history is meant: {_there(one, one.local)}"
                ),
            )
        elif one.local and not one.remote and main and not _kin(repo, main, one.local):
            yield errors.sync_unrelated(
                f"{one.name} has nothing in common with what is here: it is of another workspace",
                fix=Advice("on your machine: git remote -v; is that the right one?"),
            )


def _main(known: Mapping[str, Oid]) -> Oid | None:
    """Return what all heads have to do with: a branch, else any of them."""
    return next((oid for name, oid in known.items() if name.startswith(BRANCHES)), next(iter(known.values()), None))


def _kin(repo: Repository, one: Oid, other: Oid) -> Oid:
    """Return the newest commit that both come from, "" where there is none."""
    try:
        return git(repo.root, "merge-base", one, other).decode().strip()
    except ClawgitError:
        return ""


def _tree(repo: Repository, commits: Sequence[Oid], given: Iterable[Update], *, first: bool) -> Iterator[ClawgitError]:
    """Yield names that lead elsewhere, links and submodules, files that are too large, and names of the same letters.

    What a repository begins with may have links, if they stay inside: sync leaves alone what does not change.
    """
    said: set[tuple[str, str]] = set()
    blobs: dict[str, str] = {}
    for path, mode, blob in _brought(repo, commits):
        wrong = explain_name(path)
        if mode == _SUBMODULE and not first:
            wrong = wrong or "is a repository of its own: machines bring each other files alone"
        if mode == _LINK and (not first or _leads_out(repo, path, blob)):
            wrong = wrong or "is a link: machines bring each other files alone"
        if wrong and (path, wrong) not in said:
            said.add((path, wrong))
            yield errors.path_invalid(
                f"{path!r}: {wrong}",
                fix=Advice("take it out of the commit that brought it (git rm --cached), and push again"),
            )
        if mode != _SUBMODULE:
            blobs[blob] = path
        if len(said) >= _SEVERAL:
            return
    yield from _large(repo, blobs)
    yield from _alike(repo, given, set(blobs.values()))


def _brought(repo: Repository, commits: Sequence[Oid]) -> Iterator[tuple[str, bytes, str]]:
    """Yield the files that commits give, each with its mode and blob; of a merge those that no parent has so."""
    if not commits:
        return
    wanted = "".join(f"{commit}\n" for commit in commits).encode()
    options = ("--stdin", "--root", "-c", "-r", "-z", "--no-renames", "--no-commit-id")
    fields = iter(git(repo.root, "diff-tree", *options, stdin=wanted).split(b"\0"))
    for field in fields:
        if found := _RAW.fullmatch(field):
            path, mode, blob = os.fsdecode(next(fields)), found[1].split()[-1], found[2].split()[-1].decode()
            if blob.strip("0"):
                yield path, mode, blob


def _leads_out(repo: Repository, path: str, blob: str) -> bool:
    target = os.fsdecode(git(repo.root, "cat-file", "blob", blob))
    return target.startswith("/") or not paths.inside("/top", f"{path.rpartition('/')[0]}/{target}".lstrip("/"))


def _large(repo: Repository, blobs: Mapping[str, str]) -> Iterator[ClawgitError]:
    asked = "".join(f"{oid}\n" for oid in blobs).encode()
    told = git(repo.root, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked) if blobs else b""
    for row in told.decode().splitlines():
        oid, _, size = row.partition(" ")
        if size.isdigit() and int(size) > max(LARGEST, limit_of(blobs[oid])):
            yield errors.file_too_large(
                f"{blobs[oid]} has {int(size):,} bytes; no more than {LARGEST:,} come in",
                fix=Advice(f"take it out of the commit that brought it: git rm --cached {quoted(blobs[oid])}"),
            )


def _alike(repo: Repository, given: Iterable[Update], added: set[str]) -> Iterator[ClawgitError]:
    """Yield names that are one file on some disks."""
    for one in given:
        for twin in paths.find_twins(repo.root, _files(repo, one.local)):
            if not added.isdisjoint(twin.paths):
                yield errors.names_collide(twin.message, fix=Advice(f"on your machine: {twin.fix}"))


def _revived(
    repo: Repository, commits: Sequence[Oid], news: Sequence[Oid], known: Mapping[str, Oid]
) -> Iterator[ClawgitError]:
    """Yield what was purged, by the register of any head that is here or comes in, and would be back."""
    heads = dict.fromkeys([*news, *known.values()])
    asked = "".join(f"{head}:{purged_objects.PATH}\n" for head in heads).encode()
    told = git(repo.root, "cat-file", "--batch", stdin=asked).decode("utf-8", "replace") if commits else ""
    purged = purged_objects.parse(told)
    if found := purged_objects.reached(repo, news, purged, without=known.values()) if purged else []:
        yield errors.purge_revived(
            f"the push would bring back {len(found):,} objects that were purged: {found[0][:10]}",
            fix=Advice("clawgit sync clone URL DIR   # a fresh copy, without the old history"),
        )


def _looked(touch: Touch) -> Iterator[Leak]:
    """Yield the secrets that a commit adds to a file, and in Markdown what a reader does not see."""
    yield from outgoing_secrets.secrets_in(touch)
    if not touch.path.endswith(".md"):
        return
    found = additions(touch)
    if b"\0" in found.data:
        return
    rows = found.text.split("\n")
    for one in hidden_text.scan(found.text):
        name = hashlib.sha256(rows[one.line - 1].encode()).hexdigest()[:12]
        fix = f"{outgoing_secrets.rebase(touch.commit, touch.parents)}   # and take it out"
        yield Leak(touch.commit, touch.path, found.number(one.line), f"{one.kind} characters", name, fix)


def _leaks(repo: Repository, commits: Sequence[Oid], given: Iterable[Update]) -> Iterator[ClawgitError]:
    told: dict[str, Leak] = {}
    for one in outgoing_secrets.brought(repo, commits, _looked, given):
        if isinstance(one, Gap):
            yield errors.commit_unreadable(
                f"{one.commit[:10]} could not be looked at: {one.why}", fix=Advice("on your machine: git fsck")
            )
        else:
            told.setdefault(one.fingerprint, one)
    for leak in list(told.values())[:_SEVERAL]:
        yield errors.secret_outgoing(
            leak.words,
            fix=Advice(
                f"{leak.fix}; then push again; if it is meant, on the server: "
                f"clawgit server allow REPO.git {leak.fingerprint}"
            ),
        )


def policy(repo: Repository) -> tuple[str, ...]:
    """Return whose identity comes in: ("any",), ("none",), or ids of machines."""
    try:
        told = git(repo.root, "config", "--local", "--get-all", IDENTITY).decode("utf-8", "replace").split()
    except ClawgitError:
        return ("any",)
    return tuple(told) or ("any",)


def _identity(repo: Repository, given: Iterable[Update], known: Mapping[str, Oid]) -> Iterator[ClawgitError]:
    """Yield identity files that nobody may bring in by the operator's policy.

    An identity file may be what it was, what it is on a branch here, or what a machine has whose identity counts.
    """
    whose = policy(repo)
    if whose == ("any",) or not known:
        return
    sources = {
        *(oid for name, oid in known.items() if name.startswith(BRANCHES)),
        *(oid for name, oid in known.items() if _machine(name) in whose),
        *(one.local for one in given if one.local and _machine(one.name) in whose),
    }
    main = _main(known) or ""
    allowed = {(path, blob) for oid in sources for path, blob in _identities(repo, oid).items()}
    for one in given:
        if one.local is None or _machine(one.name) in whose:
            continue
        base = one.remote or _kin(repo, main, one.local)
        before = _identities(repo, base) if base else {}
        after = _identities(repo, one.local)
        there = {path for path, _ in allowed}
        changed = [path for path, blob in after.items() if before.get(path) != blob and (path, blob) not in allowed]
        gone = [path for path in (before or dict.fromkeys(there)) if path not in after and path in there]
        for path in (*changed, *gone):
            yield errors.push_policy(
                f"{one.name} would change {path}, and the policy of this server lets "
                f"{'nobody' if whose == ('none',) else ', '.join(whose)} do that",
                fix=Advice(
                    "on your machine: clawgit sync; it waits on their desk. Or, on the server: "
                    f"git config --add {IDENTITY} MACHINE"
                ),
            )


def _identities(repo: Repository, commit: Oid) -> dict[str, str]:
    """Return the blobs of the identity files of a commit, by path."""
    return {path: blob for path, blob in _files(repo, commit).items() if file_roles.guarded(path)}


def _files(repo: Repository, commit: Oid | None) -> dict[str, str]:
    told = git(repo.root, "ls-tree", "-r", "-z", "--full-tree", f"{commit}^{{tree}}")
    rows = (row.partition(b"\t") for row in told.split(b"\0")[:-1])
    return {os.fsdecode(name): about.split()[2].decode() for about, _, name in rows}
