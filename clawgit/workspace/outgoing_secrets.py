"""What commits, tags and names that are given away would tell others."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from clawgit.errors import quoted
from clawgit.git import churn, outgoing, repository
from clawgit.git.churn import Gap, Touch
from clawgit.git.git_command import blobs, git
from clawgit.git.outgoing import Update
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding
from clawgit.workspace import allowed_secrets
from clawgit.workspace.purging import purged_objects

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_OBJECT = slice(len("object "), len("object ") + 40)
_COMMITS_AT_ONCE = 1000


class Additions(Struct, frozen=True):
    """Added lines of the file at `path`, with the number that each has in the file."""

    path: str
    numbers: tuple[int, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The lines as text, whatever they hold."""
        return self.data.decode("utf-8", "replace")

    def secrets(self) -> Iterator[tuple[int, Finding]]:
        """Yield the secrets among them, each with the number of its line; none of a binary file."""
        if b"\0" not in self.data:
            yield from ((self.number(found.line), found) for found in secrets.scan(self.text))

    def number(self, line: int) -> int:
        """Return the number in the file of the 1-based `line` here."""
        return self.numbers[line - 1]


def additions(touch: Touch) -> Additions:
    """Return what one commit, or the index, adds to a file."""
    numbers = tuple(hunk.new + at for hunk in touch.hunks for at in range(len(hunk.given)))
    return Additions(touch.path, numbers, b"\n".join(row for hunk in touch.hunks for row in hunk.given))


class Leak(Struct, frozen=True):
    """A secret that a commit, a tag or a reference brings in: where, by which rule, and its fingerprint.

    `fix` is the command that takes it out, and `place` says where it stands if that is no line of the file at `path`.
    Neither repeats the secret.
    """

    commit: Oid
    path: str
    line: int
    rule: str
    fingerprint: str
    fix: str
    place: str = ""

    @property
    def words(self) -> str:
        """The object, the place in it, and what stands there."""
        place = self.place or f"{_masked(self.path)}:{self.line}"
        kind = "hidden text" if self.rule.endswith(" characters") else "a secret"
        return f"{self.commit[:10]} {place} holds {kind} ({self.rule}, {self.fingerprint})"


def leaks(repo: Repository, remote: str, lines: str) -> Iterator[Leak | Gap]:
    """Yield the secrets that `remote` does not have: of commits, newest first, then of tags and names of references.

    `lines` is what git tells a pre-push hook. A secret that is allowed is not among them; a commit of which not all is
    here is a gap.
    """
    pushed = outgoing.updates(lines)
    yield from brought(repo, outgoing.commits(repo, remote, pushed), secrets_in, pushed)


Look = Callable[[Touch], Iterator[Leak]]
"""Finds what a commit must not bring into one file."""


def brought(
    repo: Repository, commits: Sequence[Oid], look: Look, pushed: Iterable[Update] = ()
) -> Iterator[Leak | Gap]:
    """Yield what these commits bring into files by `look`, secrets beside the files, and commits not all here.

    Beside the files are their names, messages, authors, and the tags and names of the references that are `pushed`.
    What is allowed is not among them.
    """
    fine = allowed_secrets.fingerprints(repo)
    merged: dict[tuple[Oid, str], list[Touch]] = defaultdict(list)

    def leaks_of(touch: Touch) -> Iterator[Leak]:
        yield from look(touch)
        yield from _leaks_in_path(repo, touch)

    for _, touch in churn.churn(repo, commits):
        if isinstance(touch, Gap):
            yield touch
        elif len(touch.parents) > 1:
            merged[touch.commit, touch.path].append(touch)
        else:
            yield from (leak for leak in leaks_of(touch) if leak.fingerprint not in fine)
    for touches in merged.values():
        yield from (leak for leak in _of_merge(touches, leaks_of) if leak.fingerprint not in fine)
    for start in range(0, len(commits), _COMMITS_AT_ONCE):
        found = _leaks_in_commits(repo, commits[start : start + _COMMITS_AT_ONCE])
        yield from (leak for leak in found if leak.fingerprint not in fine)
    yield from (leak for leak in _leaks_in_references(repo, pushed) if leak.fingerprint not in fine)


def _leaks_in_path(repo: Repository, touch: Touch) -> Iterator[Leak]:
    """Yield the secrets in the name of a new file or its folders, and in where a symbolic link leads."""
    for secret, found in _secrets_in_name(touch.path) if touch.before is None else ():
        masked = touch.path.replace(secret, f"[{found.rule}]")
        pattern = ("?" * len(secret)).join(map(quoted, touch.path.split(secret)))
        fix = f"{rebase(touch.commit, touch.parents)}   # edit it, and there: git mv {pattern} NEW_NAME"
        yield Leak(touch.commit, masked, 1, found.rule, found.fingerprint, fix, f"the file name {masked}")
    if touch.after and not touch.hunks:  # an empty file, or a link
        text = repository.blob(repo, touch.after).decode("utf-8", "replace")
        for _, found in _secrets_in_name(text):
            fix = f"{rebase(touch.commit, touch.parents)}   # and take it out"
            yield Leak(touch.commit, touch.path, 1, found.rule, found.fingerprint, fix)


def _leaks_in_commits(repo: Repository, commits: Sequence[Oid]) -> Iterator[Leak]:
    """Yield the secrets in messages, and in names and addresses of authors and committers."""
    head = repository.head(repo)
    for commit, data in blobs(repo.root, commits).items():
        begin = rebase(commit, b"\nparent " in data.partition(b"\n\n")[0])
        for part, line, found in _secrets_in_object(data):
            amend = f"git commit --amend{' --reset-author' if part else ''}"
            fix = f"{amend}   # with other words" if commit == head else f"{begin}   # edit it, and there: {amend}"
            yield Leak(commit, "", line, found.rule, found.fingerprint, fix, _place_in_object(part, line))


def _leaks_in_references(repo: Repository, pushed: Iterable[Update]) -> Iterator[Leak]:
    """Yield the secrets in names of references that are new, in annotated tags, and in files outside commits."""
    names: dict[Oid, str] = {}
    for update in pushed:
        if update.local:
            names[update.local] = update.name
            for secret, found in _secrets_in_name(update.name) if update.remote is None else ():
                masked, fix = update.name.replace(secret, f"[{found.rule}]"), _rename(update, secret)
                yield Leak(update.local, masked, 1, found.rule, found.fingerprint, fix, f"the name {masked}")
    while names:
        asked = "".join(f"{oid}\n" for oid in names).encode()
        rows = git(repo.root, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked).decode()
        kinds = dict(row.split(" ", 1) for row in rows.splitlines())
        tags = blobs(repo.root, [oid for oid, kind in kinds.items() if kind == "tag"])
        for oid, data in tags.items():
            name = _masked(names[oid])
            fix = f"git tag -f -a {quoted(name.removeprefix(_TAGS))} {oid[:10]}^{{}}   # with other words"
            for part, line, found in _secrets_in_object(data):
                place = f"{name}, {_place_in_object(part, line)}"
                yield Leak(oid, name, line, found.rule, found.fingerprint, fix, place)
        for oid, kind in kinds.items():
            if kind in ("blob", "tree"):
                yield from _leaks_outside_commits(repo, oid)
        names = {data.split()[1].decode(): names[oid] for oid, data in tags.items()}


def _leaks_outside_commits(repo: Repository, given: Oid) -> Iterator[Leak]:
    """Yield the secrets in a file or folder to which a reference or tag leads without a commit."""
    rows = (row.partition(b" ") for row in git(repo.root, "rev-list", "--objects", given).splitlines())
    paths = {oid.decode(): os.fsdecode(path) for oid, _, path in rows}
    fix = f"git for-each-ref --points-at {given[:10]}   # and delete it: git update-ref -d NAME"
    for oid, data in blobs(repo.root, list(paths)).items():
        found = [found for _, found in _secrets_in_name(paths[oid])]
        found += secrets.scan(data.decode("utf-8", "replace")) if b"\0" not in data else ()
        yield from (Leak(oid, paths[oid] or "file", one.line, one.rule, one.fingerprint, fix) for one in found)


def _secrets_in_object(data: bytes) -> Iterator[tuple[str, int, Finding]]:
    """Yield the secrets of a commit or a tag, each with the header that it stands in, or its line in the message."""
    text = data.decode("utf-8", "replace")
    rows = text.split("\n")
    begin = rows.index("") + 1 if "" in rows else len(rows)
    for found in secrets.scan(text):
        in_message = found.line > begin
        yield "" if in_message else rows[found.line - 1].split(" ")[0], found.line - begin * in_message, found


def _place_in_object(part: str, line: int) -> str:
    return f"the {part}" if part else f"line {line} of the message"


def _secrets_in_name(name: str) -> Iterator[tuple[str, Finding]]:
    """Yield the secrets in a path or reference, whole or in a part of it, with or without a suffix; each once."""
    parts = name.split("/")
    text = "\n".join(dict.fromkeys([name, *parts, *(part.rpartition(".")[0] for part in parts)]))
    known: list[str] = []
    for found in secrets.scan(text):
        secret = text[found.start : found.end]
        if not any(secret in other or other in secret for other in known):
            known.append(secret)
            yield secret, found


def _masked(name: str) -> str:
    for secret, found in _secrets_in_name(name):
        name = name.replace(secret, f"[{found.rule}]")
    return name


def _rename(update: Update, secret: str) -> str:
    """Return the command that gives a reference another name, without saying the secret in it."""
    pattern = quoted(update.name.replace(secret, "?" * len(secret)))
    listed = f"$(git for-each-ref --format='%(refname:lstrip=2)' {pattern})"
    begin = f"git push REMOTE {update.local}:refs/NEW_NAME"
    if update.name.startswith(_HEADS):
        begin = f"git branch -m {listed} NEW_NAME"
    elif update.name.startswith(_TAGS):
        begin = f"git tag NEW_NAME {update.local} && git tag -d {listed}"
    return f"{begin}   # under another name"


def revived(repo: Repository, remote: str, lines: str) -> list[Oid]:
    """Return the purged objects that a push would bring back; `lines` as for `leaks`."""
    known = purged_objects.committed(repo)
    return purged_objects.reached(repo, outgoing.commits(repo, remote, outgoing.updates(lines)), known) if known else []


def secrets_in(touch: Touch) -> Iterator[Leak]:
    """Yield the secrets that a commit adds to a file."""
    fix = f"{rebase(touch.commit, touch.parents)}   # and take it out"
    for line, found in additions(touch).secrets():
        yield Leak(touch.commit, touch.path, line, found.rule, found.fingerprint, fix)


def rebase(commit: Oid, parents: object) -> str:
    """Return the command that begins to write a commit anew, which has `parents` or none."""
    return f"git rebase -i {f'{commit[:10]}^' if parents else '--root'}"


def _of_merge(touches: Sequence[Touch], look: Look) -> list[Leak]:
    """Return what no parent of a merge has: the others came with a commit of their own."""
    found = [list(look(touch)) for touch in touches]
    everywhere = set.intersection(*({leak.fingerprint for leak in leaks} for leaks in found))
    parents = len(touches[0].parents)
    return [leak for leak in found[0] if leak.fingerprint in everywhere] if len(found) == parents else []
