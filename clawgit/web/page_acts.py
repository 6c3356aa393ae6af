"""What can be done on the page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from clawgit.web.command_answers import Answer, command

Given = Mapping[str, str]
Words = tuple[str, ...]


class Act(Struct, frozen=True):
    """One act: `title` names it, `needs` are the fields without which it is not asked for.

    `looks` are the commands whose answers are shown before it; `does` makes the command of what was given and what they
    answered. What is `guarded` changes the identity, trust or policy: it takes a code from the terminal.
    """

    title: str
    needs: tuple[str, ...]
    looks: Callable[[Given], Sequence[Words]]
    does: Callable[[Given, Sequence[Answer]], Words]
    guarded: bool = False
    back: str = "desk"


def _nothing(_given: Given) -> Sequence[Words]:
    return ()


def _of(name: str, key: str = "id") -> Callable[[Given], Sequence[Words]]:
    return lambda given: (command(name, given[key]),)


def _simple(name: str, *keys: str, options: Sequence[str] = ()) -> Callable[[Given, Sequence[Answer]], Words]:
    """Return what makes a command of fields, some of them as options."""
    return lambda given, _: command(name, *(given[key] for key in keys), **{key: given.get(key) for key in options})


def _hash(answers: Sequence[Answer], key: str) -> Any:
    """Return the hash that the command itself gave of what it showed; it refuses any other."""
    found = answers[0].rows[0] if answers and answers[0].rows else answers[0].record if answers else {}
    return found.get(key) or "nothing-was-shown"


def _changed(given: Given) -> Sequence[Words]:
    """Return what shows what a change did, file by file."""
    files = [name for name in given.get("files", "").split("\n") if name.strip()][:5]
    return [command("soul diff", of=given["change"], file=name) for name in files]


def _restored(given: Given) -> Sequence[Words]:
    path, _, section = given["what"].partition("#")
    if given.get("as_of") and not section:
        return [command("soul diff", given["as_of"], "HEAD", file=path)]
    return ()


def _edit(given: Given, _answers: Sequence[Answer]) -> Words:
    how = given.get("how", "add")
    options = {"add": how == "add", "remove": how == "remove", "replace": given.get("old") if how == "replace" else ""}
    more = {"section": given.get("section"), "why": given["why"], "file": given.get("file"), "propose": True}
    text = given["text"].strip()
    return command("soul edit", text.removeprefix("- ") if options["add"] else text, **options, **more)


ACTS: Mapping[str, Act] = {
    "approve": Act(
        "Approve the proposal",
        ("id",),
        _of("soul review"),
        lambda given, seen: command("soul approve", given["id"], hash=_hash(seen, "diff_hash")),
        guarded=True,
    ),
    "reject": Act(
        "Reject the proposal", ("id", "why"), _of("soul review"), _simple("soul reject", "id", options=("why",))
    ),
    "trust": Act(
        "Approve all of it",
        (),
        lambda _: (command("trust"),),
        lambda _, seen: command("trust", hash=_hash(seen, "hash")),
        guarded=True,
    ),
    "put-back": Act(
        "Put back what you approved",
        ("path",),
        lambda _: (command("trust"),),
        lambda given, _: command("restore", given["path"], approved=True),
        guarded=True,
    ),
    "propose-kept": Act("Make a proposal of it", ("id",), _of("quarantine show"), _simple("quarantine propose", "id")),
    "drop-kept": Act(
        "Forget it, for good", ("id",), _of("quarantine show"), _simple("quarantine drop", "id"), guarded=True
    ),
    "confirm": Act(
        "Confirm the correction",
        ("id",),
        _of("corrections show"),
        _simple("corrections confirm", "id", options=("said", "true", "about")),
    ),
    "dismiss": Act("Dismiss the candidate", ("id",), _of("corrections show"), _simple("corrections dismiss", "id")),
    "keep": Act("Keep it as a memory", ("id",), _nothing, _simple("memory keep", "id", options=("tag",))),
    "drop": Act("Take it off the list", ("id",), _nothing, _simple("memory drop", "id")),
    "resolve": Act(
        "Decide the conflict",
        ("id",),
        _of("conflicts show"),
        _simple("conflicts resolve", "id", options=("keep", "merge")),
    ),
    "correct": Act(
        "Correct the memory",
        ("id", "text"),
        _of("memory show"),
        lambda given, _: command("correct", given["text"], about=given["id"]),
        back="memory",
    ),
    "undo": Act("Take the change back", ("change",), _changed, _simple("undo", "change"), guarded=True, back="soul"),
    "revert": Act(
        "Take the change of SOUL.md back",
        ("change",),
        lambda given: (command("soul diff", of=given["change"]),),
        _simple("soul revert", "change"),
        guarded=True,
        back="soul",
    ),
    "restore": Act(
        "Bring it back", ("what",), _restored, _simple("restore", "what", options=("as_of",)), guarded=True, back="soul"
    ),
    "propose": Act("Propose the edit", ("text", "why"), _nothing, _edit, back="desk"),
    "run": Act("Run the job now", ("job",), _nothing, _simple("schedule once", "job"), guarded=True, back="schedule"),
    "taint": Act(
        "Take back what the source taught",
        ("source",),
        _of("taint", "source"),
        lambda given, seen: command("taint", given["source"], apply=True, hash=_hash(seen, "hash")),
        guarded=True,
        back="memory",
    ),
}
