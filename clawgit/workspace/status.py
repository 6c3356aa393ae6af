"""How the workspace stands."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from clawgit.errors import BusyError, ClawgitError, quoted
from clawgit.git import foreign_programs
from clawgit.git.difference import Different
from clawgit.git.paths import ForeignNameError
from clawgit.text.conflict import conflicts
from clawgit.workspace import (
    alarm_ledger,
    alarms,
    conflict_markers,
    enforcement,
    file_contents,
    file_roles,
    forgotten_evidence,
    grading,
    history_secrets,
    inbox_list,
    quarantine,
    review_pause,
    trust_review,
    write_obstacles,
)
from clawgit.workspace.host.openclaw_state import Forgotten
from clawgit.workspace.identity_policy import Boundary
from clawgit.workspace.trust import history_cut, openclaw_extensions, repository_programs
from clawgit.workspace.uncommitted import NotKept, all_different, gone, uncommitted
from clawgit.workspace.workspace import Workspace

_TRUST = "clawgit trust"
_LOOKED_AT, _SHOWN, _SECRETS = 200, 12, 10
_BOUNDARIES = 4
"""So many lines of a file are told each by itself, all of which one command brings back."""


class Waiting(Struct, frozen=True):
    """Something that an operator should know, and what to do about it.

    `paths` are the files that it is about, or a value of CONFIG.md with its line, or programs. `what` says of them what
    the message does without any of their words ("" where the message holds none), `detail` how so, `line` where.
    """

    message: str
    fix: str = ""
    level: alarms.Level = "high"
    paths: tuple[str, ...] = ()
    what: str = ""
    detail: str = ""
    line: int = 0

    @property
    def path(self) -> str:
        """The first of its paths, "" where it is about none."""
        return next(iter(self.paths), "")


class Grown(Struct, frozen=True):
    """An identity file that changed at a low grade since it was approved, with the lines that came and went."""

    path: str
    added: int
    removed: int


_HIDDEN = 5
"""So many files of the memory that git ignores are named."""


class Status(Struct, frozen=True):
    """What an operator should know: uncommitted files in scope, and what stands in the way of a write.

    `inbox` is the number of items that wait, without expired ones; `not_kept` counts the files that no capture takes;
    of `unread` commits it is unknown whether they brought a secret.
    """

    workspace: str
    managed: bool
    branch: str
    head: str | None
    dirty: tuple[str, ...]
    alarms: tuple[Waiting, ...]
    corrections: int
    open_conflicts: int
    inbox: int = 0
    untrusted: tuple[Waiting, ...] = ()
    grown: tuple[Grown, ...] = ()
    not_kept: NotKept = field(default_factory=NotKept)
    unread: int = 0


def status(workspace: Workspace) -> Status:
    """Return how the workspace stands; reads, and touches nothing. What is broken becomes an alarm."""
    said = workspace.config
    wrong = tuple(_config(workspace))
    workspace.config = said.usable()
    try:
        return _status(workspace, wrong)
    finally:
        workspace.config = said


def _status(workspace: Workspace, wrong: tuple[Waiting, ...]) -> Status:
    found, left = all_different(workspace.repo, captured_globs(workspace))
    paths = tuple(one.path for one in found)
    branch = workspace.branch
    cut = history_cut.find(workspace.repo, workspace.notes, workspace.tip)
    alarms = (
        *wrong,
        *(Waiting(one.message, str(one.fix), paths=one.paths) for one in write_obstacles.standing(workspace)),
        *([Waiting(cut.words, cut.fix)] if cut else []),
        *(Waiting(one.message, str(one.fix)) for one in history_cut.find_rewritten(workspace.repo)),
        *_hidden(left),
        *(Waiting(one.words, one.fix, paths=one.paths, what=one.what) for one in gone(workspace.repo, paths)),
        *_skills(workspace),
        *_unapproved(workspace),
        *_held(workspace, found),
        *_conflicted(workspace, found),
        *_boundaries(workspace),
        *_standing(workspace),
        *(Waiting(one.gone, _TRUST, paths=(one.path,)) for one in _vanished(workspace)),
        *_refusals(workspace),
        *_past_secrets(workspace),
        *_forgotten(workspace),
    )
    return Status(
        str(workspace.root),
        workspace.managed,
        branch,
        workspace.head,
        paths,
        tuple(dict.fromkeys(alarms)),
        _sections(workspace, file_roles.CORRECTIONS),
        _open_conflicts(workspace),
        _count_items(workspace),
        tuple(_untrusted(workspace)) if workspace.managed else (),
        tuple(_grown(workspace)) if workspace.managed else (),
        left,
        _unread(workspace) if workspace.managed else 0,
    )


def _count_items(workspace: Workspace) -> int:
    now = workspace.now()
    return sum(not item.is_expired(now) for item in inbox_list.list_items(workspace))


def dirty(workspace: Workspace) -> tuple[str, ...]:
    """Return the files of the workspace whose content on disk is not committed, sorted."""
    return tuple(one.path for one in uncommitted(workspace.repo, captured_globs(workspace)))


def captured_globs(workspace: Workspace) -> tuple[str, ...]:
    """Return what CONFIG.md adds to the scope."""
    try:
        return workspace.config.captured_globs
    except ClawgitError:  # of CONFIG.md: that is an alarm of its own
        return ()


def _config(workspace: Workspace) -> Iterator[Waiting]:
    for problem in workspace.config.problems():
        what = "holds what cannot be used"
        yield Waiting(problem.message, str(problem.fix), paths=problem.paths or (file_roles.CONFIG,), what=what)


def _hidden(left: NotKept) -> Iterator[Waiting]:
    """Yield what of the memory git does not see: what stands there is in no history, or nothing stands there."""
    for path in left.hidden[:_HIDDEN]:
        rule = f"git check-ignore -v --no-index {quoted(path)}   # names the rule; drop it"
        yield Waiting(f"{path} is not kept: git was told to ignore it", rule, "low", (path,))
    for path in left.nested[:_HIDDEN]:
        aside = quoted(f"../{path.replace('/', '-')}.git")
        fix = f"git rm -q --cached --ignore-unmatch {quoted(path)} && mv {quoted(f'{path}/.git')} {aside}"
        yield Waiting(f"{path} is not kept: it is a repository of its own", fix, "low", (path,))
    for path in left.absent[:_HIDDEN]:
        back = f"git update-index --no-skip-worktree {quoted(path)} && git restore {quoted(path)}"
        yield Waiting(f"{path} is gone from the disk, and git was told to overlook that", back, paths=(path,))


def _skills(workspace: Workspace) -> Iterator[Waiting]:
    for path, one in openclaw_extensions.come(workspace.root, workspace.notes).skills.items():
        fix = f"cat {quoted(path)}   # then rm it; or, if it is yours: clawgit trust"
        yield Waiting(one.told, fix, paths=(path,), what=one.what, detail=one.detail, line=one.line)


def _unapproved(workspace: Workspace) -> Iterator[Waiting]:
    """Yield what nobody approved in the identity, and what was taken out of it: one alarm a file, however often."""
    if not enforcement.enforces(workspace):
        return
    moment = review_pause.standing(workspace)
    if moment:
        yield Waiting(f"nothing is put back in the identity: {moment}", "clawgit review --resume", "low")
    for one in enforcement.deviations(workspace):
        level: alarms.Level = "low" if one.kind == "earlier" else "high"
        what = "is not as you approved it; that is served instead"
        yield Waiting(f"{one.reason}; what you approved is served instead", "clawgit review", level, (one.path,), what)
    kept: dict[str, list[quarantine.Item]] = {}
    for item in quarantine.items(workspace.repo):
        kept.setdefault(item.path, []).append(item)
    for path, some in kept.items():
        times = sum(one.times for one in some)
        often = "once" if times == 1 else f"{times:,} times"
        recoded = all(_recoded(workspace, one) for one in some)
        what = "an edit that is not saved as UTF-8" if recoded else "what nobody approved"
        yield Waiting(
            f"{path}: {what} was put back {often}, last {some[-1].last[:16].replace('T', ' ')}",
            f"clawgit show {some[-1].id}",
            "low" if recoded else "high",
            (path,),
        )
    lost = [one for one in quarantine.dropped(workspace.repo) if not one.contained]
    if lost:
        words = f"{len(lost):,} versions were dropped from quarantine for want of room, last {lost[-1].when[:10]}"
        yield Waiting(words, "clawgit inbox --kind quarantine", "low")


def _recoded(workspace: Workspace, item: quarantine.Item) -> bool:
    """Return whether somebody saved in an old encoding what is harmless by its words."""
    try:
        text = file_contents.text_of_windows_1252(quarantine.content(item)) if item.blob else None
    except ClawgitError:
        return False
    return text is not None and grading.harmless(workspace.setting(), item.path, text)


def _held(workspace: Workspace, found: list[Different]) -> Iterator[Waiting]:
    """Yield why files cannot be committed as they stand; of very many only the first are looked at."""
    if not found:
        return
    from clawgit.workspace.held_back import UnfinishedError, held_back  # noqa: PLC0415 - a tidy workspace holds none back

    for one, why in held_back(workspace, found[:_LOOKED_AT]):
        level: alarms.Level = "low" if isinstance(why, UnfinishedError | BusyError | ForeignNameError) else "high"
        yield Waiting(f"{why.message}; it stays uncommitted", str(why.fix), level, why.paths or (one.path,))
    if len(found) > _LOOKED_AT:
        yield Waiting(f"{len(found):,} files are uncommitted; only {_LOOKED_AT} were looked at", "clawgit capture")


def _conflicted(workspace: Workspace, uncommitted: list[Different]) -> Iterator[Waiting]:
    """Yield the files with conflict markers that are not among the uncommitted ones, of which that is told already."""
    told = {one.path for one in uncommitted[:_LOOKED_AT]}
    for one in conflict_markers.found(workspace.repo, workspace.memory_files):
        if one.path not in told:
            yield Waiting(one.said, one.fix, paths=(one.path,))


def _standing(workspace: Workspace) -> Iterator[Waiting]:
    for alarm in kept_alarms(workspace):
        yield Waiting(alarm.words, alarm.fix, alarm.level, alarm.paths, alarm.what, alarm.detail, alarm.line)


def _vanished(workspace: Workspace) -> tuple[alarm_ledger.Waited, ...]:
    """Return the edits that were put back, and whose proposals are gone without an answer."""
    ids = {item.id for item in workspace.store.read_items(edits=False)}
    return alarm_ledger.vanished(workspace.notes, ids, workspace.clock())


def kept_alarms(workspace: Workspace) -> tuple[alarm_ledger.Kept, ...]:
    """Return the alarms that stand and nobody has answered."""
    return alarm_ledger.standing(workspace.notes, workspace.repo, workspace.head, workspace.clock(), workspace.trust)


def _boundaries(workspace: Workspace) -> Iterator[Waiting]:
    """Yield each boundary that does not stand as it was approved, whichever edits came after; of many, the first."""
    found: dict[str, list[Boundary]] = {}
    for one in trust_review.lost_boundaries(workspace):
        found.setdefault(one.path, []).append(one)
    known = alarm_ledger.edits(workspace.notes) if found else {}
    for path, lost in found.items():
        fix = alarms.way_back(path)
        for one in lost[:_BOUNDARIES]:
            often = f" ({known[one.key].often})" if one.key in known else ""
            what = "does not hold a line as you approved it"
            words = f"{path} does not hold line {one.line} as you approved it{often}: {one.fate}"
            yield Waiting(words, fix, paths=(path,), what=what, detail=one.said)
        if (more := len(lost) - _BOUNDARIES) > 0:
            yield Waiting(f"{path} does not hold {more} more lines as you approved them", fix, paths=(path,))


def _refusals(workspace: Workspace) -> Iterator[Waiting]:
    """Yield what agents proposed to a locked identity: nothing landed, and the operator should know that they try."""
    for one in alarm_ledger.refusals(workspace.notes, workspace.clock()):
        words = f"{one.refused} is locked, and a change that an agent proposed to it was refused {one.often}"
        yield Waiting(words, level="low", paths=(one.refused,))


def _past_secrets(workspace: Workspace) -> Iterator[Waiting]:
    """Yield the secrets that history was given, the newest first; of very many the rest is counted."""
    found = history_secrets.standing(workspace.repo, workspace.store)[::-1]
    for one in found[:_SECRETS]:
        yield Waiting(f"{one.words}: replace it where it is used", one.fix, "low", (one.path,))
    if len(found) > _SECRETS:
        more = f"{len(found) - _SECRETS:,} more secrets stand in history"
        yield Waiting(more, "clawgit doctor", "low")


def _forgotten(workspace: Workspace) -> Iterator[Waiting]:
    """Yield what rests on conversations that OpenClaw forgot; of very many the rest is counted."""
    gone = forgotten_evidence.known(workspace) if workspace.managed else Forgotten()
    found = list(forgotten_evidence.told(workspace, gone))
    for one in found[:_SHOWN]:
        what = f"OpenClaw forgot the session {one.session}; something of it is left"
        yield Waiting(one.message, str(one.fix), what=what)
    if len(found) > _SHOWN:
        yield Waiting(f"{len(found) - _SHOWN} more things rest on forgotten sessions", "clawgit doctor")


def _unread(workspace: Workspace) -> int:
    try:
        return history_secrets.unread(workspace.repo, workspace.store)
    except ClawgitError:  # of a damaged repository, which doctor tells
        return 0


def _untrusted(workspace: Workspace) -> Iterator[Waiting]:
    """Yield what the operator has to decide, or that nothing was approved yet."""
    for name in map("filter.{}".format, sorted(foreign_programs.filters_off(workspace.root))):
        yield Waiting(f"{name} is a program of this repository's own, and off", _TRUST, "low", (name,))
    if came := repository_programs.come(workspace.repo, workspace.notes):
        what = "came into the repository: git goes by such things"
        yield Waiting(repository_programs.told(came), _TRUST, "low", tuple(came), what)
    if scripts := openclaw_extensions.come(workspace.root, workspace.notes).scripts:
        what = "came into the workspace, and OpenClaw does what such files say"
        yield Waiting(openclaw_extensions.scripts_told(scripts), _TRUST, "low", scripts, what)
    found = trust_review.concerns(workspace)
    if not found.known:
        what = "nothing here is approved yet"
        yield Waiting(f"{what}: {workspace.trusted.not_inherited()}", _TRUST, what=what)
    for one in found.files:
        what, why = "is not as you approved it", one.risk.first
        words = f"{one.path} {what}{f': {why.said}' if why.said else ''}"
        yield Waiting(words, _TRUST, paths=(one.path,), what=what, detail=why.plain, line=why.line)
    for key in found.keys:
        place = f"{file_roles.CONFIG}:{key.line}" if key.line else file_roles.CONFIG
        if key.changed:
            words = f"{place}: {key.key.name} names {trust_review.changed_files(key)}; nothing is run"
            what = f"names other files for {key.key.name} than you approved; nothing is run"
            yield Waiting(words, _TRUST, "low", (place,), what)
            continue
        words = f"{place}: {key.key.name} says {key.untrusted}; {key.value or 'nothing'} is used"
        what = f"sets {key.key.name} to what you have not approved"
        yield Waiting(words, _TRUST, paths=(place,), what=what)


def changes(workspace: Workspace) -> trust_review.Changes:
    """Return what others changed besides the identity, and nobody has answered: settings, and programs that came."""
    return trust_review.Changes(
        tuple(one.words for one in kept_alarms(workspace) if one.paths == (file_roles.CONFIG,) and one.level == "low"),
        repository_programs.come(workspace.repo, workspace.notes),
        history_cut.find(workspace.repo, workspace.notes, workspace.tip),
        openclaw_extensions.come(workspace.root, workspace.notes),
        tuple(one.gone for one in _vanished(workspace)),
    )


def answer_changes(workspace: Workspace, seen: trust_review.Changes) -> None:
    """Let the operator have said yes to what he was shown; what came meanwhile is still to be told."""
    alarm_ledger.answer(workspace.notes, (*seen.settings, *seen.gone))
    repository_programs.note(workspace.notes, seen.programs)
    if seen.cut:
        history_cut.answer(workspace.notes, seen.cut)
    if seen.extensions:
        openclaw_extensions.answer(workspace.notes, seen.extensions.hashes)


def _grown(workspace: Workspace) -> Iterator[Grown]:
    for path, said, text in trust_review.grown(workspace):
        then, now = (Counter(line for line in one.split("\n") if line.strip()) for one in (said, text))
        yield Grown(path, (now - then).total(), (then - now).total())


def _open_conflicts(workspace: Workspace) -> int:
    """Return how many sections there are that nobody has closed; what somebody wrote by hand counts as open."""
    try:
        closed = sum(not conflict.open for conflict in conflicts(workspace.read(file_roles.CONFLICTS) or ""))
    except ClawgitError:
        return 0
    return max(_sections(workspace, file_roles.CONFLICTS) - closed, 0)


def _sections(workspace: Workspace, path: str) -> int:
    try:
        text = workspace.read(path) or ""
    except ClawgitError:
        return 0
    return sum(line.startswith("## ") for line in text.split("\n"))
