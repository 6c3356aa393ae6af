"""Checks of files, of memory and of secrets."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

from clawgit import file_roles
from clawgit.errors import NO_FIX, Advice, BusyError, ClawgitError, Command, Fix
from clawgit.findings.registry import MAX_HELD_FILES, Check, CheckInput, Finding, Level
from clawgit.git import git_filters, history, repository, repository_health, worktree_files
from clawgit.git.paths import ForeignNameError, check_name, find_twins
from clawgit.git.repository import Repository
from clawgit.openclaw import blank_forms
from clawgit.openclaw.blank_forms import MAX_MEMORY_LINES
from clawgit.safety import hidden_text
from clawgit.store.calls import normalise_lines
from clawgit.text import document
from clawgit.text.yaml_reader import read_front_matter
from clawgit.workspace import entries, file_contents, outgoing_secrets, purged_objects
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import decode_file, scan_file, to_text
from clawgit.workspace.outgoing_secrets import Leak
from clawgit.workspace.seen_versions import list_lost_writes
from clawgit.workspace.uncommitted import UnfinishedError

_MAX_NAMES = 5
_OWN_WORDS = ("SOUL.md", "IDENTITY.md", "USER.md")
_SYNCED = ("memory", "users", "agents")
_NUMBERED = re.compile(r".+ (?:\(\d\d?\)|\d)(?:\.\w+)?")
"""A name that sync programs give to copies, and git to nothing."""


def check_long_lines(ground: CheckInput) -> Iterator[Finding]:
    """Yield lines of which only the first and last words are read."""
    for path, text in ground.texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            if document.is_long(line):
                words = f"{path}:{number}: of a line of {len(line):,} letters only the first and last words are read"
                fix = Advice("break it, or move what it holds out of the memory")
                yield Finding("line-long", words, fix, "notice", (path,), number)


def check_uncommitted(ground: CheckInput) -> Iterator[Finding]:
    """Yield which files the next capture commits."""
    paths = [file.path for file in ground.different[0] if file.path not in ground.held_back]
    if paths:
        words = f"{list_names(paths, _MAX_NAMES)} {'are' if paths[1:] else 'is'} not committed"
        yield Finding("files-left-out", words, Command("clawgit capture"), paths=tuple(paths[:_MAX_NAMES]))


def check_held(ground: CheckInput) -> Iterator[Finding]:
    """Yield the reasons that files cannot be committed as they are; of very many only the first are looked at."""
    for path, error in ground.held_back.items():
        passing = isinstance(error, UnfinishedError | BusyError | ForeignNameError)
        level: Level = "notice" if isinstance(error, ForeignNameError) else "warning"
        words = f"{error.message}; it stays uncommitted" if passing else error.message
        yield Finding(error.key, words, error.fix, level, error.paths or (path,))
    if (count := len(ground.different[0])) > MAX_HELD_FILES:
        words = f"{count:,} files are uncommitted; only {MAX_HELD_FILES} were looked at"
        yield Finding("files-left-out", words, Command("clawgit capture"))


def check_conflict_markers(ground: CheckInput) -> Iterator[Finding]:
    """Yield the files with conflict markers that are not among the uncommitted ones, which are held back."""
    uncommitted = {file.path for file in ground.different[0][:MAX_HELD_FILES]}
    for marker in file_contents.find_marked(ground.workspace.repo, ground.workspace.memory_files):
        if marker.path not in uncommitted:
            yield Finding("markers-found", marker.said, marker.error.fix, paths=(marker.path,), line=marker.line)


def check_contents(ground: CheckInput) -> Iterator[Finding]:
    """Yield files that cannot enter history as they are, by their names or their bytes."""
    workspace = ground.workspace
    for path in ground.paths:
        try:
            check_name(workspace.root, path)
            file = worktree_files.read_worktree_file(workspace.repo, path)
            text = decode_file(path, file.data if file else None) or ""
        except ForeignNameError as exc:
            yield Finding(exc.key, f"{exc.message}, and it is left alone", exc.fix, "notice", (path,))
            continue
        except ClawgitError as exc:
            yield Finding(exc.key, exc.message, exc.fix, paths=exc.paths or (path,))
            continue
        if error := read_front_matter(text).error:
            words = f"{path}:{error.line}: its front matter counts as text: {error}"
            yield Finding("front-matter", words, level="notice", paths=(path,), line=error.line)
    yield from _list_sync_copies(workspace.repo)


def _list_sync_copies(repo: Repository) -> Iterator[Finding]:
    """Yield signs that another program syncs the folder: copies of files, and of git's own."""
    places = (place for folder in _SYNCED for place in (repo.root / folder).rglob("*.md"))
    paths = (place.relative_to(repo.root).as_posix() for place in (*repo.root.glob("*.md"), *places) if place.is_file())
    if copies := {path: original for path in sorted(paths) if (original := file_roles.copied_from(path))}:
        words = f"left by a sync program, and neither served nor captured: {list_names(copies, _MAX_NAMES)}"
        yield Finding("folder-synced", words, Advice("move what you need of it into the original, and delete the copy"))
    yield from _list_copies_in_git(repo)


def _list_copies_in_git(repo: Repository) -> Iterator[Finding]:
    patterns = ("*", "clawgit/*", "refs/**/*", "logs/**/*")
    names = (place.name for pattern in patterns for place in repo.commondir.glob(pattern) if place.is_file())
    if inside := [name for name in names if file_roles.copied_from(name) or _NUMBERED.fullmatch(name)]:
        words = f".git was touched by a sync program: {list_names(inside, _MAX_NAMES)}"
        advice = Advice("exclude .git there, and use: clawgit sync --folder DIR")
        yield Finding("folder-synced", f"{words}; two machines that write one .git break it", advice)


def check_twins(ground: CheckInput) -> Iterator[Finding]:
    """Yield files and folders whose names are the same on other disks; `memory` and other known folders stay."""
    known_first = sorted(
        ground.paths,
        key=lambda path: (not path.startswith(file_roles.FOLDERS), posixpath.dirname(path).swapcase(), path),
    )
    for twin in find_twins(ground.workspace.root, known_first):
        yield Finding(twin.key, twin.message, twin.fix, paths=twin.paths)


def check_attributes(ground: CheckInput) -> Iterator[Finding]:
    """Yield one finding for each rule of git's that stores files otherwise than they are."""
    causes: dict[str, dict[str, ClawgitError]] = {}
    for path, data in ground.data.items():
        try:
            git_filters.require_unfiltered(ground.workspace.repo, path, data)
        except ClawgitError as exc:
            causes.setdefault(exc.message.removeprefix(path), {})[path] = exc
    for cause, errors in causes.items():
        first, *others = errors
        words, fix = f"{first}{cause}", str(errors[first].fix)
        if others:
            words, fix = f"{words}; so it is with {list_names(others, _MAX_NAMES)}", fix.replace(first, "*.md")
        yield Finding("file-unreadable", words, Advice(fix), paths=tuple(errors))


def check_ignored(ground: CheckInput) -> Iterator[Finding]:
    """Yield the files of the memory that git does not see."""
    repo, left = ground.workspace.repo, ground.different[1]
    today = ground.workspace.journal_path(ground.workspace.now().date())
    identity = file_roles.identity_files(ground.workspace.root)
    for path, rule in repository_health.hiding_rules(repo, dict.fromkeys([*left.hidden, *identity, today])).items():
        fix = Advice("drop the rule, or move the file away")
        yield Finding("file-ignored", f"{path} is not kept: it is ignored by {rule}", fix, paths=(path,))
    for path in left.absent[:_MAX_NAMES]:
        words = f"{path} is gone from the disk, and git was told to overlook that"
        way_back = Command("git update-index --no-skip-worktree {} && git restore {}", path, path)
        yield Finding("git-overlooked", words, way_back, paths=(path,))


def check_hidden_text(ground: CheckInput) -> Iterator[Finding]:
    """Yield one finding for each file of an agent: one that is no text would have thousands."""
    for path, text in ground.texts.items():
        if not file_roles.is_captured(path):  # a skill's or a library's, which an agent does not read as its own words
            continue
        hits = list(hidden_text.find_hidden_text(text))
        for first in hits[:1]:
            suffix = f", and {len(hits) - 1} more" if hits[1:] else ""
            words = f"{path}:{first.line} holds characters that nobody sees (U+{ord(text[first.start]):04X}){suffix}"
            yield Finding("hidden-characters", words, Command("cat -A {}", path), paths=(path,), line=first.line)


def check_sizes(ground: CheckInput) -> Iterator[Finding]:
    """Yield the files that OpenClaw does not show the agent whole; its own identity has to be seen."""
    workspace = ground.workspace
    limits = workspace.host.limits(workspace.root)
    for gap in blank_forms.find_unseen(ground.texts, limits):
        room, fix = f"its cap is {gap.cap:,}", Advice(f"shorten {gap.path}")
        if gap.cap < limits.of(gap.path):
            room = f"all files together may have {limits.total:,}, and those before it leave {gap.cap:,}"
            fix = Advice("shorten the longest")
        words = f"{gap.path} has {gap.size:,} characters, of which the agent never sees {gap.hidden:,}: {room}"
        words += f" (lines {gap.first:,} to {gap.last:,})"
        way_out = Command("clawgit run memory-compactor") if gap.path in workspace.memory_files else fix
        level: Level = "alarm" if file_roles.role_name(gap.path) in _OWN_WORDS else "warning"
        yield Finding("openclaw-caps", words, way_out, level, (gap.path,), gap.first)


TWINS = Check("twins", check_twins, "no two files have one name on other disks")
CHECKS = (
    Check("files", check_contents, "all can be committed as they stand"),
    TWINS,
    Check("attributes", check_attributes, "git stores the files as they are", "repository"),
    Check("ignored files", check_ignored, "no rule hides a file of the workspace", "repository", quick=True),
    Check("held files", check_held, "none", "repository", quick=True),
    Check("uncommitted files", check_uncommitted, "none", "repository"),
    Check("conflict markers", check_conflict_markers, "none", "repository", quick=True),
    Check("hidden text", check_hidden_text, "none found"),
    Check("long lines", check_long_lines, "all are read whole"),
    Check("sizes", check_sizes, "OpenClaw shows the agent every file whole"),
)


_LINK = re.compile(r"\]\((?![a-z]+:|[#/])([^)\s#\0]+\.md)(?:#[^)]*)?\)")


_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)


def check_links(ground: CheckInput) -> Iterator[Finding]:
    """Yield the links of the memory file and the index that lead nowhere; each cause is one."""
    workspace = ground.workspace
    root, repo = workspace.root, workspace.repo
    broken = [link for link in _links(ground) if not any((root / place).is_file() for place in link[1:])]
    modes = repository_health.index(repo) if broken else {}
    absent = [path for path in modes if modes[path] == repository_health.LINK and not (root / path / ".git").exists()]
    causes: dict[str, list[tuple[str, str, str]]] = {}
    for broken_link in broken:
        outside = [path for path in absent if any(place.startswith(f"{path}/") for place in broken_link[1:])]
        way = [*reversed(PurePosixPath(broken_link[2]).parents), PurePosixPath(broken_link[2])]
        missing = [str(place) for place in way if not (root / place).exists()]
        causes.setdefault((outside or missing or broken_link[2:])[0], []).append(broken_link)
    paths = [path for path in causes if not path.startswith("../")]
    past = (
        {path for commit in history.walk_log(repo, *paths, renames=False) for path in commit.paths} if paths else set()
    )
    declared = _SUBMODULE.findall(workspace.read_loosely(".gitmodules"))
    for cause, links in causes.items():
        place, target, suggestion = links[0]
        if cause in absent:
            words = f"{cause} is a repository that is not checked out; unknown links: {len(links)}"
            look = "git submodule update --init -- {}" if cause in declared else "git ls-files --stage -- {}"
            yield Finding("path-submodule", words, Command(look, cause), "notice")
            continue
        was = any(f"{path}/".startswith(f"{cause}/") for path in past)
        fix = Command("clawgit log {}", cause) if was else Advice(f"correct {place}, or write {suggestion}")
        words = f"{place} leads to {target}, which is not there"
        yield Finding("link-broken", f"{words}; links to {cause} in all: {len(links):,}" if links[1:] else words, fix)


def _links(ground: CheckInput) -> Iterator[tuple[str, str, str]]:
    """Yield each link's place, and the two files that it may mean: from the root, and from its folder."""
    for path in dict.fromkeys((*ground.workspace.memory_files, file_roles.INDEX)):
        for number, row in enumerate(ground.texts.get(path, "").splitlines(), 1):
            for target in dict.fromkeys(map(unquote, _LINK.findall(row))):
                yield f"{path}:{number}", target, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def check_entries(ground: CheckInput) -> Iterator[Finding]:
    """Yield rows of the table of entries that cannot be read."""
    text = ground.workspace.read(entries.PATH) or ""
    for line in entries.unreadable(text):
        yield Finding("entries-damaged", f"skipped row {entries.PATH}:{line}", Command(f"git log -p -- {entries.PATH}"))


def check_lost_writes(ground: CheckInput) -> Iterator[Finding]:
    """Yield the agent's writes that another write overtook."""
    workspace = ground.workspace
    for write, text in list_lost_writes(workspace):
        present = set(normalise_lines(workspace.read_loosely(write.path)).splitlines())
        if any(line not in present for line in normalise_lines(text).splitlines()):
            time = f"{datetime.fromisoformat(write.time):%Y-%m-%d %H:%M}"
            words = f"{write.path}: lines that {write.tool} wrote on {time} are gone, and no call removed them"
            fix = Command("clawgit restore {} --seen {}", write.path, write.version[:10])
            yield Finding("write-lost", f"{words} (session {write.session[:8]})", fix, paths=(write.path,))


def check_length(ground: CheckInput) -> Iterator[Finding]:
    """Yield the memory files that are too long for every prompt; broken they are not."""
    for path in ground.workspace.memory_files:
        count = len(document.split(ground.workspace.read(path) or ""))
        if count >= MAX_MEMORY_LINES:
            words = f"{path} has {count:,} lines, and goes into every prompt; below {MAX_MEMORY_LINES} is well"
            note = "or move lines that belong together to a file below memory/"
            yield Finding("memory-long", words, Command("clawgit run memory-compactor", note=note), "notice", (path,))


def check_vectors(ground: CheckInput) -> Iterator[Finding]:
    """Yield the missing part of a wanted search by meaning, which makes it."""
    from clawgit.search import meaning  # noqa: PLC0415 - few workspaces have vectors

    if lacking := meaning.find_lack(ground.workspace):
        yield Finding("vectors-outdated", f"vectors: {lacking}", Command("clawgit memory index"))


MEMORY = (
    Check("links", check_links, "each that the memory file and the index hold leads to a file"),
    Check("sidecar", check_entries, "every row can be read"),
    Check("the agent's writes", check_lost_writes, "no line was lost between two writes"),
    Check("memory length", check_length, f"the memory file is shorter than {MAX_MEMORY_LINES} lines"),
    Check("vectors", check_vectors, "what a search by meaning needs is there, or not wanted"),
)


MAX_LISTED, MAX_MESSAGES = 10, 200
_STORE = Advice("move it to a password store or the environment, and leave its name here")
_ALLOW = "if it is none, or once it is replaced where it is used"
_REPLACE = Advice("replace the secret where it is used: history keeps it")


def check_disk(ground: CheckInput) -> Iterator[Finding]:
    """Yield the secrets of the files on disk."""
    for path, text in ground.texts.items():
        yield from _list_found(text, "", _STORE, path)


def _list_found(text: str, place: str, fix: Fix, path: str = "") -> Iterator[Finding]:
    """Yield the secrets of a text under its place; `path` is the file with the text."""
    for secret in scan_file(path, text):
        words = f"{f'{path}:{secret.line}' if path else ''}{place} holds a secret ({secret.rule})"
        location = ((path,), secret.line) if path else ((), 0)
        yield Finding("secret-found", words, fix, "alarm", *location)


def check_head(ground: CheckInput) -> Iterator[Finding]:
    """Yield the secrets of committed files that differ on disk, of their names, and of the latest messages."""
    repo, head = ground.workspace.repo, ground.workspace.head
    for path in repository.files(repo, head) if head else ():
        if not file_roles.is_captured(path, tracked=True):
            continue
        data = repository.read(repo, head, path) or b""
        is_same = ground.data.get(path) == data  # by the check of the files on disk
        if not is_same:
            yield from _list_found(to_text(data), " in HEAD", _REPLACE, path)
        yield from _list_found(path, "the name of a file in HEAD", _REPLACE)
    for commit in history.walk_log(repo, limit=MAX_MESSAGES, named=False):
        yield from _list_found(commit.message, f"the message of {commit.id[:10]}", _REPLACE)


def check_known_history(ground: CheckInput) -> Iterator[Finding]:
    """Yield the secrets that history was given, as far as it was read, the newest first."""
    yield from describe_past(outgoing_secrets.list_open_secrets(ground.workspace.repo, ground.workspace.store)[::-1])


def describe_past(past: Sequence[Leak]) -> Iterator[Finding]:
    """Yield the first secrets of history, and how many more there are."""
    for secret in past[:MAX_LISTED]:
        words = f"{secret.words}: replace it where it is used"
        name = secret.fingerprint
        fix = Advice(f"clawgit hooks allow {name}   # {_ALLOW}; out of history: clawgit purge --fingerprint {name}")
        yield Finding("secret-in-history", words, fix, paths=(secret.path,), line=secret.line)
    if len(past) > MAX_LISTED:
        yield Finding("secret-in-history", f"{len(past) - MAX_LISTED:,} more secrets are in history")


def check_unread_history(ground: CheckInput) -> Iterator[Finding]:
    """Read history to its end; yield how much of it could not be read."""
    workspace = ground.workspace
    reading = outgoing_secrets.scan(workspace.repo, workspace.store, outgoing_secrets.ALL_SECONDS)
    gap_count = count_unread(ground)
    if reading.gaps or gap_count:
        is_partial = bool(repository_health.promisors(workspace.repo))  # by the check of the history
        words = f"commits that could not be read for secrets: {reading.gaps + gap_count:,}"
        level: Level = "notice" if is_partial else "warning"
        yield Finding("secret-unknown", words, NO_FIX if is_partial else Command("git fsck"), level)


def check_purged(ground: CheckInput) -> Iterator[Finding]:
    """Yield that purged objects are in history again, as after a merge with an old clone."""
    repo = ground.workspace.repo
    if count := len(purged_objects.list_reached(repo, ["HEAD"], purged_objects.read_register(repo))):
        words = f"purged objects are in history again: {count:,}, as after a merge with an old copy"
        yield Finding("purge-revived", words, Advice("clawgit purge --text - < FILE   # once more; or --path FILE"))


def count_unread(ground: CheckInput) -> int:
    """Return of how many commits it is unknown whether they brought a secret."""
    try:
        return outgoing_secrets.count_unread(ground.workspace.repo, ground.workspace.store)
    except ClawgitError:  # of a damaged repository, which another check tells
        return 0


SECRETS = (
    Check("secrets on disk", check_disk, "none found"),
    Check("secrets in HEAD", check_head, "none but those on disk", "repository"),
    Check("unread history", check_unread_history, "all of it was read for secrets", "managed"),
    Check("secrets in history", check_known_history, "none found", "managed", quick=True),
    Check("purged objects", check_purged, "none is back", "managed"),
)
