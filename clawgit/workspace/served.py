"""The servable content of a file."""

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, file_kind, file_missing, history_missing, line_range
from clawgit.git import paths, repository, worktree_files
from clawgit.git.repository import Oid, files
from clawgit.safety.redaction import redact
from clawgit.text import document
from clawgit.text.spelling import misspelt
from clawgit.workspace import file_contents, identity_policy, records
from clawgit.workspace.file_contents import decode_file
from clawgit.workspace.workspace import Workspace

NONE_YET = "nothing in this folder is approved yet, so nothing of the identity is served: clawgit trust"


class Excerpt(Struct, frozen=True):
    """`count` lines of a file from line `first` on; `truncated` when more follow.

    `note` is a sentence if this is not the content on disk.
    """

    path: str
    text: str
    first: int
    count: int
    truncated: bool
    note: str = ""


def excerpt(
    workspace: Workspace, path: str, first: int = 1, count: int | None = None, *, as_of: str | None = None
) -> Excerpt:
    """Return lines of the file at `path`, all from `first` on without `count`.

    The file is as it is on disk, or as it was after the change, at the revision or on the date `as_of`. The answer goes
    to a model, and from there anywhere: a secret is named instead of shown. Raises ClawgitError for a path outside, a
    missing file, or a first line beyond the end.
    """
    name = paths.check(path)
    commit = records.find_commit(workspace, as_of) if as_of else None
    if (workspace.root / name).is_dir() and not file_roles.is_identity(name):
        raise file_kind(f"{name} is a folder", fix=Command("ls {}", workspace.root / name))
    text, note = text_shown(workspace, name, commit)
    if text is None and commit:
        raise history_missing(f"{name} is not in {commit[:10]}", fix=Command("clawgit log {}", name))
    if text is None and note:
        raise file_missing(note, fix=Command("clawgit trust"))
    if text is None:
        suggestion = misspelt(name, files(workspace.repo, workspace.head)) if workspace.head else None
        look = Command("clawgit read {}", suggestion) if suggestion else Command("ls {}", workspace.root)
        raise file_missing(f"there is no file {name} in {workspace.root}", fix=look)
    rows = document.split(redact(text))
    if first > max(len(rows), 1):
        fix = Command("clawgit read {} --from {}", name, max(len(rows) - 9, 1))
        raise line_range(f"{name} has {len(rows)} lines; line {first} is beyond its end", fix=fix)
    end = len(rows) if count is None else first - 1 + count
    lines = rows[first - 1 : end]
    return Excerpt(name, "".join(lines), first, len(lines), end < len(rows), note)


def read_servable(
    workspace: Workspace, path: str, commit: Oid | None = None, limit: int | None = None
) -> tuple[bytes | None, str]:
    """Return the servable bytes of a file, and a sentence if they differ from the file.

    After a merge with conflict markers, that is its content before; under review and locked, for an identity file that
    is not as approved, the newest approved text, in whatever capitals `path` names it: None if there is none. `commit`
    reads the file as it was. Raises ClawgitError for an unreadable file, unless it is of the identity.
    """
    name, trust = identity_policy.find_approved_name(workspace, path), workspace.trust
    is_gated = file_roles.is_identity(name) and identity_policy.serves_approved(workspace)
    reason = f"{path} is not as you approved it"
    try:
        file = None if commit else worktree_files.read_worktree_file(workspace.repo, path, limit)
        data = repository.read(workspace.repo, commit, path) if commit else file.data if file else None
    except ClawgitError as exc:
        if not is_gated:
            raise
        data, reason = b"\0", exc.message  # no text, and so never approved
    if not is_gated or (data is None and name != path):
        unmarked = file_contents.remove_markers(workspace.repo, path, data, commit) if data else None
        return (unmarked.data, unmarked.said) if unmarked else (data, "")
    was_approved = commit and data and repository.hash_blob(data) in trust.of(name).earlier
    approved_text = trust.approved(name)
    approved_data = None if approved_text is None else approved_text.encode()
    if was_approved or identity_policy.is_allowed_content(trust, name, data) or approved_data == data:
        return data, ""
    if approved_data is not None:
        return approved_data, f"{reason}; what you approved is served instead"
    return None, f"{path} was not approved, and is not served: clawgit trust" if trust.known else NONE_YET


def text_shown(workspace: Workspace, path: str, commit: Oid | None = None) -> tuple[str | None, str]:
    """Return the servable text of a file, and a sentence, as `read` does. Raises ClawgitError for a binary file."""
    data, note = read_servable(workspace, path, commit)
    return decode_file(path, data), note
