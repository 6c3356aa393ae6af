"""Words that clawgit itself needs, and no purge takes."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from clawgit.errors import Advice, ClawgitError, purge_needed
from clawgit.git import phrase_forms, repository, unfinished_rewrite
from clawgit.resources import resource
from clawgit.workspace import file_roles, manifest, renamed_commits, settings
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.purging import purged_objects
from clawgit.workspace.workspace import Workspace

SUBJECT = "workspace: objects that were purged"
WHY = "What reaches one of these objects is refused: it was purged."
_TRAILERS = ("Clawgit-Agent: ", "Clawgit-Approved: operator", "Clawgit-Change: ", "Clawgit-Undoes: ", "Evidence: ")
_MORE = (".gitignore", ".gitattributes", "Archive/Chronicles/.gitkeep", "Archive/Corrections/.gitkeep", "refs/heads/")
_LONGER = Advice("clawgit purge --text - < FILE   # with more of it")
_NAME, _KEY = re.compile(r"`([^`]+)`"), re.compile(rb'"([a-z_]+)"\s*:')
_DATE = re.compile(rb"\d{4}-\d\d(?:-\d\d)?")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def require_others(workspace: Workspace, forms: Sequence[bytes], state: Sequence[Path]) -> None:
    """Raise UsageError for a phrase without which the workspace, or who writes there, would be no more what it was.

    `state` are the files beside history; their keys are ours. A purge that moved references already goes on.
    """
    if unfinished_rewrite.halfway(workspace.repo.commondir):
        return
    for key, value in _identity(workspace):
        if _in(value, forms):
            fix = Advice(f"git config {key} NEW_VALUE   # before: whoever commits would bring it back")
            raise purge_needed(f"it stands in your own {key}, which each commit of yours has", fix=fix)
    if any(b"Clawgit-" in form or _DATE.fullmatch(form) for form in forms):
        raise purge_needed("clawgit needs these words itself: a date, or a trailer of a commit", fix=_LONGER)
    for what, word in _needed(workspace):
        if _in(word, forms):
            raise purge_needed(f"clawgit needs these words itself: they stand in {what} ({word.strip()})", fix=_LONGER)
    _require_settings(workspace, forms)
    for place in state:
        if any(phrase_forms.holds(key, forms) for key in _keys(place, forms)):
            raise purge_needed(f"clawgit needs these words itself: they are a key of {place}", fix=_LONGER)
    if any(phrase_forms.holds(key, forms) for key in _state_keys(workspace, forms)):
        raise purge_needed(f"clawgit needs these words itself: they are a key in {workspace.store.path}", fix=_LONGER)


def require_not_ours(path: str) -> None:
    """Raise UsageError for a file without which this is no workspace of clawgit's."""
    if path.startswith(file_roles.OURS):
        raise purge_needed(f"clawgit needs {path}", fix=Advice("clawgit purge --path FILE   # or eject: clawgit eject"))


def _in(word: str, forms: Sequence[bytes]) -> bool:
    return phrase_forms.holds(word.encode("utf-8", "surrogateescape"), forms)


def _identity(workspace: Workspace) -> Iterator[tuple[str, str]]:
    name, email = repository.identity(workspace.repo) or ("", "")
    yield "user.name", name
    yield "user.email", email
    yield "user.name", f"{name} <{email}>"


def _needed(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield where words stand that must not go, and the words."""
    for name in (one for told in manifest.KINDS.values() for one in _NAME.findall(told)):
        yield "the name of a file", name
    yield from (("the name of a file", name) for name in (*_MORE, *file_roles.FOLDERS, file_roles.FORMAT))
    yield from (("the name of a file", f"agents/{name}/SOUL.md") for name in manifest.WRITERS)
    for name in repository.files(workspace.repo, workspace.head) if workspace.head else ():
        if name.startswith(file_roles.OURS) or file_roles.journal_day(name):
            yield "the name of a file", name
    yield from (("a trailer of a commit", one) for one in _TRAILERS)
    yield from (("a trailer of a commit", f"Origin: {one}") for one in ORIGINS)
    yield from (("a key of CONFIG.md", name) for name in settings.NAMES)
    yield from (("the message of the last commit of a purge", one) for one in (SUBJECT, WHY))
    yield "the first line of a register", purged_objects.HEADER
    yield "what takes the place of words", phrase_forms.GONE.decode()
    yield "the place of the workspace", os.fspath(workspace.root)
    yield "the name of who writes for you", "clawgit <clawgit@localhost> proposals@localhost capture"
    for file in sorted(resource("templates").glob("workspace/*.md")):
        for heading in _HEADING.findall(file.read_text("utf-8")):
            yield f"a heading of {file.name}", heading
            yield "the kind of an entry", heading.lower()


def _require_settings(workspace: Workspace, forms: Sequence[bytes]) -> None:
    if not _in(workspace.read(file_roles.CONFIG) or "", forms):
        return
    for name in settings.KEYS:
        try:
            value = workspace.config.value(name)
        except ClawgitError:
            continue
        if _in(str(value), forms):
            fix = Advice(f"clawgit config set {name} NEW_VALUE   # before: a setting of other words would be none")
            raise purge_needed(f"it stands in {name} of CONFIG.md", fix=fix)


def _keys(place: Path, forms: Sequence[bytes]) -> list[bytes]:
    """Return the keys of a file of JSON that holds a phrase."""
    try:
        data = place.read_bytes()
    except OSError:
        return []
    return _find_keys(data, forms)


def _state_keys(workspace: Workspace, forms: Sequence[bytes]) -> set[bytes]:
    """Return the keys in values of `state.db` with a phrase in them."""
    keys: set[bytes] = set()

    def collect(text: str) -> str:
        keys.update(_find_keys(text.encode("utf-8", "surrogateescape"), forms))
        return text

    workspace.store.rewrite_texts(collect, really=False, without=renamed_commits.NAME)
    return keys


def _find_keys(data: bytes, forms: Sequence[bytes]) -> list[bytes]:
    return _KEY.findall(data) if phrase_forms.holds(data, forms) else []
