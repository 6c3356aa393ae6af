"""Secrets in commits, tags and names, outgoing or past."""

import contextlib
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    git_output,
    purge_revived,
    quote_shell,
    secret_outgoing,
    value_invalid,
)
from clawgit.git import churn, own_commits, repository
from clawgit.git.churn import Gap, Touch, list_commits
from clawgit.git.git_command import blobs, forbid_fetching, git, objects
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import FINGERPRINT, Finding
from clawgit.store.database import StateStore
from clawgit.workspace import purged_objects
from clawgit.workspace.file_contents import is_scanned, scan_file

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
    for line in filter(None, lines.split("\n")):
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


def scan_changes(repo: Repository, commits: Sequence[Oid], max_bytes: int | None = None) -> Iterator[Leak | Gap]:
    """Yield the secrets that commits bring into files and their names, and the commits with missing objects.

    A secret that a merge has from any parent came with a commit of its own. Of a file with more than `max_bytes` of
    added lines only the name is looked at.
    """
    merges: dict[tuple[Oid, str], list[list[Leak]]] = defaultdict(list)
    for _, touch in churn.churn(repo, commits):
        if isinstance(touch, Gap):
            yield touch
        elif len(touch.parents) <= 1:
            yield from _leaks_in_file(repo, touch, max_bytes)
        else:
            sides = merges[touch.commit, touch.path]
            sides.append(list(_leaks_in_file(repo, touch, max_bytes)))
            if len(sides) == len(touch.parents):
                everywhere = set.intersection(*({leak.fingerprint for leak in side} for side in sides))
                yield from (leak for leak in sides[0] if leak.fingerprint in everywhere)


def _find_leaks(repo: Repository, pushed: Sequence[Update], commits: Sequence[Oid]) -> Iterator[Leak | Gap]:
    yield from scan_changes(repo, commits)
    for start in range(0, len(commits), _COMMITS_AT_ONCE):
        for commit, data in blobs(repo.root, commits[start : start + _COMMITS_AT_ONCE]).items():
            fix = rebase(commit, b"\nparent " in data.partition(b"\n\n")[0])
            yield from _leaks_in_object(commit, data, fix)
    yield from _leaks_in_references(repo, pushed)


def _leaks_in_file(repo: Repository, touch: Touch, max_bytes: int | None) -> Iterator[Leak]:
    """Yield the secrets that a commit adds to a file, and those of its name, if it is new, or of its link."""
    fix, addition = rebase(touch.commit, touch.parents), additions(touch)
    for line, finding in addition.secrets() if max_bytes is None or len(addition.data) <= max_bytes else ():
        yield Leak(touch.commit, touch.path, line, finding.rule, finding.fingerprint, fix)
    names = [touch.path] if touch.is_new else []
    if touch.link:
        names.append(os.fsdecode(repository.blob(repo, touch.link)))
    for name in names:
        yield from _leaks_in_name(touch.commit, touch.path, name, fix)


def _leaks_in_references(repo: Repository, pushed: Iterable[Update]) -> Iterator[Leak]:
    """Yield the secrets in names of references that are new, in annotated tags, and in files outside commits."""
    names = {update.local: update.name for update in pushed if update.local}
    for oid, name in ((update.local, update.name) for update in pushed if update.local and update.remote is None):
        folder = "refs/heads/" if name.startswith("refs/heads/") else "refs/tags/"  # which takes any object
        fix = f"git push REMOTE {oid[:10]}:{folder}NEW_NAME   # under another name"
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
                    for finding in secrets.find_secrets("" if b"\0" in content else content.decode("utf-8", "replace")):
                        yield Leak(blob, paths[blob], finding.line, finding.rule, finding.fingerprint, fix)
        names = inner


def _leaks_in_object(oid: Oid, data: bytes, fix: str, name: str = "") -> Iterator[Leak]:
    """Yield the secrets of a commit or a tag, each with its place: a header, or a line of the message."""
    text = data.decode("utf-8", "replace")
    head, _, _ = text.partition("\n\n")
    for finding in secrets.find_secrets(text):
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
    for finding in secrets.find_secrets(text):
        secret = text[finding.start : finding.end]
        if not any(secret in other or other in secret for other in secret_texts):
            secret_texts.append(secret)
            yield secret, finding


def _masked(name: str) -> str:
    for secret, finding in _secrets_in_name(name):
        name = name.replace(secret, f"[{finding.rule}]")
    return name


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


def list_obstacles(
    repo: Repository, place: str, lines: str, note_gap: Callable[[Gap], None] = lambda _: None
) -> Iterator[ClawgitError]:
    """Yield obstacles to giving commits away, for sync and the hooks: no secret goes out, and nothing purged.

    `place` is the name of the remote, `lines` is the input of git's pre-push hook. `note_gap` is called with each
    commit with missing objects.
    """
    verb, allow = ("comes in", "server allow REPO.git") if repo.bare else ("goes out", "hooks allow")
    commits = list_outgoing(repo, place, read_updates(lines))
    if revived := purged_objects.list_reached(repo, commits, purged_objects.read_register(repo)):
        yield purge_revived(
            f"nothing {verb}: it would bring back what was purged: {revived[0][:10]}",
            fix=Advice("clawgit purge --text - < FILE   # once more; or a fresh copy: clawgit init DIR --from URL"),
        )
    for leak in leaks(repo, place, lines):
        if isinstance(leak, Gap):
            note_gap(leak)
        else:
            fix = Advice(f"{leak.fix}; if it is none: clawgit {allow} {leak.fingerprint}")
            yield secret_outgoing(f"nothing {verb}: {leak.words}", fix=fix)


def check_received(repo: Repository, lines: str) -> Iterator[ClawgitError]:
    """Yield obstacles to a push to a server; `lines` is the input of git's pre-receive hook.

    The objects are in quarantine, and no reference has moved.
    """
    rows = (line.split(" ", 2) for line in filter(None, lines.split("\n")))
    yield from list_obstacles(repo, "", "".join(f"{name} {new} {name} {old}\n" for old, new, name in rows))


# ---- history

SECONDS, ALL_SECONDS = 1.0, 3600.0
_SLICE = 100  # commits that are read by one git
_MAX_LISTED = 5  # secrets that are told one by one
_MAX_BYTES = 1 << 20  # that a commit gives a file; what is larger is data, and its secrets are unknown


class Reading(Struct, frozen=True):
    """The state of a scan of history: the commits read with all before them, their secrets, and gaps."""

    read: tuple[Oid, ...] = ()
    found: tuple[Leak, ...] = ()
    gaps: int = 0


_PAST, _REPORTS = "past-secrets", "told-secrets"


def read_on(
    repo: Repository,
    state: Reading,
    seconds: float = ALL_SECONDS,
    progress: Callable[[int, int], object] = lambda _count, _total: None,
) -> Reading:
    """Read history for some seconds and return the new state; `progress` gets the number of commits read."""
    from clawgit.git import repository_health  # noqa: PLC0415 - loads libgit2, which a hook does without

    if repository_health.promisors(repo):
        return state  # old contents would have to be fetched one by one
    end, gaps = time.monotonic() + seconds, state.gaps
    read, waiting = _list_waiting(repo, state)
    secrets = {secret.fingerprint: secret for secret in state.found}
    for start in range(0, len(waiting), _SLICE):
        progress(start, len(waiting))
        rows = waiting[start : start + _SLICE]
        try:
            with forbid_fetching():
                leaks = list(scan_changes(repo, [oid for oid, _ in rows], _MAX_BYTES))
        except ClawgitError:  # too much is missing: the rest waits
            break
        gaps += sum(isinstance(leak, Gap) for leak in leaks)
        secrets |= {leak.fingerprint: leak for leak in leaks if isinstance(leak, Leak)}
        for oid, parents in rows:
            for parent in parents:
                # A commit stands for all before it: only the ends of what was read are kept.
                read.pop(parent, None)
            read[oid] = None
        if time.monotonic() > end:
            break
    return Reading(tuple(read), tuple(secrets.values()), gaps)


def scan(repo: Repository, store: StateStore, seconds: float) -> Reading:
    """Read on for some seconds, and return the whole state. If nothing can be written, it is read again."""
    previous = read_scan_state(store)
    new = read_on(repo, previous, seconds)
    if new != previous:
        with contextlib.suppress(ClawgitError):
            store.save_document(_PAST, new)
    return new


class Leaked(Struct, frozen=True, dict=True):
    """The fingerprints of all secrets in the history of HEAD; read on demand.

    To keep such a secret out of the next commit would protect nothing, and stop everyday work. The state is kept in
    `store` (None: nowhere).
    """

    repo: Repository
    store: StateStore | None

    def __contains__(self, fingerprint: object) -> bool:
        past = self._found.get(str(fingerprint))
        head = repository.head(self.repo)
        return past is not None and head is not None and repository.reaches(self.repo, head, past.commit)

    @cached_property
    def _found(self) -> dict[str, Leak]:
        history_state = scan(self.repo, self.store, ALL_SECONDS) if self.store else read_on(self.repo, Reading())
        return {secret.fingerprint: secret for secret in history_state.found}


def count_unread(repo: Repository, store: StateStore) -> int:
    """Return the number of commits of others that no scan has read yet; clawgit's own are scanned before."""
    own = own_commits.read_own_commits(repo)
    return sum(oid not in own for oid, _ in _list_waiting(repo, read_scan_state(store))[1])


def list_open_secrets(repo: Repository, store: StateStore) -> tuple[Leak, ...]:
    """Return the secrets that nobody has allowed with `clawgit hooks allow`; the newest last."""
    answers = fingerprints(repo)
    return tuple(secret for secret in read_scan_state(store).found if secret.fingerprint not in answers)


def report_secrets(repo: Repository, store: StateStore) -> tuple[str, ...]:
    """Read on for some seconds; return a sentence for each unreported secret.

    Of very many the newest are named. Obstacles of git are reported elsewhere, and nothing is returned if the report
    cannot be recorded.
    """
    with contextlib.suppress(ClawgitError):
        scan(repo, store, SECONDS)
    told_before = set(store.read_rows(_REPORTS, str))
    new = [secret for secret in list_open_secrets(repo, store) if secret.fingerprint not in told_before]
    try:
        store.append_rows(_REPORTS, [secret.fingerprint for secret in new])
    except ClawgitError:
        return ()
    notes = [f"{past.words}: replace it where it is used, for every clone has it" for past in new[-_MAX_LISTED:]]
    if len(new) > _MAX_LISTED:
        notes.append(f"{len(new) - _MAX_LISTED:,} more secrets stand in history: clawgit doctor lists them")
    return tuple(notes)


def forget(store: StateStore) -> None:
    """Forget the scan after history was rewritten without some of its secrets."""
    store.drop_document(_PAST)


def read_scan_state(store: StateStore) -> Reading:
    """Return the state; an empty one for an unreadable file, or one with secrets that do not count."""
    result = store.read_document(_PAST, Reading) or Reading()
    return result if all(is_scanned(secret.path) for secret in result.found) else Reading()


def _list_waiting(repo: Repository, state: Reading) -> tuple[dict[Oid, None], list[tuple[Oid, tuple[Oid, ...]]]]:
    """Return the read commits that are still here, and those of all branches and tags that were not read.

    The latter have their parents with them, the oldest first.
    """
    read = dict.fromkeys(commit for commit in state.read if repository.resolve(repo, commit) == commit)
    if repository.head(repo) is None:
        return read, []
    refs = ("--branches", "--tags", "--remotes", "HEAD")
    return read, list(list_commits(repo, *refs, *(f"^{oid}" for oid in read)).items())
