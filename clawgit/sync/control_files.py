"""Files of other machines that wait for the operator.

A merge of ours keeps the local ones. So a file that a merge of ours lacks was not removed: only somebody's commit
decides on such a file, and only that is asked about, or passed on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, Fix, names_collide, sync_left_out
from clawgit.git import commit_chain, commit_graph, history, paths, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.commit_graph import TreeEntry, entry
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import commit_message, merge_rules, undo
from clawgit.workspace.config import is_readable
from clawgit.workspace.file_contents import to_text

AUTHOR = (undo.SYNC, "sync@localhost")
_MAX_NAME_BYTES = 255
_SHEBANG = b"#!"
_MAX_PATH_BYTES = 1024
_Pairs = Mapping[str, tuple[TreeEntry | None, TreeEntry | None]]


class Held(Struct):
    """What heads have otherwise and does not come in: all `paths` of it, and what is asked about.

    `asked` has of each control file the head that brings it, and the file as it is there (None: no file). `ejected` are
    the heads of those who left clawgit. `kept` are files that stay as they are
    on this machine, each with a head that has another version.
    """

    paths: set[str] = field(default_factory=set)
    asked: dict[str, tuple[Oid, TreeEntry | None]] = field(default_factory=dict)
    ejected: list[Oid] = field(default_factory=list)
    kept: list[tuple[str, Oid]] = field(default_factory=list)


Mine = Callable[[str], bool]
"""Tells whether a file stays as it is on this machine, whatever others have."""


def hold_control_files(repo: Repository, own: Oid, heads: Iterable[Oid], mine: Mine) -> Held:
    """Return the parts of these heads that are not merged."""
    result = Held()
    names = {paths.fold_name(path): path for path in repository.files(repo, own)}
    for head in heads:
        differing = commit_graph.difference(repo, own, head)
        twins = _find_apart(repo, own, head, differing, names)
        controls = {path: pair for path, pair in differing.items() if path in twins or is_control(repo, path, *pair)}
        unnamed = [path for path in controls if path not in twins and not explain_name(path)]
        for path in commit_graph.find_commits(repo, own, head, unnamed):
            result.asked[path] = (head, controls[path][1])
        result.paths |= controls.keys()
        others = {path: pair for path, pair in differing.items() if path not in controls}
        # A head without the file of the format has left clawgit.
        is_gone = file_roles.FORMAT in others and others[file_roles.FORMAT][1] is None
        for commit in commit_graph.find_commits(repo, own, head, (file_roles.FORMAT,) if is_gone else ()).values():
            result.ejected.append(head)
            last = history.commit(repo, commit)
            is_eject = last.subject == file_roles.EJECTED  # the decision of one machine
            for path, (_, after) in commit_graph.difference(repo, last.parents[0], commit).items():
                if not path.startswith(file_roles.OURS) and (is_eject or after is None):
                    result.paths.add(path)
        result.kept += [(path, head) for path in others if mine(path) and path not in result.paths]
    return result


def list_names_left_out(repo: Repository, own: Oid, heads: Iterable[Oid]) -> dict[str, ClawgitError]:
    """Return the files of heads that are not here because of their names, with the reasons, as long as that is so."""
    names = {paths.fold_name(path): path for path in repository.files(repo, own)}
    result = dict[str, ClawgitError]()
    for head in heads:
        differing = commit_graph.difference(repo, own, head)
        news = sorted(path for path, (ours, theirs) in differing.items() if theirs and not ours)
        twins = {path: names.setdefault(paths.fold_name(path), path) for path in news}
        candidates = [path for path, other in twins.items() if other != path or explain_name(path)]
        absent_paths = [twins[path] for path in candidates if not entry(repo, head, twins[path])]
        makers = commit_graph.find_commits(repo, head, own, candidates) | commit_graph.find_commits(
            repo, own, head, absent_paths
        )
        for path in (path for path in candidates if path not in makers and twins[path] not in makers):
            fix: Fix = Command("git log {}", head[:10], note="take it out there")
            result[path] = sync_left_out(f"{path[:200]!r} is left out: {explain_name(path)}", fix=fix)
            for twin in paths.find_twins(repo.root, (path, twins[path])):
                fix = twin.fix.then("clawgit sync") if isinstance(twin.fix, Command) else twin.fix
                result[path] = names_collide(f"{path} is left out: {twin.message}", fix=fix)
    return result


def _find_apart(repo: Repository, own: Oid, head: Oid, differing: _Pairs, names: dict[str, str]) -> dict[str, str]:
    """Return the new files that are one with another on other disks, with that, and those that a merge left out."""
    base = commit_graph.common(repo, own, head)
    missing = [path for path, (_, theirs) in differing.items() if not theirs and entry(repo, base, path)]
    deleted = commit_graph.find_commits(repo, own, head, missing)
    collisions = dict.fromkeys(_find_left_out(repo, head, [path for path in missing if path not in deleted]), "")
    news = (path for path, (ours, theirs) in differing.items() if not ours and theirs != entry(repo, base, path))
    for path in sorted(news):
        other = names.setdefault(paths.fold_name(path), path)
        if other in deleted and differing[other][0] == entry(repo, base, other):
            names[paths.fold_name(path)] = path  # it was renamed
        elif other != path:
            collisions |= {path: other, **({other: ""} if other in deleted else {})}
    return collisions


def _find_left_out(repo: Repository, head: Oid, absent_paths: Collection[str]) -> list[str]:
    """Return the files that a merge had to leave out: another one has a like name, or the name cannot come in."""
    names = {paths.fold_name(path) for path in repository.files(repo, head)} if absent_paths else set()
    return [path for path in absent_paths if paths.fold_name(path) in names or explain_name(path)]


def is_control(repo: Repository, path: str, our_entry: TreeEntry | None, their_entry: TreeEntry | None) -> bool:
    """Return whether a file that differs stays as it is here: by its place, its name, or its kind.

    Unreadable settings stay out as well: every command needs them.
    """
    rule = merge_rules.find_rule(path)
    if rule == "control" or explain_name(path) or f"{path.casefold()}/" == file_roles.OURS:
        return True
    if path.startswith(file_roles.OURS):
        return rule != "rows" and path != file_roles.FORMAT
    entries = [entry for entry in (our_entry, their_entry) if entry]
    if not all(entry.regular for entry in entries):
        return True
    if path == file_roles.CONFIG and their_entry:
        return not is_readable(to_text(repository.blob(repo, their_entry.blob)))
    return rule == "whole" and any(
        entry.executable or repository.blob(repo, entry.blob).startswith(_SHEBANG) for entry in entries
    )


def explain_name(path: str) -> str:
    """Return the reason that a file cannot have this name here, "" if it can."""
    try:
        if paths.check(path) != path:
            return "it is not a name that can come in"
    except ClawgitError as exc:
        return exc.message if len(path) < _MAX_PATH_BYTES else "its name leads elsewhere"
    data = path.encode()
    if len(data) > _MAX_PATH_BYTES or max(map(len, data.split(b"/"))) > _MAX_NAME_BYTES:
        return f"its name has {len(data):,} bytes"
    return ""


def commit_for_branch(repo: Repository, head: Oid, branch: Oid | None) -> Oid:
    """Return the commit that takes a shared branch to `head`: `head`, or one on both with files of the branch's own.

    What this machine did not take stays on the branch for whoever pulls it with git alone; what a commit made of a
    control file goes there if it had seen what the branch has. Where the branch has news that are not here it cannot go
    forward, and it is `head`.
    """
    if not branch or not repository.resolve(repo, branch) or commit_graph.has_content(repo, head, branch):
        return head
    differing = commit_graph.difference(repo, branch, head)
    stays = {path for path, (theirs, ours) in differing.items() if is_control(repo, path, ours, theirs)}
    makers = commit_graph.find_commits(repo, branch, head, [path for path in stays if not explain_name(path)])
    for path, maker in makers.items():
        last = next(history.walk_log(repo, path, start=branch, limit=1, named=False, renames=False), None)
        if last is None or repository.reaches(repo, maker, last.id):
            stays.remove(path)
    absent_paths = [path for path, (_, theirs) in differing.items() if not theirs]
    deleted = commit_graph.find_commits(repo, branch, head, absent_paths)
    stays |= set(_find_left_out(repo, head, [path for path in absent_paths if path not in deleted]))
    if not stays and repository.reaches(repo, head, branch):
        return head
    words = commit_message.Message("sync: what the branch has of its own", "", (("Clawgit-Agent", undo.SYNC),))
    # The time comes from the commits, so that a repeated sync makes the same commit.
    time = datetime.fromtimestamp(max(repository.committed_at(repo, oid) for oid in (head, branch)), UTC)
    files = {path: their_entry for path, (_, their_entry) in differing.items() if path not in stays}
    new = NewCommit(commit_message.render(words), AUTHOR, time, {}, (head,), entries=files)
    return commit_chain.build(repo, branch, [new])[-1]
