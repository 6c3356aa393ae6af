"""Secrets in commits, tags and names that others would get."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, git_output, quote_shell, value_invalid
from clawgit.git import churn, repository
from clawgit.git.churn import Gap, Touch
from clawgit.git.git_command import blobs, git, objects
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import FINGERPRINT, Finding
from clawgit.store.database import StateStore
from clawgit.workspace import purged_objects
from clawgit.workspace.write_guard import scan_file

_NOTES = "refs/notes/"
_COMMITS_AT_ONCE = 1000


class Update(Struct, frozen=True):
    """A reference that is pushed: its name at the other side, the object that it leads to here, and the one there.

    `local` is None for a deletion, `remote` for a reference that is new there.
    """

    name: str
    local: Oid | None
    remote: Oid | None


def read_updates(lines: str) -> list[Update]:
    """Return the input of git's pre-push hook: LOCAL-REF OBJECT REMOTE-REF OBJECT, a line each.

    Raises ClawgitError for anything else.
    """
    updates = []
    for line in lines.splitlines():
        fields = line.split(" ")
        if len(fields) != 4:  # noqa: PLR2004 - as the docstring says
            raise git_output(f"unreadable line from git push: {line!r}", fix=Command("git push --no-verify"))
        local, remote = (oid if oid.strip("0") else None for oid in fields[1::2])
        updates.append(Update(fields[2], local, remote))
    return updates


def list_outgoing(repo: Repository, remote: str, pushed: Iterable[Update]) -> list[Oid]:
    """Return the commits that `remote`, a name or an address, is not known to have, newest first.

    It has the commits of its references, as far as these are here, and those last fetched from it or pushed to it.
    """
    updates = list(pushed)
    tips = [update.local for update in updates if update.local]
    if not tips:
        return []
    if repo.bare:  # a server has what any of its references leads to
        return churn.reachable(repo, *tips, "--not", "--all")
    # The other side may have moved on since we last looked: only objects that are here can be left out.
    request = "".join(f"{update.remote}\n" for update in updates if update.remote).encode()
    output = git(repo.root, "cat-file", "--batch-check=%(objectname)", stdin=request) if request else b""
    theirs = [row for row in output.decode().splitlines() if not row.endswith(" missing")]
    theirs += repository.list_references(repo.root, f"refs/remotes/{remote}/").values()
    return churn.reachable(repo, *tips, *(f"^{oid}" for oid in dict.fromkeys(theirs)))


class Additions(Struct, frozen=True):
    """Added lines of the file at `path`, with the number that each has in the file."""

    path: str
    numbers: tuple[int, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The lines as text, whatever their bytes."""
        return self.data.decode("utf-8", "replace")

    def secrets(self) -> Iterator[tuple[int, Finding]]:
        """Yield the secrets among them, each with the number of its line."""
        nul = "\0" in self.text  # of a binary file, or every second byte of UTF-16
        for text in (self.text.replace("\0", " "), self.text.replace("\0", "")) if nul else (self.text,):
            yield from ((self.number(finding.line), finding) for finding in scan_file(self.path, text))

    def number(self, line: int) -> int:
        """Return the number in the file of the 1-based `line` here."""
        return self.numbers[line - 1]


def additions(touch: Touch) -> Additions:
    """Return the lines that one commit, or the index, adds to a file."""
    numbers = tuple(hunk.new + index for hunk in touch.hunks for index in range(len(hunk.given)))
    return Additions(touch.path, numbers, b"\n".join(row for hunk in touch.hunks for row in hunk.given))


class Leak(Struct, frozen=True):
    """A secret that a commit, a tag or a reference brings in: its place, rule, fingerprint, and a fix if it goes out.

    `place` is set if that is no line of the file at `path`. Nothing repeats the secret.
    """

    commit: Oid
    path: str
    line: int
    rule: str
    fingerprint: str
    fix: str = ""
    place: str = ""

    @property
    def words(self) -> str:
        """The object, the place in it, and the rule."""
        place = self.place or f"{_masked(self.path)}:{self.line}"
        return f"{self.commit[:10]} {place} holds a secret ({self.rule}, {self.fingerprint})"


def leaks(repo: Repository, remote: str, lines: str) -> Iterator[Leak | Gap]:
    """Yield the secrets that `remote` does not have: of commits, newest first, then of tags and names of references.

    `lines` is the input of git's pre-push hook. Allowed secrets are left out; a commit with missing objects is a gap.
    """
    pushed = read_updates(lines)
    fine = fingerprints(repo)
    updates = [update for update in pushed if update.name.startswith(_NOTES) and not any(_secrets_in_name(update.name))]
    notes = {commit: update for update in updates for commit in list_outgoing(repo, "", [update])}
    for leak in _find_leaks(repo, pushed, list_outgoing(repo, remote, pushed)):
        if isinstance(leak, Gap):
            yield leak
        elif leak.fingerprint not in fine:
            yield _add_note_fix(leak, notes[leak.commit]) if leak.commit in notes else leak


def _add_note_fix(leak: Leak, update: Update) -> Leak:
    """Return a leak of notes with its way out: the note goes, and the history of the notes begins anew."""
    name, note = quote_shell(update.name), leak.path.replace("/", "")
    if note.strip("0123456789abcdef"):  # no name of a note
        return replace(leak, fix=f"git update-ref -d {name}   # all of its notes")
    remove = f"git notes --ref={name} remove --ignore-missing {note} && " if note else ""
    parent = f"-p {update.remote[:10]} " if update.remote else ""
    fix = f"{remove}git update-ref {name} $(git commit-tree {parent}-m notes {name}^{{tree}})   # without its history"
    return replace(leak, fix=fix)


def _find_leaks(repo: Repository, pushed: Sequence[Update], commits: Sequence[Oid]) -> Iterator[Leak | Gap]:
    merges: dict[tuple[Oid, str], list[list[Leak]]] = defaultdict(list)
    for _, touch in churn.churn(repo, commits):
        if isinstance(touch, Gap):
            yield touch
        elif len(touch.parents) <= 1:
            yield from _leaks_in_file(repo, touch)
        else:
            # What any parent has came with a commit of its own.
            sides = merges[touch.commit, touch.path]
            sides.append(list(_leaks_in_file(repo, touch)))
            if len(sides) == len(touch.parents):
                everywhere = set.intersection(*({leak.fingerprint for leak in side} for side in sides))
                yield from (leak for leak in sides[0] if leak.fingerprint in everywhere)
    for start in range(0, len(commits), _COMMITS_AT_ONCE):
        for commit, data in blobs(repo.root, commits[start : start + _COMMITS_AT_ONCE]).items():
            fix = rebase(commit, b"\nparent " in data.partition(b"\n\n")[0])
            yield from _leaks_in_object(commit, data, fix)
    yield from _leaks_in_references(repo, pushed)


def _leaks_in_file(repo: Repository, touch: Touch) -> Iterator[Leak]:
    """Yield the secrets that a commit adds to a file, and those of its name, if it is new, or of its link."""
    fix = rebase(touch.commit, touch.parents)
    for line, finding in additions(touch).secrets():
        yield Leak(touch.commit, touch.path, line, finding.rule, finding.fingerprint, fix)
    names = [touch.path] if touch.before is None else []
    if touch.after and not touch.hunks:  # an empty file, or a link
        names.append(os.fsdecode(repository.blob(repo, touch.after)))
    for name in names:
        yield from _leaks_in_name(touch.commit, touch.path, name, fix)


def _leaks_in_references(repo: Repository, pushed: Iterable[Update]) -> Iterator[Leak]:
    """Yield the secrets in names of references that are new, in annotated tags, and in files outside commits."""
    names = {update.local: update.name for update in pushed if update.local}
    for oid, name in ((update.local, update.name) for update in pushed if update.local and update.remote is None):
        if secret := next((phrase for phrase, _ in _secrets_in_name(name)), ""):
            is_here = name in repository.list_references(repo.root, name)
            fix = _suggest_rename(oid, name.replace(secret, "?" * len(secret)), is_here=is_here)
            yield from _leaks_in_name(oid, name, name, fix)
    while names:
        inner: dict[Oid, str] = {}
        for oid, (kind, data) in objects(repo.root, list(names)).items():
            fix = f"git for-each-ref --points-at {oid[:10]}   # name it anew, with other words, and delete it"
            if kind == "tag":
                inner[data.split()[1].decode()] = names[oid]
                yield from _leaks_in_object(oid, data, fix, names[oid])
            elif kind != "commit":
                rows = (row.partition(b" ") for row in git(repo.root, "rev-list", "--objects", oid).splitlines())
                paths = {blob.decode(): os.fsdecode(path) or "a file" for blob, _, path in rows}
                for blob, content in blobs(repo.root, list(paths)).items():
                    yield from _leaks_in_name(blob, paths[blob], paths[blob], fix)
                    for finding in secrets.scan("" if b"\0" in content else content.decode("utf-8", "replace")):
                        yield Leak(blob, paths[blob], finding.line, finding.rule, finding.fingerprint, fix)
        names = inner


def _leaks_in_object(oid: Oid, data: bytes, fix: str, name: str = "") -> Iterator[Leak]:
    """Yield the secrets of a commit or a tag, each with its place: a header, or a line of the message."""
    text = data.decode("utf-8", "replace")
    head, _, _ = text.partition("\n\n")
    for finding in secrets.scan(text):
        line = finding.line - head.count("\n") - 2
        header = head.split("\n")[finding.line - 1].split(" ")[0] if line < 1 else ""
        place = (f"{_masked(name)}, " if name else "") + (f"the {header}" if header else f"line {line} of the message")
        yield Leak(oid, name, finding.line, finding.rule, finding.fingerprint, fix, place)


def _leaks_in_name(oid: Oid, path: str, name: str, fix: str) -> Iterator[Leak]:
    for _, finding in _secrets_in_name(name):
        yield Leak(oid, path, 1, finding.rule, finding.fingerprint, fix, f"the name {_masked(name)}")


def _secrets_in_name(name: str) -> Iterator[tuple[str, Finding]]:
    """Yield the secrets in a path or reference, whole or in a part of it, with or without a suffix; each once."""
    parts = name.split("/")
    text = "\n".join(dict.fromkeys([name, *parts, *(part.rpartition(".")[0] for part in parts)]))
    secret_texts: list[str] = []
    for finding in secrets.scan(text):
        secret = text[finding.start : finding.end]
        if not any(secret in other or other in secret for other in secret_texts):
            secret_texts.append(secret)
            yield secret, finding


def _masked(name: str) -> str:
    for secret, finding in _secrets_in_name(name):
        name = name.replace(secret, f"[{finding.rule}]")
    return name


def _suggest_rename(oid: Oid, pattern: str, *, is_here: bool) -> str:
    """Return the command that gives the reference another name that `pattern` matches, here or only there."""
    references = f"$(git for-each-ref --format='%(refname:lstrip=2)' {quote_shell(pattern)})"
    folder = next((folder for folder in ("refs/heads/", "refs/tags/") if pattern.startswith(folder)), "refs/")
    if is_here and folder == "refs/heads/":
        return f"git branch -m {references} NEW_NAME   # under another name"
    if is_here and folder == "refs/tags/":
        return f"git tag NEW_NAME {oid[:10]} && git tag -d {references}   # under another name"
    return f"git push REMOTE {oid[:10]}:{folder}NEW_NAME   # under another name"


def revived(repo: Repository, remote: str, lines: str) -> list[Oid]:
    """Return the purged objects that a push would bring back; `lines` as for `leaks`."""
    register = purged_objects.read_register(repo)
    if not register:
        return []
    return purged_objects.list_reached(repo, list_outgoing(repo, remote, read_updates(lines)), register)


def rebase(commit: Oid, parents: object) -> str:
    """Return the command that begins to write a commit anew, which has `parents` or none."""
    return f"git rebase -i {f'{commit[:10]}^' if parents else '--root'}   # edit it, and take it out"


ALLOWED = "allowed-secrets"


def fingerprints(repo: Repository) -> frozenset[str]:
    """Return the fingerprints that may be pushed from this clone."""
    return frozenset(StateStore(repo.commondir / "clawgit").read_rows(ALLOWED, str))


def allow(repo: Repository, hashes: Iterable[str]) -> tuple[str, ...]:
    """Allow secrets to be pushed; return those that were not allowed yet. Raises UsageError for a bad fingerprint."""
    allowances, new = fingerprints(repo), tuple(dict.fromkeys(hashes))
    for fingerprint in new:
        if not re.fullmatch(rf"[0-9a-f]{{{FINGERPRINT}}}", fingerprint):
            fix = Command("git push", note="names it")
            raise value_invalid(f"not {FINGERPRINT} hex digits: {fingerprint!r}", fix=fix)
    new = tuple(fingerprint for fingerprint in new if fingerprint not in allowances)
    StateStore(repo.commondir / "clawgit").append_rows(ALLOWED, new)
    return new
