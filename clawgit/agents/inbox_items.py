"""Accepting and rejecting items of the inbox."""

from collections.abc import Callable, Collection, Mapping
from functools import partial

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.agents import recall_validator
from clawgit.agents.running import View
from clawgit.errors import Advice, Command
from clawgit.memory import conflicts, correct
from clawgit.memory.corrected_values import Correction, Told
from clawgit.messages.triage import read_patterns, triage
from clawgit.reading.backlog import make_message
from clawgit.store.item import Item
from clawgit.text.correction import SENTENCE
from clawgit.text.entry import new_id, normalise
from clawgit.workspace import decide, inbox, quarantine, trust_review
from clawgit.workspace import memory as memories
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.memory_lines import find_line
from clawgit.workspace.workspace import Workspace

_CONFLICT_SIDES: Mapping[frozenset[int], conflicts.Keep] = {
    frozenset({1}): "a",
    frozenset({2}): "b",
    frozenset({1, 2}): "both",
}


def accept(
    workspace: Workspace,
    item: Item,
    digest: str = "",
    only: Collection[int] = (),
    text: str | None = None,
) -> tuple[Applied, Item]:
    """Accept an item: one commit. Raises ClawgitError.

    `digest` is the hash of the shown text of a guarded kind, `only` the numbers of the chosen hunks, sides or memories,
    `text` the operator's own words instead. Returns the result, and the decided item.
    """
    if item.state != "open":
        raise decide.decision_error(item)
    if item.kind == "conflict":
        return _land(workspace, item, partial(_decide_conflict, only=only, text=text))
    if item.kind == "correction":
        applied, decided = _land(workspace, item, partial(_correct, only=only, text=text))
        name = str(item.details.get("record") or applied.change)
        notes = recall_validator.finish(workspace, name, shown_ids=item.details.get("choices", ()))
        return replace(applied, notes=(*applied.notes, *notes)), decided
    if item.kind == "candidate":
        return _land(workspace, item, partial(_add_candidate, text=text))
    if item.kind == "settings":
        return _accept_setting(workspace, item, digest), item
    if item.kind == "quarantine":
        workspace.store.open_item(item)
    applied = decide.accept(workspace, item.id, digest, only, text)
    quarantine.discard(workspace.repo, item.id)
    return applied, item


def reject(workspace: Workspace, item: Item, why: str = "") -> tuple[Item, Applied | None]:
    """Reject an item: nothing of it lands, and it is not asked again. Raises ClawgitError.

    Returns the decided item, and the commit that notes that both sides of a contradiction stay.
    """
    if item.state != "open":
        raise decide.decision_error(item)
    if item.kind == "settings":
        key = str(item.details["key"])
        fix = Advice(f"clawgit config {key} VALUE   # the one that you want")
        raise errors.option_missing(f"{key} in CONFIG.md is not used; what should it say?", fix=fix)
    if item.kind == "quarantine":
        # Its bytes stay in .git/clawgit/quarantine until there is no room for them.
        workspace.store.open_item(item)
    if item.kind == "conflict":
        view = View(workspace)
        applied, _ = _land(workspace, item, lambda *_: conflicts.dismiss(view, conflicts.find_conflict(view, item.id)))
        return inbox.find_item(workspace, item.id), applied
    return decide.reject(workspace, item.id, why), None


def _land(workspace: Workspace, item: Item, plan: Callable[[Workspace, Item], Change]) -> tuple[Applied, Item]:
    """Write the change that `plan` makes of an item, if it still waits when its turn comes."""
    with decide.taking_turns(workspace):
        current = inbox.find_item(workspace, item.id)
        if current.state != "open":
            raise decide.decision_error(current)
        applied = workspace.apply(plan(workspace, replace(current, details=item.details)))
        decide.decide(workspace, current, "accepted", commit=applied.commit or "")
    return applied, current


def _add_candidate(workspace: Workspace, item: Item, text: str | None) -> Change:
    evidence = (item.source,) if item.source else ()
    words = text or item.title
    return memories.add(workspace, words, tag=memories.kind(workspace, words), evidence=evidence).change


def _decide_conflict(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> Change:
    view = View(workspace)
    record = conflicts.find_conflict(view, item.id)
    if text is not None:
        return conflicts.merge(view, record, text)
    side = _CONFLICT_SIDES.get(frozenset(only))
    if side is None:
        fix = Command("clawgit accept {} --only 1", item.id, note="or 2, or 1,2 for both")
        raise errors.option_missing("two statements contradict each other: which one stays?", fix=fix)
    return conflicts.keep(view, record, side)


def _correct(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> Change:
    """Return the change of the chosen entries: a new value in each, or the operator's words instead."""
    details = item.details
    wrong, true = str(details.get("said", "")), text or str(details.get("true", ""))
    choices = details.get("choices", ())
    if not any(map(str.isalnum, true)) or not (choices or text):
        numbers = f" --only {','.join(map(str, sorted(only))) or '1'}" if choices else ""
        advice = f'clawgit accept {item.id}{numbers} --text "…"   # the whole line as it is true'
        raise errors.text_missing("it is not known what is true", fix=Advice(advice))
    decide.require_numbers(item, only, len(choices))
    names = [name for number, name in enumerate(choices, 1) if not only or number in only]
    if len(choices) > 1 and not only:
        options = "; ".join(f"{number} {name}" for number, name in enumerate(choices, 1))
        fix = Command("clawgit show {}", item.id, note="and accept it with --only N, or several: --only 1,2")
        raise errors.correction_ambiguous(f"it may be about several memories: {options}", fix=fix)
    if text and len(names) > 1 and not wrong:
        raise errors.options_conflict(
            "--text is the whole of one line", fix=Command("clawgit accept {} --only 1", item.id)
        )
    lines = (find_line(workspace, name) for name in names)
    exchanges = tuple(correct.require_exchange(line, wrong, true, is_text=bool(text)) for line in lines)
    if exchanges and all(normalise(exchange.statement) == normalise(exchange.entry.text) for exchange in exchanges):
        raise errors.already_set("these lines say so already", fix=Command("clawgit reject {}", item.id))
    record = str(details.get("record", ""))
    wrong, true = (exchanges[0].said, exchanges[0].true) if exchanges else (wrong, true)
    corrections = (item.record for item in list_records(workspace) if item.record.id == record)
    sentences = (correction.fields.get(SENTENCE.casefold()) for correction in corrections)
    view, told = View(workspace), hear(workspace, next(filter(None, sentences), item.title))
    correction = Correction(wrong, true, exchanges, "" if exchanges or text is None else text)
    name = new_id()
    declined = {*choices}.difference(names)
    return correct.make_correction(view, correction, told, name=name, agent=None, record=record, declined=declined)


def hear(workspace: Workspace, text: str) -> Told:
    """Return the operator's words at the command line as a message."""
    found = triage(text, read_patterns(workspace.config).patterns)
    return Told(make_message(text, "operator", workspace.now().timestamp()), found)


def _accept_setting(workspace: Workspace, item: Item, digest: str) -> Applied:
    """Approve a value of CONFIG.md, as it is."""
    keys = tuple(key for key in trust_review.list_keys(workspace) if inbox.name_of_setting(key) == item.id)
    if not keys or digest != decide.view(workspace, item).digest:
        raise errors.preview_outdated(f"{item.id} has changed since", fix=Command("clawgit show {}", item.id))
    trust_review.accept(workspace, trust_review.Review(known=True, files=(), keys=keys))
    capture = workspace.capture((file_roles.CONFIG,))
    notes = (*capture.notes, f"{item.details['key']} counts now as CONFIG.md has it")
    return Applied(capture.commit, (capture.commit or "")[:10], capture.files, notes=notes)
