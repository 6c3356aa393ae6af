"""Grades changes to the identity, with what the operator approved."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError, quoted
from clawgit.git import history, repository
from clawgit.safety import hidden_text
from clawgit.safety.redaction import redacted
from clawgit.text import evidence_pointer
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import blank_forms, config, dumped_text, evidence_check, file_roles, identity_policy, records
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.identity_policy import Boundary
from clawgit.workspace.write_setting import Setting

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.risk import Risk

_NO_CAP = 1 << 40  # how large a file may be was agreed with nobody who wrote it
_NAMED = 3
"""So many settings an alarm names."""

Texts = Mapping[str, str | None]
_UNKNOWN = "unknown"
_TELLING = frozenset({"override", "secrecy", "exfiltration", "unseen", "encoded"})
"""What memories of work hardly ever say. Permissions, commands and money they tell of all the time."""
_OF_SKILLS = _TELLING - {"exfiltration"}
"""How things are sent, and with which key, is what honest skills are about; and conversations, told word for word."""
_POSING = "marker"
"""A marker that poses as the system: journals hold those of OpenClaw's own sessions."""
_BEACON = re.compile(r"!\[[^\]]*\]\(\s*<?https?://[^)\s]*[?&=/](?:[<{$\[]|%7B)", re.IGNORECASE)
"""A picture whose address has room for words: who shows it sends them there."""
_CITED = re.compile(r"\[(?:[^\[\]]*/)?(?:SOUL|IDENTITY)\.md#L\d[^\[\]]*\]", re.IGNORECASE)
"""What stands before a text of the identity in a context."""


def of_file(setting: Setting, path: str, before: str | None, after: str | None) -> "Risk":
    """Return the grade of one identity file that went from `before` to `after`, by its words alone.

    Nobody said who wrote it, or on what evidence.
    """
    from clawgit.workspace.risk import grade  # noqa: PLC0415 - most writes touch nothing that is guarded

    tools = setting.trust.approved(file_roles.TOOLS) if path == file_roles.AGENTS else None
    moved = before is not None and tools and tools.strip() in (after or "")
    return grade(
        f"{before}\n{tools}" if moved else before,
        after,
        origin="operator",
        evidence=("disk",),
        cap_tokens=_NO_CAP,
        protected=setting.trust.protected(path),
        path=path,
        operator=setting.operator(),
        form=_form(setting, path, before),
    )


def _form(setting: Setting, path: str, before: str | None) -> frozenset[str]:
    return blank_forms.form_lines(path, before, setting.trust.said(path))


def harmless(setting: Setting, path: str, text: str | None) -> bool:
    """Return whether a file's new text may count as approved: it differs from what was by a low grade at most.

    It may not where it weakens what the operator approved in so many words, in however many steps.
    """
    trust = setting.trust
    agents = text_of(repository.read(setting.repo, repository.head(setting.repo), file_roles.AGENTS))
    if trust.approves(path, text) or blank_forms.may_go(path, trust.approved(path), text, agents):
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
    from clawgit.workspace.risk import grade  # noqa: PLC0415

    cited = [] if change.origin == "operator" else list(find_evidence_origins(setting, change.evidence))
    grades = [
        grade(
            before[path],
            after[path],
            origin=change.origin,
            evidence=cited,
            cap_tokens=setting.trust.cap(path, setting.config.soul_max_tokens) if path.endswith("SOUL.md") else _NO_CAP,
            protected=setting.trust.protected(path),
            path=path,
            operator=setting.operator(),
            form=_form(setting, path, before[path]),
        )
        for path in guarded
    ]
    return joined(grades)


def _approved(setting: Setting, path: str, text: str | None) -> bool:
    """Return whether a file becomes as the operator approved it: that brings nothing that was not agreed to."""
    return path in setting.trust.files and (setting.trust.approves(path, text) or text == setting.trust.said(path))


def graded(setting: Setting, before: Texts, after: Texts) -> "dict[str, Risk]":
    """Return the grade of each identity file that others took from `before` to `after`.

    A file that is gone has an alarm of its own; one that is new is graded where something was approved before it came.
    """
    changed = {path: text for path, text in after.items() if file_roles.guarded(path) and text != before.get(path)}
    known = setting.trust.known
    return {
        path: of_file(setting, path, before.get(path), text)
        for path, text in changed.items()
        if text is not None and (before.get(path) or known) and not blank_forms.may_go(path, before.get(path), text)
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
            rows = (after[path] or "").split("\n")
            added = [rows[one.line - 1] for one in risk.found if 0 < one.line <= len(rows)]
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
                cure="" if path in before and before[path] is not None else f"rm {quoted(path)} && clawgit capture",
                lasts=True,
                key="alarm-grade",
            )
        elif weakened := _weakened(setting, path, before, after):
            more = f" (and {len(weakened) - 1} more)" if weakened[1:] else ""
            words = f"{path} no longer holds line {weakened[0].line} as you approved it: {weakened[0].fate}{more}"
            what = f"no longer holds line {weakened[0].line} as you approved it"
            yield Alarm(words, (path,), by_boundary=True, what=what, key="alarm-grade")
        elif file_roles.self_description(path):
            old, new = (Counter((texts.get(path) or "").splitlines()) for texts in (before, after))
            gone = {row.strip() for row in old - new} - {""}
            if gone and gone <= _form(setting, path, before.get(path)):
                continue
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
        yield from find_hostile_text(path, before.get(path), text, operator())


def _weakened(setting: Setting, path: str, before: Texts, after: Texts) -> tuple[Boundary, ...]:
    one = {path: before.get(path)}, {path: after[path]}
    return tuple(found.boundary for found in identity_policy.touched(setting.trust, *one, setting.operator()))


def find_evidence_origins(setting: Setting, cited: Iterable[str]) -> Iterator[str]:
    """Yield the origin of each piece of evidence: operator, agent, untrusted, or unknown where nobody vouches for it.

    That of a turn is the conversation's to tell; that of lines is told by the commits that they came with.
    """
    for text in cited:
        try:
            yield _find_origin(setting, evidence_pointer.parse(text))
        except ClawgitError:
            yield _UNKNOWN


def _find_origin(setting: Setting, pointer: Pointer) -> str:
    if pointer.kind == "session":
        turn = setting.conversations(pointer.id, pointer.event)
        return turn.origin if turn else _UNKNOWN
    head = repository.head(setting.repo)
    commit, span = evidence_check.lines_of(setting.repo, head, pointer)
    found = {
        _find_origin_of_commit(setting, one.commit) for one in history.blame(setting.repo, pointer.path, commit, span)
    }
    return next((one for one in ("untrusted", _UNKNOWN, "agent", "operator") if one in found), _UNKNOWN)


def _find_origin_of_commit(setting: Setting, commit: str | None) -> str:
    if commit is None:
        return _UNKNOWN
    found = records.record(history.commit(setting.repo, commit))
    return _UNKNOWN if found.agent == "capture" else found.origin or _UNKNOWN


def find_hostile_text(path: str, before: str | None, after: str, operator: Collection[str]) -> Iterator[Alarm]:
    """Yield an alarm where the lines that came into a file read like an attack: at most one, about all of them.

    Signs are those of identity files (`clawgit.safety`). It stands while a line stands.
    """
    rows, old = after.split("\n"), frozenset((before or "").split("\n"))
    fresh = {number for number, row in enumerate(rows, 1) if row.strip() and row not in old}
    if not fresh:
        return
    from clawgit.safety import injection  # noqa: PLC0415 - it loads what reads the text
    from clawgit.workspace.risk import WORDS, quote  # noqa: PLC0415

    # A secret is told elsewhere, and what is noted of an alarm holds none.
    text = redacted("\n".join(row if number in fresh else "" for number, row in enumerate(rows, 1)))
    shown = text.split("\n")
    usual = _OF_SKILLS if path.endswith("/SKILL.md") else _TELLING
    if file_roles.dreamt(path) or dumped_text.is_dump(path, after.encode()):
        usual -= {"exfiltration"}
    elif not file_roles.journal_day(path):
        usual |= {_POSING}
    found = {
        one.line: (f"adds {WORDS[one.kind]}", f': "{quote(one.phrase)}"')
        for one in reversed(injection.added("", text, operator))
        if one.kind in usual
    }
    for number, row in enumerate(shown, 1):
        if _BEACON.search(row):
            found.setdefault(number, ("adds a picture whose address carries words away", ""))
        if cited := _CITED.search(row):
            found.setdefault(number, ("poses as text of the identity", f': "{quote(cited[0])}"'))
    for run in hidden_text.scan(after):
        if run.line in fresh:
            found.setdefault(run.line, (f"adds hidden characters ({run.kind})", ""))
    if found:
        first = min(found)
        more = f" (and {len(found) - 1} more)" if found.keys() - {first} else ""
        known = (_hide_secret(rows[number - 1], shown[number - 1]) for number in sorted(found))
        lines = tuple(dict.fromkeys(row for row in known if row.strip()))
        what, detail = "holds text that reads like an attack", f"line {first} {found[first][0]}"
        words = f"{path} {what}: {detail}{found[first][1]}{more}"
        yield Alarm(words, (path,), lines=lines, what=what, detail=detail, line=first, key="alarm-hostile-text")


def _hide_secret(row: str, shown: str) -> str:
    """Return a row up to the secret that it holds, by which it is known again."""
    same = (at for at, (one, other) in enumerate(zip(row, shown, strict=False)) if one != other)
    return row[: next(same, len(row))]
