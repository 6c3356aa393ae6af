"""Checks of the files in a workspace."""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote

from clawgit.errors import NO_FIX, Advice, ClawgitError, Command
from clawgit.git import git_filters, history, repository, repository_health, worktree_files
from clawgit.git.git_command import without_fetching
from clawgit.git.paths import ForeignNameError, check_name, find_twins, is_text
from clawgit.safety import hidden_text
from clawgit.text import conflict, document, entry
from clawgit.text.entry import digest
from clawgit.text.front_matter import read_front_matter
from clawgit.workspace import allowed_secrets, entries, file_roles, openclaw_limits, status, sync_copies
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.doctor_runner import Check, Finding
from clawgit.workspace.file_contents import decoded
from clawgit.workspace.held_back import held_back
from clawgit.workspace.report import report_history
from clawgit.workspace.report.report_files import places
from clawgit.workspace.report.report_history import Progress
from clawgit.workspace.report.report_parts import Parts
from clawgit.workspace.report.report_secrets import Leaks
from clawgit.workspace.uncommitted import gone, uncommitted
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.write_guard import scan_file

_READ = ("file", "link", "special", "closed")
_SEVERAL = 5
_MOST = 20  # secrets of history that are listed
_LINK = re.compile(r"\]\((?![a-z]+:|[#/])([^)\s#\0]+\.md)(?:#[^)]*)?\)")
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_SKILLS = ("skills", ".agents/skills")
_STORE = Advice("move it to a password store or the environment, and leave its name here")
_REPLACE = Advice("replace the secret where it is used: history keeps it")


class Files:
    """The files of a workspace as they stand on disk, read once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @cached_property
    def paths(self) -> list[str]:
        """The files of the scope, sorted, as a report of the workspace has them; what git hides or links to as well."""
        try:
            tracked = frozenset(repository_health.index(self.workspace.repo))
        except ClawgitError:  # a damaged repository, which another check tells
            tracked = frozenset()
        return sorted(place.path for place in places(self.workspace.root, tracked) if place.kind in _READ)

    @cached_property
    def data(self) -> dict[str, bytes]:
        """The bytes of those that can be read."""
        return {path: data for path in self.paths if (data := self.read(path)) is not None}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Their text, also of what is no text."""
        return {path: data.decode("utf-8", "replace") for path, data in self.data.items()}

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None where they cannot be read."""
        try:
            file = worktree_files.read(self.workspace.repo, path)
        except ClawgitError:
            return None
        return file.data if file else None


def checks(workspace: Workspace, progress: Progress) -> tuple[Check, ...]:
    """Return the checks of what stands on disk, in HEAD and in history; `progress` hears how far the last was read."""
    files = Files(workspace)

    def check(name: str, look: Callable[[Files], Iterable[Finding]], fine: str, needs: str = "") -> Check:
        return Check(name, lambda: look(files), fine, needs)

    return (
        check("CONFIG.md", _config, "every value can be used"),
        check("files", _unfit, "all can be committed as they stand"),
        check("attributes", _attributes, "git stores the files as they are", "repository"),
        check("ignored files", _ignored, "no rule hides a file of the workspace", "repository"),
        check("secrets on disk", _secrets, "none found"),
        check("uncommitted files", _uncommitted, "none", "repository"),
        check("lost files", _lost, "none", "managed"),
        check("secrets in HEAD", _committed_secrets, "none found", "repository"),
        check("secrets in history", lambda files: _past_secrets(files, progress), "none but those above", "repository"),
        check("hidden text", _hidden, "none found"),
        check("old readings", _undecided, "nothing waits for you to say which of two texts holds"),
        check("long lines", _long_lines, f"none above {document.LONGEST_LINE:,} letters"),
        check("sizes", _sizes, "OpenClaw shows the agent every file whole"),
        check("links", links, "each that the memory file and the index hold leads to a file"),
        check("skills", _skills, "OpenClaw knows each by its front matter"),
        check("sidecar", _sidecar, "every row can be read, and stands for an entry"),
    )


def _config(files: Files) -> Iterator[Finding]:
    for problem in files.workspace.config.problems():
        yield Finding("setting-invalid", problem.message, problem.fix)


def _long_lines(files: Files) -> Iterator[Finding]:
    for path, text in files.texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > document.LONGEST_LINE:
                said = f"{path}:{number}: of a line of {len(line):,} letters only the first and last words are read"
                yield Finding("line-long", said, Advice("break it, or move what it holds out of the memory"), ok=True)


def _uncommitted(files: Files) -> Iterator[Finding]:
    found = uncommitted(files.workspace.repo, status.captured_globs(files.workspace))
    held = {one.path: why for one, why in held_back(files.workspace, found)}
    yield from (Finding(why.key, why.message, why.fix) for path, why in held.items() if is_text(path))
    if paths := [one.path for one in found if one.path not in held]:
        words = "is not committed" if len(paths) == 1 else "are not committed"
        yield Finding("files-left-out", f"{list_names(paths, _SEVERAL)} {words}", Command("clawgit capture"))
    yield from (
        Finding(one.key, one.words, Advice(one.fix)) for one in gone(files.workspace.repo, [one.path for one in found])
    )


def _lost(files: Files) -> Iterator[Finding]:
    lost = (one for one in status.kept_alarms(files.workspace) if one.key in ("alarm-file-gone", "alarm-files-gone"))
    yield from (Finding(one.key, one.words, Advice(one.fix)) for one in lost)


def _unfit(files: Files) -> Iterator[Finding]:
    for path in files.paths:
        try:
            check_name(files.workspace.root, path)
            file = worktree_files.read(files.workspace.repo, path)
            text = decoded(path, file.data if file else None) or ""
        except ForeignNameError as exc:
            yield Finding(exc.key, f"{exc.message}, and it is left alone", exc.fix, ok=True)
            continue
        except ClawgitError as exc:
            yield Finding(exc.key, exc.message, exc.fix)
            continue
        if error := read_front_matter(text).error:
            yield Finding("front-matter", f"{path}:{error.line}: its front matter counts as text: {error}", ok=True)
    for twin in find_twins(files.workspace.root, files.paths):
        yield Finding(twin.key, twin.message, twin.fix)
    for problem in sync_copies.read_problems(files.workspace.repo):
        yield Finding(problem.key, problem.message, problem.fix)


def _attributes(files: Files) -> Iterator[Finding]:
    """Yield one finding for each cause: a rule that converts one file often converts all."""
    causes: dict[tuple[str, str], list[str]] = {}
    for path, data in files.data.items():
        try:
            git_filters.refuse(files.workspace.repo, path, data)
        except ClawgitError as exc:
            key = exc.message.removeprefix(path), str(exc.fix).replace(path, "*.md")
            causes.setdefault(key, []).append(path)
    for (cause, fix), paths in causes.items():
        more = f"; so it is with {list_names(paths[1:], _SEVERAL)}" if paths[1:] else ""
        way_out = Advice(fix if more else fix.replace("*.md", paths[0]))
        yield Finding("file-unreadable", f"{paths[0]}{cause}{more}", way_out)


def _ignored(files: Files) -> Iterator[Finding]:
    today = files.workspace.journal_path(files.workspace.now().date())
    kept = [path for path in files.paths if file_roles.guarded(path) or file_roles.memory(path)]
    for path, rule in repository_health.hiding_rules(files.workspace.repo, dict.fromkeys([*kept, today])).items():
        yield Finding("file-ignored", f"{path} is ignored by {rule}", Advice("drop the rule, or move the file away"))


def _secrets(files: Files) -> Iterator[Finding]:
    for path, text in files.texts.items():
        for found in scan_file(path, text):
            yield Finding("secret-found", f"{path}:{found.line} holds a secret ({found.rule})", _STORE)


def _committed_secrets(files: Files) -> Iterator[Finding]:
    repo, head = files.workspace.repo, files.workspace.head
    for path in repository.files(repo, head) if head else ():
        if not file_roles.captured(path, tracked=True):
            continue
        text = (repository.read(repo, head, path) or b"").decode("utf-8", "replace")
        for found in scan_file(path, text):
            yield Finding("secret-found", f"{path}:{found.line} in HEAD holds a secret ({found.rule})", _REPLACE)


def _past_secrets(files: Files, progress: Progress) -> Iterator[Finding]:
    """Yield what `adopt` tells of secrets that no file has any more: that cannot be mended here, so it is no failure.

    That not all of history could be read is one.
    """
    leaks, parts, workspace = Leaks(), Parts(), files.workspace
    notes = workspace.store.folder / "cache" if workspace.managed else None
    with without_fetching():
        told = {"secrets in history": leaks.see}
        reach = report_history.read(workspace.repo, parts, told, report_history.Checkpoint(notes), progress)
    hits = {path: found for path, text in files.texts.items() if (found := scan_file(path, text))}
    gone = leaks.secrets(hits, workspace.root).gone
    if gone:
        kinds = Counter(one.rule for one in gone)
        counted = ", ".join(f"{count:,} {rule}" for rule, count in sorted(kinds.items()))
        where = f"the newest in {gone[0].path}:{gone[0].line} of {(gone[0].commit or '')[:10]}"
        words = f"{len(gone):,} in no file any more ({counted}), {where}; every clone has them"
        yield Finding("secret-in-history", f"{words}: replace them where they are used", ok=True)
        answered = allowed_secrets.fingerprints(workspace.repo)
        left = [one for one in gone if one.fingerprint not in answered]
        for one in left[:_MOST]:
            words = f"{one.path}:{one.line} of {(one.commit or '')[:10]} brought {one.rule}, {one.fingerprint}"
            yield Finding("secret-in-history", f"{words}; if harmless: clawgit hooks allow {one.fingerprint}", ok=True)
        if len(left) > _MOST:
            yield Finding("secret-in-history", f"{len(left) - _MOST:,} more: clawgit adopt --dry-run --json", ok=True)
    if not reach.whole or parts.failures:
        why = reach.note or next((failure.why for failure in parts.failures), "some of it is not here")
        read = f"unknown beyond {reach.read - len(reach.gaps):,} of {reach.commits:,} commits"
        known = reach.shallow or bool(repository_health.promisors(workspace.repo))  # by the check of the history
        yield Finding("secret-unknown", f"{read} ({why})", NO_FIX if known else Command("git fsck"), ok=known)


def _hidden(files: Files) -> Iterator[Finding]:
    """Yield one finding for each file of an agent: one that is no text would have thousands."""
    for path, text in files.texts.items():
        if not file_roles.captured(path):  # a skill's or a library's, which an agent does not read as its own words
            continue
        found = list(hidden_text.scan(text))
        for first in found[:1]:
            kind = f"U+{ord(text[first.start]):04X}, {first.kind}"
            more = f", and {len(found) - 1} more" if found[1:] else ""
            words = f"{path}:{first.line} holds characters that nobody sees ({kind}){more}"
            yield Finding("hidden-characters", words, Command("cat -A {}", path))


def _undecided(files: Files) -> Iterator[Finding]:
    """Yield one finding for the records of stale writes that an earlier version of clawgit left in CONFLICTS.md."""
    records = conflict.conflicts(files.texts.get(file_roles.CONFLICTS, ""))
    found = [record for record in records if record.open and record.rule == "stale write"]
    if found:
        words = "1 text was" if len(found) == 1 else f"{len(found)} texts were"
        yield Finding(
            "stale-write", f"{words} written from an old reading, undecided", Command("clawgit inbox --kind conflict")
        )


def _sizes(files: Files) -> Iterator[Finding]:
    limits = files.workspace.host.caps(files.workspace.root).limits
    for cut in openclaw_limits.cuts(files.texts, limits):
        unseen = cut.size - cut.shown
        usual = limits.of(cut.path)
        room = f"its cap is {usual:,}"
        if cut.cap < usual:
            room = f"all files together may have {limits.total:,}, and those before it leave {cut.cap:,}"
        message = f"{cut.path} has {cut.size:,} characters, of which the agent never sees {unseen:,}: {room}"
        yield Finding("openclaw-caps", message, Advice(f"shorten {cut.path if cut.cap == usual else 'the longest'}"))


def _skills(files: Files) -> Iterator[Finding]:
    """Yield a finding for each skill whose front matter lacks what OpenClaw lists it by (its docs/tools/skills.md)."""
    root = files.workspace.root
    for place in sorted(place for folder in _SKILLS for place in (root / folder).glob("*/SKILL.md")):
        path = place.relative_to(root).as_posix()
        if lacks := _lacks((files.read(path) or b"").decode("utf-8", "replace")):
            words = f"{path} has {lacks}, by which OpenClaw knows a skill"
            yield Finding("skill-incomplete", words, Advice(f"begin {path} with `---`, `name:`, `description:`, `---`"))


def _lacks(text: str) -> str:
    """Return what is wrong with the front matter of a skill, "" where nothing is."""
    known = read_front_matter(text)
    if known.error:
        return "front matter that cannot be read"
    lacking = [f"no {name}" for name in ("name", "description") if not str(known.values.get(name) or "").strip()]
    return f"{' and '.join(lacking)} in its front matter" if lacking else ""


def links(files: Files) -> Iterator[Finding]:
    """Look at links to Markdown files: from the root, or from where the file lies. Each cause is one finding."""
    root, repo = files.workspace.root, files.workspace.repo
    broken = [link for link in _links(files) if not any((root / place).is_file() for place in link[1:])]
    modes = repository_health.index(repo) if broken else {}
    absent = [path for path in modes if modes[path] == repository_health.LINK and not (root / path / ".git").exists()]
    causes: dict[str, list[tuple[str, str, str]]] = {}
    for one in broken:
        outside = [path for path in absent if any(place.startswith(f"{path}/") for place in one[1:])]
        way = [*reversed(PurePosixPath(one[2]).parents), PurePosixPath(one[2])]
        missing = [str(place) for place in way if not (root / place).exists()]
        causes.setdefault((outside or missing or one[2:])[0], []).append(one)
    asked = [path for path in causes if not path.startswith("../")]
    past = {path for commit in history.log(repo, *asked, renames=False) for path in commit.paths} if asked else set()
    declared = _SUBMODULE.findall((files.read(".gitmodules") or b"").decode("utf-8", "replace"))
    for cause, some in causes.items():
        place, target, near = some[0]
        if cause in absent:
            words = f"{cause} is a repository that is not checked out; unknown links: {len(some)}"
            look = "git submodule update --init -- {}" if cause in declared else "git ls-files --stage -- {}"
            yield Finding("path-submodule", words, Command(look, cause), ok=True)
            continue
        was = any(f"{path}/".startswith(f"{cause}/") for path in past)
        fix = Command("clawgit log {}", cause) if was else Advice(f"correct {place}, or write {near}")
        words = f"{place} leads to {target}, which is not there"
        yield Finding("link-broken", f"{words}; links to {cause} in all: {len(some):,}" if some[1:] else words, fix)


def _links(files: Files) -> Iterator[tuple[str, str, str]]:
    """Yield for each link where it stands, and the two files that it may mean: from the root, and from there."""
    for path in dict.fromkeys((*files.workspace.memory_files, file_roles.INDEX)):
        for number, row in enumerate(files.texts.get(path, "").splitlines(), 1):
            for target in dict.fromkeys(map(unquote, _LINK.findall(row))):
                yield f"{path}:{number}", target, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _sidecar(files: Files) -> Iterator[Finding]:
    text = files.workspace.read(entries.PATH) or ""
    for line in entries.unreadable(text):
        yield Finding("entries-damaged", f"skipped row {entries.PATH}:{line}", Command(f"git log -p -- {entries.PATH}"))
    rows = [row for row in entries.parse(text).values() if row.status in ("live", "corrected")]
    named = {row.file for row in rows} & set(files.texts)
    said = {path: {digest(one.text) for one in entry.entries(files.texts[path])} for path in named}
    lost = [f"{row.id} ({row.file})" for row in rows if row.hash not in said.get(row.file, ())]
    if lost:
        yield Finding("entries-orphaned", f"entries gone from their file, or rewritten: {list_names(lost)}", ok=True)
