"""Hidden facts of a workspace, before clawgit's first commit."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command
from clawgit.findings.checks import file_checks, repository_checks
from clawgit.findings.registry import Check, CheckInput, Finding, Level, Progress, list_findings
from clawgit.git import churn, commit_graph, history, repository, repository_health
from clawgit.git.git_command import forbid_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.store.births import History, Removal, read_history
from clawgit.text import tokens
from clawgit.text.entry import flatten, read_saying
from clawgit.workspace import commit_message, file_contents, outgoing_secrets, records
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import to_text
from clawgit.workspace.outgoing_secrets import Reading
from clawgit.workspace.workspace import Workspace

_LEVELS: tuple[Level, ...] = ("alarm", "warning", "notice")
_NEVER_SHOWN = ("git-version", "repository-found")
"""What a doctor says, and no report of the files."""
_ELSEWHERE = ("held files", "uncommitted files")
"""The second half of the report names them: what adopting commits, and does not."""
MAX_LISTED = 10
MAX_QUOTE_CHARS = 60
_MIN_LIKENESS = 75.0
"""Per cent of equal letters from which on a line is another one, reworded."""


def make_adoption_report(
    root: Path, repo: Repository | None, progress: Progress = lambda _count, _total: None
) -> dict[str, Any]:
    """Look at all of a folder, and touch nothing in it; `repo` is None if it is not under git.

    Damage is a finding, never an error. `progress` gets the number of commits read, and of all. Returns the amounts
    (`lines` are those of memory with words, `commits` None if there is no history), the versions of each identity
    file with its tokens as estimated, None if it is gone, and the findings, the gravest first.
    """
    workspace = Workspace(repo or Repository(root, root / ".git", root / ".git"))
    ground = CheckInput(workspace, progress)
    needs = ("", "repository") if repo else ("",)
    all_checks = (*file_checks.SECRETS, *file_checks.CHECKS, *repository_checks.CHECKS)
    checks = [check for check in all_checks if check.needs in needs and check.name not in _ELSEWHERE]
    checks += [Check("past", check_past), repository_checks.REPOSITORY] if repo else []
    findings = [finding for finding in list_findings(checks, ground) if finding.key not in _NEVER_SHOWN]
    memories = [text for path, text in ground.texts.items() if file_roles.is_memory_or_settings(path)]
    return {
        "workspace": str(root),
        "files": len(ground.texts),
        "journals": sum(file_roles.journal_day(path) is not None for path in ground.texts),
        "lines": sum(bool(row.strip()) for text in memories for row in text.split("\n")),
        "commits": _count_commits(repo) if repo else None,
        "identity": list(_list_identity(ground, repo)),
        "findings": sorted(findings, key=lambda finding: _LEVELS.index(finding.level)),
    }


def _count_commits(repo: Repository) -> int:
    try:
        return len(churn.reachable(repo, "--all"))
    except ClawgitError:  # of a damaged repository, which a check tells
        return 0


def _list_identity(ground: CheckInput, repo: Repository | None) -> Iterator[dict[str, object]]:
    """Yield the identity files on disk, and those that only history has, in the order in which prompts have them."""
    order = {path: number for number, path in enumerate(file_roles.IDENTITY)}
    paths = {path for path in ground.texts if file_roles.is_identity(path)} | {file_roles.SOUL}
    for path in sorted(paths, key=lambda name: (order.get(name, 99), name)):
        size = tokens.count(ground.texts[path]) if path in ground.texts else None
        commits, growth = list[history.Commit](), None
        with suppress(ClawgitError):  # of a damaged or partial clone, which a check tells
            commits = list(history.walk_log(repo, path, named=False)) if repo else []
            if repo and commits and size is not None:
                growth = size - tokens.count(to_text(repository.read(repo, commits[-1].id, path)))
        if path in ground.texts or commits:
            dates = [commit.date.isoformat() for commit in commits] or [""]
            times = {"commits": len(commits), "first": dates[-1], "last": dates[0]}
            yield {"path": path, "tokens": size, **times, "growth": growth}


def check_past(ground: CheckInput) -> Iterator[Finding]:
    """Yield the secrets that only history has, and the lines of memories that are in no file any more."""
    workspace = ground.workspace
    if partial := repository_health.promisors(workspace.repo):
        words = "commits were not read, since the clone is partial"
        yield Finding("secret-unknown", words, Command("git fetch --refetch --no-filter {}", partial[0]))
        return
    with forbid_fetching():
        reading = outgoing_secrets.read_on(workspace.repo, Reading(), progress=ground.progress)
        texts = ground.texts.items()
        present = {secret.fingerprint for path, text in texts for secret in file_contents.scan_file(path, text)}
        yield from file_checks.describe_past([past for past in reading.found if past.fingerprint not in present])
        if workspace.head:
            yield from _list_losses(ground, read_history(workspace.repo, workspace.head, workspace.find_role))
    if reading.gaps:
        words = f"commits of which not all is here: {reading.gaps:,}"
        yield Finding("secret-unknown", words, Command("git fsck"))


def _list_losses(ground: CheckInput, history: History) -> Iterator[Finding]:
    """Yield the losses of each commit, the largest first; of very many the rest is counted.

    A line that is still on disk was not lost, nor one with next to no words, or a secret.
    """
    texts = [flatten(text) for path, text in ground.texts.items() if ground.workspace.find_role(path)]
    holders: defaultdict[str, set[int]] = defaultdict(set)  # the texts of each word: to search all takes too long
    for number, text in enumerate(texts):
        for word in set(text.split(" ")):
            holders[word].add(number)

    def is_present(words: str) -> bool:
        candidates = set(range(len(texts))).intersection(*(holders.get(word, ()) for word in words.split(" ")[1:-1]))
        return any(words in texts[number] for number in candidates)

    by_commit: defaultdict[Oid, list[Removal]] = defaultdict(list)
    for removal in history.removals.values():
        text = removal.row.statement.text
        if not secrets.find_secrets(text) and read_saying(text) and not is_present(read_saying(text)):
            by_commit[removal.commit].append(removal)
    groups = [_omit_reworded(ground, removals) for removals in by_commit.values()]
    groups = [removals for removals in groups if removals and not _is_own(ground.workspace, removals[0].commit)]
    groups.sort(key=lambda removals: (-len(removals), removals[0].commit))
    for removals in groups[:MAX_LISTED]:
        yield _describe_loss(ground, history, removals)
    if rest := groups[MAX_LISTED:]:
        words = f"up to {sum(map(len, rest)):,} more lines went in {len(rest):,} other commits"
        yield Finding("lines-lost", words, Command("git log --stat"), "notice")


def _omit_reworded(ground: CheckInput, removals: Sequence[Removal]) -> list[Removal]:
    """Return the removals without lines that are in their files in other words: the table follows none in journals."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - few read all of history

    losses: list[Removal] = []
    for path, group in groupby(sorted(removals, key=lambda loss: (loss.path, loss.row.start)), lambda loss: loss.path):
        lines = list(map(read_saying, ground.texts.get(path, "").split("\n")))
        for removal in group:
            words = read_saying(removal.row.statement.text)
            if not process.extractOne(words, lines, scorer=fuzz.ratio, score_cutoff=_MIN_LIKENESS):
                losses.append(removal)
    return losses


def _is_own(workspace: Workspace, commit: Oid) -> bool:
    """Return whether a commit is an act of the operator's through clawgit, such as an undo, or eject."""
    return (
        commit_graph.read_node(workspace.repo, commit).ours
        and records.read_commit_record(workspace, commit).origin == "operator"
    )


def _describe_loss(ground: CheckInput, history: History, removals: Sequence[Removal]) -> Finding:
    """Return the loss of a commit, with the command that brings the file back, or shows it as it was."""
    paths = [path for path, _ in Counter(removal.path for removal in removals).most_common()]
    first = next(removal for removal in removals if removal.path == paths[0])
    lines, are = ("1 line", "is") if len(removals) == 1 else (f"{len(removals):,} lines", "are")
    words = commit_message.fold_spaces(file_contents.clean_for_writing(first.row.statement.text))
    message = f"{first.commit[:10]} of {history.stamps[first.commit][0][:10]} took {lines} of {list_names(paths, 2)}"
    message += f" that {are} in no file now: “{commit_message.shorten(words, MAX_QUOTE_CHARS)}”"
    command, note = ("read", "") if first.path in ground.texts else ("restore", "once adopted")
    fix = Command(f"clawgit {command} {{}} --as-of {first.holder[:10]}", first.path, note=note)
    return Finding("lines-lost", message, fix, "notice", tuple(paths))
