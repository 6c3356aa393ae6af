"""Works out what the heads of several machines come to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from clawgit.errors import Advice, ClawgitError, Command, format_newer, sync_unrelated
from clawgit.git import commit_graph, history, repository
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import join_sides
from clawgit.sync import control_files, merge_rules
from clawgit.sync.control_files import Held
from clawgit.sync.tree_merge import TreeMerge
from clawgit.workspace import file_roles
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.purging import purged_twins
from clawgit.workspace.workspace_base import FORMAT_VERSION, format_number


class Kept(Struct, frozen=True):
    """A file that every machine has for itself, and that another one has another version of.

    `base` is the text that both had last, None for no file.
    """

    path: str
    base: str | None
    ours: str | None
    theirs: str | None


class HeadMerge(Struct, frozen=True):
    """What `own` and the `others` come to: the files that differ from those of `own` (None: no file).

    `forward` is the head that holds all of it already. `kept` are files that stay as they are here, `asked` the ids of
    the records that were opened because two machines corrected one entry, each in its way. `held` does not come in.
    """

    own: Oid
    others: tuple[Oid, ...]
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    forward: Oid | None = None
    kept: tuple[Kept, ...] = ()
    asked: tuple[str, ...] = ()
    held: Held = Held()


class PurgedError(ClawgitError):
    """One side has what the other one purged."""


Mine = Callable[[str], bool]
"""Tells whether a file stays as it is on this machine, whatever others have."""


def work_out(repo: Repository, own: Oid, heads: Iterable[Oid], mine: Mine) -> HeadMerge | None:
    """Return what the heads come to, None where they bring nothing.

    Raises ClawgitError for a history that has nothing in common with ours or holds what was purged, and for a file that
    cannot be merged.
    """
    news = _news(repo, own, heads)
    if not news:
        return None
    for head in news:
        _require_kin(repo, own, head)
        _require_unpurged(repo, own, head)
        if number := newer_format(repo, head):
            raise format_newer(
                f"{head[:10]} is of format {number}; this clawgit reads {FORMAT_VERSION}",
                fix=Command("pip install --upgrade clawgit"),
            )
    held = control_files.hold(repo, own, news)
    kept = tuple(_kept(repo, own, news, mine))
    ahead = len(news) == 1 and repository.reaches(repo, news[0], own)
    if ahead and not kept and not held.uneven:
        pairs = commit_graph.difference(repo, own, news[0]).items()
        files = {path: repository.blob(repo, there.blob) if there else None for path, (_, there) in pairs}
        return HeadMerge(own, news, files, news[0])
    trees = TreeMerge(repo, lambda path: _is_left(path, mine, held))
    version = trees.merge((own, *news))
    paths = {*version.files, *(commit_graph.difference(repo, own, version.head) if version.head else ())}
    merged = {path: trees.read(version, path) for path in sorted(paths) if not _is_left(path, mine, held)}
    files = {path: data for path, data in merged.items() if data != repository.read(repo, own, path)}
    if not files and not any(commit_graph.has_content(repo, own, head) for head in news):
        return None
    return HeadMerge(own, news, files, None, kept, version.records, held)


def _is_left(path: str, mine: Mine, held: Held) -> bool:
    """Return whether a file stays as it is here."""
    rule = merge_rules.rule(path)
    return path in held.paths or rule in ("own", "control") or (mine(path) and file_roles.guarded(path))


def work_out_sound(
    repo: Repository, own: Oid, heads: Sequence[Oid], mine: Mine
) -> tuple[HeadMerge | None, tuple[ClawgitError, ...]]:
    """Return what the heads come to; one that cannot be merged is left out, and holds up none of the others."""
    try:
        return work_out(repo, own, heads, mine), ()
    except ClawgitError:
        problems, sound = [], list[Oid]()
    merge: HeadMerge | None = None
    for head in heads:
        try:
            merge = work_out(repo, own, (*sound, head), mine)
        except ClawgitError as exc:
            problems.append(exc)
        else:
            sound.append(head)
    return merge, tuple(problems)


def _news(repo: Repository, own: Oid, heads: Iterable[Oid]) -> tuple[Oid, ...]:
    """Return the heads that are not in our history, nor in that of another one."""
    found = [head for head in dict.fromkeys(heads) if not repository.reaches(repo, own, head)]
    return tuple(
        sorted(head for head in found if not any(one != head and repository.reaches(repo, one, head) for one in found))
    )


def _require_kin(repo: Repository, own: Oid, head: Oid) -> None:
    if commit_graph.common(repo, own, head) is None:
        raise sync_unrelated(
            f"{head[:10]} is of a workspace that has nothing in common with this one: they cannot be brought together",
            fix=Command(
                "git remote -v", note="is that the right one? A second machine begins with: clawgit init DIR --from URL"
            ),
        )


def _require_unpurged(repo: Repository, own: Oid, head: Oid) -> None:
    """Raise ClawgitError where one side still holds what the other one took out of all of its history."""
    if held := purged_twins.brings_back(repo, own, head):
        raise PurgedError(
            "purged-elsewhere",
            f"another machine purged {held:,} objects that are in the history here still: what comes from here "
            "would bring them back",
            fix=Command("clawgit purge --synced", note="shows where it stands here, and takes it out"),
        )
    if held := purged_twins.brings_back(repo, head, own):
        raise PurgedError(
            "purge-revived",
            f"{head[:10]} holds {held:,} objects that were purged here, and would bring them back",
            fix=Advice("clawgit sync; clawgit purge --synced   # on that machine"),
        )


def _kept(repo: Repository, own: Oid, heads: Sequence[Oid], mine: Mine) -> Iterator[Kept]:
    for head in heads:
        for path, pair in commit_graph.difference(repo, own, head).items():
            if (merge_rules.rule(path) == "own" or mine(path)) and not control_files.is_control(path, *pair):
                blobs = (_last_both(repo, own, head, path), *(entry.blob if entry else None for entry in pair))
                yield Kept(path, *(oid and join_sides(loosely(repository.blob(repo, oid))) for oid in blobs))


def _last_both(repo: Repository, own: Oid, head: Oid, path: str) -> Oid | None:
    """Return the newest version of a file that both histories had; None where there is none."""
    here, there = (
        [repository.blob_id(repo, commit.id, path) for commit in history.log(repo, path, start=tip, named=False)]
        for tip in (own, head)
    )
    return next((oid for oid in there if oid and oid in here), None)


def newer_format(repo: Repository, head: Oid) -> int:
    """Return the format of a head that a newer clawgit writes, 0 where this one reads it."""
    number = format_number((repository.read(repo, head, file_roles.FORMAT) or b"").decode("utf-8", "replace")) or 0
    return number if number > FORMAT_VERSION else 0
