"""Makes a workspace of a new or an existing folder."""

import contextlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, file_foreign, object_missing
from clawgit.git import (
    git_filters,
    git_index,
    git_state,
    pending_work,
    references,
    regular_file,
    repository,
    repository_health,
    worktree_files,
)
from clawgit.git.git_command import forbid_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.resources import resource
from clawgit.text import document
from clawgit.workspace import capture, changelog, entries, line_writers, outgoing_secrets, trust_review
from clawgit.workspace.commit_message import Message
from clawgit.workspace.file_contents import read_quietly, text_of
from clawgit.workspace.uncommitted import list_different, list_held_back, refuse_content, staying_out
from clawgit.workspace.workspace import Workspace, refuse_stranger, refuse_wrong
from clawgit.workspace.workspace_base import FORMAT_VERSION

IGNORE = ".gitignore"


def bookkeeping() -> dict[str, str]:
    """Return path and text of clawgit's own files in the tree."""
    return {file_roles.FORMAT: f"{FORMAT_VERSION}\n", entries.PATH: entries.render_sidecar({})}


def records() -> dict[str, str]:
    """Return path and text of the settings, the records and the agents' prompts."""
    home = resource("templates")
    files = {name: (home / "workspace" / name).read_text("utf-8") for name in _RECORDS}
    for place in sorted((home / "agents").glob("*/SOUL.md")):
        files[f"agents/{place.parent.name}/SOUL.md"] = place.read_text("utf-8")
    return files


_RECORDS = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)
_FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")


def folders() -> dict[str, str]:
    """Return path and text of the files that keep empty folders of a new workspace in git (spec §14, step 1)."""
    return {f"{folder}/.gitkeep": "" for folder in _FOLDERS}


def ignore_rules() -> str:
    """Return the text of a new .gitignore."""
    return (resource("templates") / "workspace" / "gitignore").read_text("utf-8")


def add_rules(text: str, rules: str, title: str) -> str:
    """Return `text` with its missing `rules` at its end, below the line `title`; unchanged if none is new.

    Blank lines and comments in `rules` are left out. Line ends are those of `text`.
    """
    present_rows = {"", *(row.strip() for row in document.split(text))}
    new_rules = [row for row in rules.splitlines() if row.strip() not in present_rows and not row.startswith("#")]
    if not new_rules:
        return text
    end = document.eol(text)
    gap = "" if not text else end if document.ends_with_newline(text) else end + end
    return text + gap + end.join([title, *new_rules]) + end


def _name_branch(workspace: Workspace, text: str) -> str:
    """Set the current branch in a CONFIG.md of this text, if it is not the usual one."""
    name = repository.branch(workspace.repo)
    row = "" if name in (workspace.branch, None) else f"branch: {name}  # where every change goes\n\n"
    return text.replace("```yaml\n", f"```yaml\n{row}", 1)


RITUAL = "BOOTSTRAP.md"


def _is_half_made(gitdir: Path) -> bool:
    """Return whether a git folder was begun, as on a full disk, and never had a HEAD or a branch."""
    names = ("HEAD", "packed-refs")
    return gitdir.is_dir() and not any((gitdir / name).exists() for name in names) and not any(gitdir.glob("refs/*/*"))


_SIGNS_OF_OPENCLAW = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "MEMORY.md", "memory", "memory.md", "skills")


def _list_templates(workspace: Workspace) -> dict[str, str]:
    """Return path and text of every file that a workspace starts with; a new one begins with the ritual."""
    files = {place.name: place.read_text("utf-8") for place in (resource("templates") / "workspace").glob("*.md")}
    if workspace.head or any(os.path.lexists(workspace.root / name) for name in _SIGNS_OF_OPENCLAW):
        del files[RITUAL]
    empty_folders = {path: "" for path in folders() if not any((workspace.root / path).parent.glob("*"))}
    return {**files, **records(), **bookkeeping(), **empty_folders, IGNORE: ignore_rules()}


def is_free(root: Path, path: str) -> bool:
    """Return whether there is nothing at `path`, or an empty file, and a new file there would be ours alone.

    Not behind a link, and not in a nested repository.
    """
    parents = [root / folder for folder in Path(path).parents if folder != Path()]
    own = all(worktree_files.is_folder(folder) or not os.path.lexists(folder) for folder in parents)
    nested = any(os.path.lexists(folder / ".git") for folder in parents)
    return own and not nested and (not os.path.lexists(root / path) or changelog.is_rendered(root / path))


def _plan(
    workspace: Workspace, new: Mapping[str, bytes], theirs: Collection[str], subject: str, snapshot: Snapshot
) -> Plan:
    """Return the plan of the commits: the edits of others, then our files that may still be written.

    Those are missing or empty files, and the .gitignore that we read.
    """
    if snapshot.committed.get(file_roles.FORMAT) is not None:
        return Plan(())
    ours = {}
    for path, data in new.items():
        file, committed = snapshot.disk[path], snapshot.committed[path]
        if file is None or not (file.data or committed) or (path == IGNORE and file.data == committed):
            ours[path] = data
    return capture.plan_with(workspace, snapshot, theirs, ours, Message(subject), workspace.now())


_BRANCH = "main"
Progress = Callable[[int, int], object]
SUBJECT = "workspace: adopted by clawgit"
TITLE = "# added by clawgit"


class Adopted(Struct, frozen=True):
    """The result of `adopt` or `init`, or its preview: `commit` is None for nothing to do, and in a preview.

    `workspace` is None for a folder that is not under git. `additions` are the bytes to be added, by path; only
    .gitignore may exist already, and grows. `captured` is committed as it is, `held` is not, with its error; `kept` are
    somebody else's files with the name of one of ours; `views` the files to be rendered, and not committed; `left`
    counts the files that stay out. `refusal` is the reason that it cannot be done now, `notes` are later failures.
    """

    root: Path
    branch: str
    workspace: Workspace | None = None
    additions: Mapping[str, bytes] = {}
    captured: tuple[str, ...] = ()
    held: Mapping[str, ClawgitError] = {}
    kept: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    left: int = 0
    commit: Oid | None = None
    refusal: ClawgitError | None = None
    notes: tuple[str, ...] = ()

    @property
    def managed(self) -> bool:
        """Whether clawgit may write here."""
        return self.workspace is not None and self.workspace.managed


@forbid_fetching()
def preview_adoption(path: Path, *, minimal: bool = False, progress: Progress = lambda _count, _total: None) -> Adopted:
    """Return a preview of `adopt`; touches nothing. Raises ClawgitError for a folder that cannot be adopted.

    `progress` gets the number of objects of HEAD that were looked at.
    """
    refuse_stranger(path)
    root = path.resolve()
    adoption = _open_repository(root, progress) if os.path.lexists(root / ".git") else Adopted(root, _BRANCH)
    if adoption.managed:
        return adoption
    files = bookkeeping() | ({} if minimal else records())
    return _look_inside(adoption, files, has_views=not minimal, adds_rules=not minimal)


def _open_repository(root: Path, progress: Progress = lambda _count, _total: None) -> Adopted:
    """Return the workspace in a repository, before it is looked at. Raises ClawgitError for a damaged one."""
    workspace = Workspace(repository.find(root))
    repository.require_head(workspace.repo)
    if not workspace.managed:
        _refuse_damage(workspace, progress)
    return Adopted(root, repository.branch(workspace.repo) or workspace.branch, workspace)


def _look_inside(
    look: Adopted, files: Mapping[str, str], *, has_views: bool = True, adds_rules: bool = True
) -> Adopted:
    """Return the same with the changes of files: these are to be added, and our rules to a .gitignore."""
    root, workspace = look.root, look.workspace
    _refuse_foreign(root)
    refusals: dict[str, ClawgitError] = {}
    if workspace:
        globs = (*workspace.config.lenient.captured_globs, *files.keys() & {IGNORE})
        different, left = list_different(workspace.repo, globs)
        paths = [change.path for change in different]
        refusals = {change.path: refusal for change, refusal in list_held_back(workspace, different)}
        rules = _add_rules(workspace.repo, workspace.head) if adds_rules else None
    else:
        repo = Repository(root, root / ".git", root / ".git")  # files can be read by it, and no more
        paths, left = staying_out(root)
        for path in paths:
            try:
                refuse_content(repo, path, None)
            except ClawgitError as exc:
                refusals[path] = exc
        rules = _select_fitting_rules(root) if adds_rules and not os.path.lexists(root / IGNORE) else None
    additions = {path: text.encode() for path, text in files.items() if is_free(root, path) and path not in refusals}
    if workspace and file_roles.CONFIG in additions:
        additions[file_roles.CONFIG] = _name_branch(workspace, files[file_roles.CONFIG]).encode()
    existing = tuple(path for path in files if path not in additions and not path.startswith(file_roles.OURS))
    additions |= {} if rules is None else {IGNORE: rules.encode()}
    adoption = replace(
        look,
        additions=additions,
        captured=tuple(path for path in paths if path not in refusals),
        held=refusals,
        kept=existing,
        views=(*filter(partial(is_free, root), changelog.NAMES[:1]), changelog.COMPACTION_LOG) if has_views else (),
        left=left.files,
    )
    return replace(adoption, refusal=_find_commit_refusal(workspace, adoption)) if workspace else adoption


def _refuse_foreign(root: Path) -> None:
    """Raise ClawgitError if `.clawgit` belongs to another program, or to a later clawgit: its files begin unlike ours.

    An ejection may have left some of ours.
    """
    folder = root / file_roles.OURS.rstrip("/")
    heads = {root / path: text.encode().split(b"\n")[0] for path, text in bookkeeping().items()}
    is_ours = folder.is_dir() and not folder.is_symlink()
    for place in folder.iterdir() if is_ours else ():
        is_file = place in heads and place.is_file() and not place.is_symlink()
        is_ours &= is_file and place.read_bytes().split(b"\n")[0].rstrip(b"\r") == heads[place]
    if os.path.lexists(folder) and not is_ours:
        fix = Command("mv {} {}", folder, f"{folder}.old", note="then again")
        raise file_foreign(f"{folder.name} is there already, and not clawgit's", fix=fix)


def _add_rules(repo: Repository, head: str | None) -> str | None:
    """Return the new .gitignore, None if it stays: rules are only added to one that is committed as it is."""
    committed = repository.blob_id(repo, head, IGNORE)
    if not os.path.lexists(repo.root / IGNORE) and committed is None:
        return _select_fitting_rules(repo.root)
    text = text_of(read_quietly(repo, IGNORE))
    is_staged = git_index.index_of(repo).blob(IGNORE) != committed
    if text is None or is_staged or repository.hash_blob(text.encode()) != committed:
        return None
    after = add_rules(text, _select_fitting_rules(repo.root), TITLE)
    return None if after == text else after


def _select_fitting_rules(root: Path) -> str:
    """Return our rules without those that would hide a file of somebody else."""
    rules = ignore_rules().splitlines(keepends=True)
    foreign = {f"/{name}" for name in changelog.NAMES if not is_free(root, name)}
    return "".join(rule for rule in rules if rule.strip() not in foreign)


def _refuse_damage(workspace: Workspace, progress: Progress) -> None:
    """Raise ClawgitError if objects of HEAD are missing or unreadable: nothing is written then."""
    head = workspace.head
    damages = list(repository_health.list_damaged(workspace.repo, head, progress)) if head else []
    if not damages:
        return
    first, remainder = damages[0], f"; and {len(damages) - 1:,} more" if damages[1:] else ""
    raise object_missing(f"of HEAD, {first.path or 'its tree'} ({first.oid}) {first.why}{remainder}", fix=first.fix)


def adopt(path: Path, *, minimal: bool = False, attended: bool = True) -> Adopted:
    """Commit the uncommitted files, and add clawgit's own.

    No existing file is changed, but for .gitignore, which gets rules at its end; with `minimal` not even that, and
    nothing is added but `.clawgit/`. `attended`: the operator is at the terminal. Raises ClawgitError, with everything
    as it was, when it cannot be done.
    """
    refuse_stranger(path)
    return _begin(path.resolve(), lambda root: preview_adoption(root, minimal=minimal), SUBJECT, attended=attended)


def init(path: Path, *, attended: bool = True) -> Adopted:
    """Make `path` a managed workspace: repository, templates, first commit. No existing file is touched.

    `attended`: the operator is at the terminal. Raises ClawgitError for a folder in somebody's repository, OpenClaw's
    state folder or a home.
    """
    refuse_wrong(path, "init")
    regular_file.make_folders(path)
    result = _begin(path.resolve(), _look_at_new, "workspace: managed by clawgit", attended=attended)
    if RITUAL not in result.additions:
        return result
    words = "OpenClaw begins its own first-run ritual only where there is no git repository yet"
    return replace(result, notes=(f"{words}; the {RITUAL} made here stands in for it", *result.notes))


def _look_at_new(root: Path) -> Adopted:
    """Return a preview of `init` in a repository."""
    adoption = _open_repository(root)
    if adoption.managed or adoption.workspace is None:
        return adoption
    return _look_inside(adoption, _list_templates(adoption.workspace), adds_rules=False)


def _begin(root: Path, look: Callable[[Path], Adopted], subject: str, *, attended: bool) -> Adopted:
    """Commit the edits of others that `look` finds, then our new files; approve the identity, and render the views.

    Nothing is committed where an interrupted adoption has just been finished. Raises ClawgitError, with everything as
    it was.
    """
    fresh, is_half_made = not os.path.lexists(root / ".git"), _is_half_made(root / ".git")
    had_room = not (fresh or is_half_made) and (repository.find(root).commondir / "clawgit").exists()
    try:
        if fresh or is_half_made:
            repository.create(root, _BRANCH)
        adoption = look(root)
        workspace, theirs = adoption.workspace, adoption.captured
        if adoption.managed or workspace is None:
            return adoption
        workspace.attended = attended
        if adoption.refusal:
            raise adoption.refusal
        paths = dict.fromkeys((*adoption.additions, *theirs))
        written = workspace.first_commit(partial(_plan, workspace, adoption.additions, theirs, subject), paths)
        if not written.commits:
            return look(root)
        line_writers.note_look(workspace.store, workspace.clock().timestamp(), adoption.held)
        notes = trust_review.approve_head(workspace, adopting=True)
        views, unrendered = changelog.render_first(workspace) if adoption.views else ((), ())
        with contextlib.suppress(ClawgitError):
            outgoing_secrets.scan(workspace.repo, workspace.store, outgoing_secrets.ALL_SECONDS)
        return replace(adoption, commit=written.commits[-1], views=views, notes=(*notes, *unrendered))
    except BaseException:
        _take_back(root, fresh=fresh, had_room=had_room)
        raise


def _take_back(root: Path, *, fresh: bool, had_room: bool) -> None:
    """Remove the repository if it is `fresh`, else our folder in it, unless that waits to be finished."""
    if fresh:
        shutil.rmtree(root / ".git", ignore_errors=True)
    elif not had_room:
        repo = repository.find(root)
        if pending_work.find_announced_work(repo) is None and not references.list_our_references(repo):
            shutil.rmtree(repo.commondir / "clawgit", ignore_errors=True)


def _find_commit_refusal(workspace: Workspace, adoption: Adopted) -> ClawgitError | None:
    """Return the obstacle to the commits, before the repository gets a folder of ours."""
    repo = workspace.repo
    paths = (*adoption.additions, *adoption.captured)
    obstacle = workspace.head and git_state.find_obstacle(repo, repository.branch(repo) or workspace.branch, paths)
    if obstacle:
        return ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    for path, data in adoption.additions.items():
        try:
            git_filters.require_unfiltered(repo, path, data)
        except ClawgitError as exc:
            return exc
    return None
