"""Carries out an act.

It looks, shows, compares, asks for the code, and does it.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from clawgit.web.command_answers import Answer, command, digest
from clawgit.web.page_acts import ACTS, Act
from clawgit.web.web_site import Site

_BUSY = 75


class Step(Struct, frozen=True):
    """Where an act stands: the status of the answer, what is shown, and what came of it, once it was done.

    `moved` tells that something else was shown before; `said` is what is wrong with what was sent.
    """

    status: int
    name: str
    act: Act
    given: Mapping[str, str]
    seen: Sequence[Answer]
    shown: str
    said: str = ""
    moved: bool = False
    code: bool = False
    tries: int = 0
    done: Answer | None = None


def step(site: Site, name: str, given: Mapping[str, str]) -> Step:
    """Return what comes next of an act, which is done only as it was shown, and if need be with the right code."""
    act = ACTS[name]
    if lacking := _lacking(name, act, given):
        return Step(400, name, act, given, (), "", lacking)
    seen = [site.commands.ask(words) for words in act.looks(given)]
    shown = _shown(site, act, given, seen)
    guarded = act.guarded and site.approve == "code"
    if failed := next((one for one in seen if not one.fine), None):
        return Step(409, name, act, given, seen, shown, failed.error)
    if given.get("shown") and given["shown"] != shown:
        return _asking(site, Step(409, name, act, given, seen, shown, moved=True, code=guarded))
    if act.guarded and not given.get("shown"):
        return _asking(site, Step(200, name, act, given, seen, shown, code=guarded))
    if guarded and (refused := _unproved(site, Step(403, name, act, given, seen, shown, code=True))):
        return refused
    return _done(site, Step(200, name, act, given, seen, shown))


def _lacking(name: str, act: Act, given: Mapping[str, str]) -> str:
    """Return what is to be said yet, "" for nothing."""
    if missing := [key for key in act.needs if not given.get(key, "").strip()]:
        return f"it does not say: {', '.join(missing)}"
    if name == "propose" and given.get("how", "add") == "add" and not given.get("section", "").strip():
        return "a line that is added needs the section that it goes under: its title, as it stands in the file"
    return ""


def _shown(site: Site, act: Act, given: Mapping[str, str], seen: Sequence[Answer]) -> str:
    """Return what stands for all that was shown; for a guarded act also for what was asked, and for HEAD."""
    if not act.guarded:
        return digest(*(one.document for one in seen)) if seen else ""
    asked = {key: value for key, value in given.items() if key not in ("shown", "code", "form", "back", "from")}
    head = site.commands.ask(command("log", n=1))
    return digest(act.title, asked, [one.document for one in seen], head.document)


def _asking(site: Site, found: Step) -> Step:
    """Return the step with a new code at the terminal, where it takes one."""
    if not found.code:
        return found
    words = " ".join((found.act.title.lower(), *(found.given.get(key, "") for key in found.act.needs)))
    if not site.codes.issue(found.name, found.shown, words[:90]):
        return _without(found)
    return replace(found, tries=site.codes.tries(found.name, found.shown))


def _without(found: Step) -> Step:
    why = "nobody sits at a terminal, so there is no code: start `clawgit ui` in one, which shows six digits"
    return replace(found, status=403, said=why, code=False)


def _unproved(site: Site, found: Step) -> Step | None:
    """Return why the code is not taken, None where it is right."""
    if not site.codes.possible:
        return _without(found)
    if not site.codes.waits(found.name, found.shown):
        return _asking(site, replace(found, said="that code is spent; there is a new one at the terminal"))
    came = site.codes.take(found.name, found.shown, found.given.get("code", ""))
    if came == "right":
        return None
    if came == "wrong":
        left = site.codes.tries(found.name, found.shown)
        return replace(found, said="that is not the code", tries=left)
    return replace(found, said="that was not the code, and it is spent; begin again", code=False)


def _done(site: Site, found: Step) -> Step:
    """Do it. What the command refuses is shown with its words; where others were faster, with both sides."""
    answer = site.commands.ask(found.act.does(found.given, found.seen), vouched=found.act.guarded)
    if answer.fine:
        return replace(found, done=answer)
    status = 503 if answer.code == _BUSY else 409
    return replace(found, status=status, said=answer.error, done=answer)
