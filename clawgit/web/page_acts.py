"""The actions of the page, and their steps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clawgit.web.web_site import Answer, Site, command, hash_documents

FormFields = Mapping[str, str]
Words = tuple[str, ...]


class Act(Struct, frozen=True):
    """One action: `title` names it, `needs` are its required fields.

    `looks` are the commands whose answers are shown before it; `does` makes the command from the fields and these
    answers. A `guarded` action changes the identity, trust or policy: it takes a code from the terminal.
    """

    title: str
    needs: tuple[str, ...]
    looks: Callable[[FormFields], Sequence[Words]]
    does: Callable[[FormFields, Sequence[Answer]], Words]
    guarded: bool = False
    back: str = "inbox"


def _make_command(name: str, key: str = "id") -> Callable[[FormFields], Sequence[Words]]:
    return lambda form: (command(name, form[key]),)


def _simple(name: str, *keys: str, options: Sequence[str] = ()) -> Callable[[FormFields, Sequence[Answer]], Words]:
    """Return a function that makes a command of fields, some of them as options."""
    return lambda form, _: command(name, *(form[key] for key in keys), **{key: form.get(key) for key in options})


def _hash(answers: Sequence[Answer], key: str) -> Any:
    """Return the hash that the command itself gave for its shown text; it refuses any other."""
    record = answers[0].rows[0] if answers and answers[0].rows else answers[0].record if answers else {}
    # No command accepts this hash, so an action without a preview is refused.
    return record.get(key) or "nothing-was-shown"


def _changed(form: FormFields) -> Sequence[Words]:
    """Return the commands that show a change, file by file."""
    # A browser ends the lines of a form with CRLF. Five files at most are shown; the undo covers all of them.
    files = [name.rstrip("\r") for name in form.get("files", "").split("\n") if name.strip()][:5]
    return [command("soul diff", of=form["change"], file=name) for name in files]


def _restore(form: FormFields) -> Sequence[Words]:
    # An entry, which comes back as it was last, has no preview.
    return [command("soul diff", form["as_of"], "HEAD", file=form["what"])] if form.get("as_of") else ()


ACTS: Mapping[str, Act] = {
    "accept": Act(
        "Accept it",
        ("id",),
        _make_command("show"),
        lambda form, answers: command("accept", form["id"], hash=_hash(answers, "hash"), only=form.get("only")),
        guarded=True,
    ),
    "accept-one": Act("Accept it", ("id",), _make_command("show"), _simple("accept", "id", options=("only", "text"))),
    "reject": Act("Reject it", ("id",), _make_command("show"), _simple("reject", "id", options=("why",))),
    "trust": Act(
        "Approve all of it",
        (),
        lambda _: (command("trust"),),
        lambda _, answers: command("trust", hash=_hash(answers, "hash")),
        guarded=True,
    ),
    "correct": Act(
        "Correct the memory",
        ("id", "text"),
        _make_command("show"),
        lambda form, _: command("correct", form["text"], about=form["id"]),
        back="memory",
    ),
    "undo": Act("Take the change back", ("change",), _changed, _simple("undo", "change"), guarded=True, back="soul"),
    "restore": Act(
        "Bring it back", ("what",), _restore, _simple("restore", "what", options=("as_of",)), guarded=True, back="soul"
    ),
    "run": Act(
        "Run the job now",
        ("job",),
        lambda _: (),
        lambda form, _: command("schedule run", form["job"], once=True),
        guarded=True,
        back="schedule",
    ),
    "taint": Act(
        "Take back what the source taught",
        ("source",),
        _make_command("taint", "source"),
        lambda form, answers: command("taint", form["source"], apply=True, hash=_hash(answers, "hash")),
        guarded=True,
        back="memory",
    ),
}


class ActStep(Struct, frozen=True):
    """The state of an action: the status of the answer, the shown text, and the outcome, if it was done.

    `moved`: another text was shown before; `said` is the problem of the request.
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


_DECISIONS = frozenset(("accept", "accept-one", "reject"))


def find_next_step(site: Site, name: str, form: Mapping[str, str]) -> ActStep:
    """Return the next step of an action, which is done only as it was shown, and if need be with the right code."""
    act = ACTS[name]
    step = ActStep(200, name, act, form, (), "")
    if missing := [key for key in act.needs if not form.get(key, "").strip()]:
        return replace(step, status=400, said=f"it does not say: {', '.join(missing)}")
    # The preview is made again at every step, so that a change in between is noticed.
    answers = [site.ask(words) for words in act.looks(form)]
    step = replace(step, seen=answers, shown=_digest_shown(site, act, form, answers))
    if problem := _find_act_obstacle(name, form, answers):
        return replace(step, status=409, said=problem)
    is_shown = bool(form.get("shown"))
    if is_shown and form["shown"] != step.shown:
        return _issue_code(site, replace(step, status=409, moved=True))
    if act.guarded:
        refusal = _check_code(site, replace(step, status=403)) if is_shown else _issue_code(site, step)
        if refusal:
            return refusal
    answer = site.ask(act.does(form, answers), vouched=act.guarded)
    if answer.fine:
        return replace(step, done=answer)
    # a refusal of the command is shown with its words; if others were faster, with both sides
    return replace(step, status=409, said=answer.error, done=answer)


def _find_act_obstacle(name: str, form: FormFields, answers: Sequence[Answer]) -> str:
    """Return the error of a look, or that an item is decided already; "" for nothing."""
    if failed := next((answer for answer in answers if not answer.fine), None):
        return failed.error
    state = answers[0].record.get("state", "open") if name in _DECISIONS else "open"
    return "" if state == "open" else f"{form['id']} is {state} already"


def _digest_shown(site: Site, act: Act, form: Mapping[str, str], answers: Sequence[Answer]) -> str:
    """Return a digest of everything shown; for a guarded action also of the request, and of HEAD."""
    if not act.guarded:
        return hash_documents(*(answer.document for answer in answers)) if answers else ""
    # The other fields do not reach the command.
    request = {key: value for key, value in form.items() if key not in ("shown", "code", "form", "back", "from")}
    # A new commit makes the preview outdated, even if no answer changed.
    head = site.ask(command("log", n=1))
    return hash_documents(act.title, request, [answer.document for answer in answers], head.document)


def _issue_code(site: Site, step: ActStep) -> ActStep:
    """Return the step with a new code at the terminal, if it takes one."""
    if not step.act.guarded:
        return step
    words = " ".join((step.act.title.lower(), *(step.given.get(key, "") for key in step.act.needs)))
    if site.codes.issue(step.name, step.shown, words[:90]):
        return replace(step, code=True, tries=site.codes.tries(step.name, step.shown))
    reason = "nobody sits at a terminal, so there is no code: start `clawgit ui` in one, which shows six digits"
    return replace(step, status=403, said=reason)


def _check_code(site: Site, step: ActStep) -> ActStep | None:
    """Return the reason that the code is not taken, None if it is right."""
    if not site.codes.tries(step.name, step.shown):
        return _issue_code(site, replace(step, said="that code is spent; there is a new one at the terminal"))
    match site.codes.take(step.name, step.shown, step.given.get("code", "")):
        case "right":
            return None
        case "wrong":
            tries = site.codes.tries(step.name, step.shown)
            return replace(step, code=True, said="that is not the code", tries=tries)
        case _:
            return replace(step, said="that was not the code, and it is spent; begin again")
