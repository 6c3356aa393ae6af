"""Grades changes to the identity, with what the operator approved."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.workspace import config, file_roles, identity_policy
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.identity_policy import Boundary
from clawgit.workspace.write_setting import Setting

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.risk import Risk

_NO_CAP = 1 << 40  # how large a file may be was agreed with nobody who wrote it
_SOULS = "SOUL.md"
_NAMED = 3
"""So many settings an alarm names."""

Texts = Mapping[str, str | None]


def of_file(setting: Setting, path: str, before: str | None, after: str | None) -> "Risk":
    """Return the grade of one identity file that went from `before` to `after`, by its words alone.

    Nobody said who wrote it, or on what evidence.
    """
    from clawgit.workspace.risk import grade  # noqa: PLC0415 - most writes touch nothing that is guarded

    return grade(
        before,
        after,
        origin="operator",
        evidence=("disk",),
        cap_tokens=_NO_CAP,
        protected=setting.trust.protected(path),
        path=path,
        operator=setting.operator(),
    )


def harmless(setting: Setting, path: str, text: str | None) -> bool:
    """Tell whether a file's new text may count as approved: it differs from what was by a low grade at most.

    It may not where it weakens what the operator approved in so many words, in however many steps.
    """
    trust = setting.trust
    if trust.approves(path, text) or (text is None and path in file_roles.MAY_GO):
        return True
    if not trust.known:
        return False
    if text is not None and text == trust.said(path):
        return True
    low = of_file(setting, path, trust.approved(path), text).level == "low"
    return low and not identity_policy.lost(trust, path, text, setting.operator())


def of_change(setting: Setting, change: "Change", before: Texts, after: Texts) -> "Risk | None":
    """Return the grade of what is guarded among `after`, the gravest with all its reasons; None where nothing is."""
    guarded = [path for path in after if file_roles.guarded(path)]
    if not guarded:
        return None
    if all(_approved(setting, path, after[path]) for path in guarded):
        return joined(())
    from clawgit.workspace import evidence_origin  # noqa: PLC0415 - most changes touch nothing that is guarded
    from clawgit.workspace.risk import grade  # noqa: PLC0415

    cited = [] if change.origin == "operator" else list(evidence_origin.origins(setting, change.evidence))
    grades = [
        grade(
            before[path],
            after[path],
            origin=change.origin,
            evidence=cited,
            cap_tokens=_cap(setting, path),
            protected=setting.trust.protected(path),
            path=path,
            operator=setting.operator(),
        )
        for path in guarded
    ]
    return joined(grades)


def _approved(setting: Setting, path: str, text: str | None) -> bool:
    """Tell whether a file becomes as the operator approved it: that brings nothing that was not agreed to."""
    return path in setting.trust.files and (setting.trust.approves(path, text) or text == setting.trust.said(path))


def _cap(setting: Setting, path: str) -> int:
    """Return how large a file may grow: a soul to its cap, other files to what OpenClaw reads of them."""
    return setting.trust.cap(path, setting.config.soul_max_tokens) if path.endswith(_SOULS) else _NO_CAP


def graded(setting: Setting, before: Texts, after: Texts) -> "dict[str, Risk]":
    """Return the grade of each identity file that others took from `before` to `after`.

    A file that is gone has an alarm of its own; one that is new is graded where something was approved before it came.
    """
    changed = {path: text for path, text in after.items() if file_roles.guarded(path) and text != before.get(path)}
    known = setting.trust.known
    return {
        path: of_file(setting, path, before.get(path), text)
        for path, text in changed.items()
        if text is not None and (before.get(path) or known)
    }


def joined(risks: "Iterable[Risk]") -> "Risk":
    """Return the gravest of these grades, with the reasons of all."""
    from clawgit.workspace.risk import Risk  # noqa: PLC0415

    reasons = dict.fromkeys(reason for risk in risks for reason in risk.reasons)
    return Risk("high" if reasons else "low", tuple(reasons))


def alarmed(setting: Setting, risks: "Mapping[str, Risk]", before: Texts, after: Texts) -> Iterator[Alarm]:
    """Yield an alarm for each file that is graded high, and a low one for others that say who the agent is.

    No grade sees every change for the worse; who the agent is changes so seldom that each time can be told. What was
    weakened in many small steps, each of them of a low grade, is held against what the operator approved.
    """
    for path, risk in risks.items():
        if risk.reasons:
            more = f" (and {len(risk.reasons) - 1} more)" if risk.reasons[1:] else ""
            words = f"{path} was changed, and is graded high: {risk.reasons[0]}{more}"
            added = _added(risk, after[path] or "")
            instead = {one.instead for one in _weakened(setting, path, before, after)}
            told = risk.boundaries + len(added) == len(risk.reasons) and instead.issuperset(added)
            lines = tuple(dict.fromkeys(added)) if len(added) == len(risk.reasons) - risk.boundaries else ()
            what, first = "was changed, and is graded high", risk.first
            yield Alarm(
                words,
                (path,),
                by_boundary=told,
                lines=lines,
                what=what,
                detail=first.plain,
                line=first.line,
                key="alarm-grade",
            )
        elif weakened := _weakened(setting, path, before, after):
            more = f" (and {len(weakened) - 1} more)" if weakened[1:] else ""
            words = f"{path} no longer holds line {weakened[0].line} as you approved it: {weakened[0].fate}{more}"
            what = f"no longer holds line {weakened[0].line} as you approved it"
            yield Alarm(words, (path,), by_boundary=True, what=what, key="alarm-grade")
        elif file_roles.self_description(path):
            old, new = (Counter((texts.get(path) or "").splitlines()) for texts in (before, after))
            words = f"{path} was changed from outside clawgit (+{(new - old).total()} -{(old - new).total()})"
            yield Alarm(words, (path,), level="low", key="alarm-grade")


def resettled(setting: Setting, before: Texts, after: Texts) -> Iterator[Alarm]:
    """Yield a low alarm where others changed what CONFIG.md sets, which nobody would see otherwise."""
    if file_roles.CONFIG not in after or not setting.trust.known:
        return
    texts = (before.get(file_roles.CONFIG), after[file_roles.CONFIG])
    was, now = (_values(text or "") for text in texts)
    if changed := [name for name in now if was[name] != now[name]]:
        more = f" (and {len(changed) - _NAMED} more)" if changed[_NAMED:] else ""
        words = f"{file_roles.CONFIG} was changed from outside clawgit: {', '.join(changed[:_NAMED])}{more}"
        yield Alarm(words, (file_roles.CONFIG,), level="low", key="alarm-grade")


def _values(text: str) -> dict[str, Any]:
    """Return what a CONFIG.md sets, by key; the defaults where it cannot be read."""
    try:
        return {one.key.name: one.value for one in config.read(text).every()}
    except ClawgitError:
        return _values("")


def hostile(setting: Setting, before: Texts, after: Texts) -> Iterator[Alarm]:
    """Yield an alarm for each file of the memory into which text came that reads like an attack."""
    for path, text in after.items():
        if text is None or path == file_roles.CONFIG:
            continue
        if file_roles.memory(path) or path == setting.config.memory_file:
            yield from attacks({path: text}, before, setting.operator)


def attacks(after: Mapping[str, str], before: Texts, operator: Callable[[], Collection[str]]) -> Iterator[Alarm]:
    """Yield an alarm for each file into which lines came that read like an attack."""
    for path, text in after.items():
        from clawgit.workspace import hostile_text  # noqa: PLC0415 - it loads what reads the text

        yield from hostile_text.alarm(path, before.get(path), text, operator())


def _added(risk: "Risk", text: str) -> list[str]:
    """Return the lines of `text` that reasons of a grade are about: those that name one by its number."""
    rows = text.split("\n")
    return [rows[one.line - 1] for one in risk.found if 0 < one.line <= len(rows)]


def _weakened(setting: Setting, path: str, before: Texts, after: Texts) -> tuple[Boundary, ...]:
    one = {path: before.get(path)}, {path: after[path]}
    return tuple(found.boundary for found in identity_policy.touched(setting.trust, *one, setting.operator()))
