"""Checks of all history, before it is adopted."""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby

from msgspec import Struct, field

from clawgit.errors import Advice, ClawgitError, Command, Fix
from clawgit.findings.registry import Check, Finding, Ground
from clawgit.git import churn, repository, repository_health
from clawgit.git.churn import Gap, Touch
from clawgit.git.git_command import without_fetching
from clawgit.git.paths import check
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.text.entry import flat, saying
from clawgit.workspace import commit_message, file_roles, history_secrets, write_guard
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.history_secrets import Past

MAX_LISTED = 10
MAX_QUOTE_CHARS = 60
_MIN_LIKENESS = 75.0
"""Per cent of equal letters from which on a line that came is a line that went, reworded."""
_MAX_PAIRS = 20_000


class Loss(Struct, frozen=True):
    """The lines that a commit took from one file, by their numbers in the blob `before` of the commit `parent`."""

    commit: Oid
    date: str
    path: str
    before: Oid
    parent: Oid
    sayings: Mapping[int, str]


class _Losses(Struct):
    """Collects losses from a history that is read newest first.

    `present` are the sayings of the files on disk. A line counts once, where it went last; one that the same commit
    reworded did not go. What a merge took is not looked at.
    """

    present: Collection[str]
    found: list[Loss] = field(default_factory=list)
    _gone: set[str] = field(default_factory=set)

    def see(self, touch: Touch) -> None:
        """Take in what a commit did to a file."""
        if len(touch.parents) != 1 or not touch.before or not _is_memory(touch.path):
            return
        known = (self.present, self._gone)
        taken = {number: said for number, said in _list_taken(touch) if not any(said in some for some in known)}
        if lost := _without_reworded(taken, touch):
            self.found.append(Loss(touch.commit, touch.date, touch.path, touch.before, touch.parents[0], lost))
        self._gone.update(taken.values())


def _is_memory(path: str) -> bool:
    return file_roles.memory(path) and path != file_roles.CONFIG


def _list_taken(touch: Touch) -> Iterator[tuple[int, str]]:
    for hunk in touch.hunks:
        for number, row in enumerate(hunk.taken, hunk.old):
            if said := saying(row.decode("utf-8", "replace")):
                yield number, said


def _without_reworded(taken: Mapping[int, str], touch: Touch) -> dict[int, str]:
    """Return the lines for which the same commit gave none that is much like it; each can stand for one."""
    given = {saying(row.decode("utf-8", "replace")) for hunk in touch.hunks for row in hunk.given} - {""}
    if not given or len(taken) * len(given) > _MAX_PAIRS:
        return dict(taken)
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - most commits only add

    lost = {}
    for number, said in taken.items():
        near = process.extractOne(said, given, scorer=fuzz.ratio, score_cutoff=_MIN_LIKENESS)
        if near is None:
            lost[number] = said
        else:
            given.discard(near[0])
    return lost


def check_past(ground: Ground) -> Iterator[Finding]:
    """Yield the secrets that only history has, and the lines of memories that are in no file any more."""
    repo = ground.workspace.repo
    commits = churn.reachable(repo, "--all")
    if partial := repository_health.promisors(repo):
        words = f"commits that were not read, since the clone is partial: {len(commits):,}"
        yield Finding("secret-unknown", words, Command("git fetch --refetch --no-filter {}", partial[0]))
        return
    with without_fetching():
        head = frozenset(churn.reachable(repo, "HEAD")) if repository.head(repo) else frozenset()
        memories = [text for path, text in ground.texts.items() if _is_memory(path)]
        losses = _Losses({saying(row) for text in memories for row in text.split("\n")})
        past: dict[str, Past] = {}
        gaps: set[Oid] = set()
        for number, touch in churn.churn(repo, commits, "*.md"):
            ground.progress(number, len(commits))
            if isinstance(touch, Gap):
                gaps.add(touch.commit)
                continue
            past.update((one.fingerprint, one) for one in history_secrets.find_given(touch))
            if touch.commit in head:
                losses.see(touch)
        yield from _list_secrets(ground, past)
        yield from _list_losses(repo, losses.found, flat("\n".join(memories)), ground)
    if gaps:
        words = f"commits of which not all is here: {len(gaps):,}"
        yield Finding("secret-unknown", words, Command("git fsck"))


def _list_secrets(ground: Ground, past: Mapping[str, Past]) -> Iterator[Finding]:
    here = {hit.fingerprint for path, text in ground.texts.items() for hit in write_guard.scan_file(path, text)}
    gone = [one for one in past.values() if one.fingerprint not in here]
    for one in gone[:MAX_LISTED]:
        fix = Advice("replace it where it is used: every clone has it")
        yield Finding("secret-in-history", one.words, fix, paths=(one.path,), line=one.line)
    if len(gone) > MAX_LISTED:
        yield Finding("secret-in-history", f"{len(gone) - MAX_LISTED:,} more secrets are in history alone")


def _list_losses(repo: Repository, found: list[Loss], present: str, ground: Ground) -> Iterator[Finding]:
    """Yield what each commit took, the largest losses first; of very many the rest is counted."""
    groups = [list(group) for _, group in groupby(found, key=lambda one: one.commit)]
    groups.sort(key=lambda some: -sum(len(one.sayings) for one in some))
    listed = 0
    for number, some in enumerate(groups):
        if listed == MAX_LISTED:
            lines = sum(len(one.sayings) for group in groups[number:] for one in group)
            words = f"up to {lines:,} more lines went in {len(groups) - number:,} other commits"
            yield Finding("lines-lost", words, Command("git log --stat"), "notice")
            return
        for finding in _describe_loss(repo, some, present, ground):
            listed += 1
            yield finding


def _describe_loss(repo: Repository, some: list[Loss], present: str, ground: Ground) -> Iterator[Finding]:
    """Yield what a commit took, nothing where all of it is there in other lines, or was a secret."""
    rows = [(one, list(_list_words(repo, one, present))) for one in some]
    rows = sorted(((one, words) for one, words in rows if words), key=lambda row: -len(row[1]))
    if rows:
        first, words = rows[0]
        count, paths = sum(len(words) for _, words in rows), tuple(one.path for one, _ in rows)
        lines = "1 line" if count == 1 else f"{count:,} lines"
        message = f"{first.commit[:10]} of {first.date[:10]} took {lines} of {list_names(paths, 2)}"
        message += f" that {'is' if count == 1 else 'are'} in no file now: “{words[0]}”"
        yield Finding("lines-lost", message, _make_way_back(first, ground), "notice", paths)


def _list_words(repo: Repository, one: Loss, present: str) -> Iterator[str]:
    """Yield the lines as they can be quoted, without those that had a secret or only break otherwise now."""
    try:
        before = repository.blob(repo, one.before).decode("utf-8", "replace")
    except ClawgitError:  # a damaged clone
        return
    rows, hits = before.split("\n"), secrets.scan(before)
    hidden = {hit.line + more for hit in hits for more in range(before[hit.start : hit.end].count("\n") + 1)}
    for number, said in one.sayings.items():
        if number not in hidden and said not in present:
            words = commit_message.one_line(write_guard.cleaned(rows[number - 1].strip(" \t>-*+#")))
            yield commit_message.shorten(words, MAX_QUOTE_CHARS)


def _make_way_back(one: Loss, ground: Ground) -> Fix:
    """Return the command that brings a file back that is gone, else the one that shows it as it was."""
    try:
        check(one.path)
    except ClawgitError:  # a name that no shell should see
        return Command(f"git show {one.before[:10]}")
    if one.path not in ground.texts:
        return Command(f"clawgit restore {{}} --as-of {one.parent[:10]}", one.path, note="once adopted")
    return Command("git show {}", f"{one.parent[:10]}:{one.path}")


PAST = Check("past", check_past, "no secret and no line of a memory is in history alone", "repository")
