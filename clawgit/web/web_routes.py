"""The addresses of the page, and what answers them."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from clawgit.digest.digest_text import TITLES
from clawgit.web import page_text
from clawgit.web.browser_session import same
from clawgit.web.command_answers import Answer, command, digest
from clawgit.web.page_acts import ACTS, Act
from clawgit.web.page_address import clean
from clawgit.web.pages import desk_page, growth_page, memory_pages, soul_pages
from clawgit.web.request_guard import OPEN, App, Guard
from clawgit.web.web_site import Look, Shown, Site
from clawgit.workspace.host.host import Host

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


_MESSAGES = 400


def search(look: Look) -> Shown:
    """Return what is found, with the reasons, and the story of the topic; nothing of it is noted as a recall."""
    words = look.get("q")
    if not words.strip():
        return Shown("Search", {})
    options = {"as_of": look.get("as_of"), "deleted": bool(look.get("deleted")), "category": look.get("category")}
    found = look.ask(
        "memory search",
        words,
        **options,
        since=look.get("since"),
        until=look.get("until"),
        explain=True,
        top=20,
        min_score="0" if look.get("all") else None,
    )
    parts = {"search": found}
    if look.get("story"):
        parts["story"] = look.slow("memory story", words)
    return Shown("Search", parts)


def context(look: Look) -> Shown:
    """Return what an agent is given for a conversation, slot by slot, and what OpenClaw itself cuts."""
    parts = {"check": look.ask("context", check=True)}
    text, session = look.get("text"), look.get("session")
    if text or session:
        parts["context"] = look.slow(
            "context", text or "", session=session, as_of=look.get("as_of"), budget=look.get("budget")
        )
    return Shown("Context", parts)


def conversation(look: Look) -> Shown:
    """Return one conversation as it is kept, or the list of them."""
    wanted = look.get("id")
    if not wanted:
        return Shown("Conversations", {"sessions": look.ask("session list")}, {"messages": [], "left": 0})
    found = look.ask("session show", wanted)
    messages = found.record.get("messages", [])
    more = {"messages": messages[-_MESSAGES:], "left": max(0, len(messages) - _MESSAGES)}
    return Shown("A conversation", {"session": found}, more)


_RUNS = 25


def today(look: Look) -> Shown:
    """Return how the workspace stands, and what the operator should know of."""
    status, digest = look.ask("status"), look.slow("digest")
    waits = look.ask("soul proposals"), look.ask("conflicts list"), look.ask("trust")
    found = digest.record
    sections = [(TITLES[name], name, found[name]) for name in TITLES if found.get(name)]
    parts = {"status": status, "digest": digest, "proposals": waits[0], "conflicts": waits[1], "trust": waits[2]}
    trust = waits[2].record
    unapproved = len([*trust.get("files", ()), *trust.get("keys", ()), *trust.get("changes", ())])
    return Shown("Today", parts, {"sections": sections, "unapproved": unapproved})


def schedule(look: Look) -> Shown:
    """Return what runs when, and what ran."""
    return Shown("Schedule", {"status": look.ask("schedule status"), "log": look.ask("schedule log", n=_RUNS)})


def agents(look: Look) -> Shown:
    """Return the agents of clawgit, the connection to OpenClaw, and the workspaces of its other agents."""
    parts = {"agents": look.ask("run", list=True), "openclaw": look.ask("openclaw status")}
    known = Host().agents if Host().installed else ()
    theirs = {one.id: str(one.workspace) for one in known}
    parts |= {f"status {name}": look.of_agent(name, "status") for name in theirs}
    return Shown("Agents", parts, {"theirs": theirs})


def audit(look: Look) -> Shown:
    """Return what should not be in memory."""
    return Shown("Audit", {"audit": look.slow("audit")})


def report(look: Look) -> Shown:
    """Return what the whole history hides, as adopting tells it."""
    return Shown("What the history hides", {"report": look.slow("adopt", dry_run=True)})


Page = Callable[[Look], Shown]

PAGES: Mapping[str, Page] = {
    "today": today,
    "soul": soul_pages.soul,
    "soul/drift": soul_pages.drift,
    "soul/blame": soul_pages.blame,
    "why": soul_pages.why,
    "desk": desk_page.desk,
    "memory": memory_pages.memory,
    "memory/entry": memory_pages.entry,
    "search": search,
    "context": context,
    "conversation": conversation,
    "schedule": schedule,
    "growth": growth_page.growth,
    "audit": audit,
    "agents": agents,
    "report": report,
}
NAVIGATION = ("today", "desk", "soul", "memory", "search", "context", "growth", "schedule", "audit", "agents", "report")
STATIC = Path(__file__).parent / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class _Asked(dict[str, str]):
    """What an address asks for; what it does not name is ""."""

    def __missing__(self, _key: str) -> str:
        return ""


class Desk:
    """Renders pages of one site, and does what they ask for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.templates = environment(site)
        self.folder = _identity(site.root)

    def page(self, name: str, asked: Mapping[str, str], form: str) -> Response:
        """Return a page, as HTML or for programs, as its name ends."""
        wanted = name.removesuffix(".json")
        if wanted not in PAGES:
            return self.problem(404, "there is no such page", form)
        if gone := self._gone():
            return self.problem(410, gone, form)
        as_json = wanted != name
        shown = PAGES[wanted](Look(self.site, clean(asked), as_json))
        status = 400 if shown.parts and all(one.error for one in shown.parts.values()) else 200
        if as_json:
            text = json.dumps(shown.document, ensure_ascii=True, indent=2)
            return Response(text, status, media_type="application/json")
        return HTMLResponse(self.html(wanted, shown, clean(asked), form), status)

    def html(self, name: str, shown: Shown, state: Mapping[str, str], form: str) -> str:
        """Return a page as HTML."""
        template = self.templates.get_template(f"{name.replace('/', '-')}.html")
        return template.render(page=name, shown=shown, parts=shown.parts, state=_Asked(state), form=form, **shown.more)

    def act(self, name: str, given: Mapping[str, str], form: str) -> Response:
        """Do what a form asks for, or show what is to be seen before."""
        if self.site.read_only:
            return self.problem(403, "this page is read-only: clawgit ui without --read-only decides", form)
        if name not in ACTS:
            return self.problem(404, "there is no such act", form)
        if gone := self._gone():
            return self.problem(410, gone, form)
        found = step(self.site, name, given)
        if found.done and found.done.fine:
            return RedirectResponse(self.site.address(f"result/{self.site.keep(found)}"), 303)
        return HTMLResponse(self._step(found, form), found.status)

    def result(self, name: str, form: str) -> Response:
        """Return what an act came to."""
        found = self.site.results.get(name)
        if found is None:
            return self.problem(404, "what came of it is not kept any more; the log has it", form)
        return HTMLResponse(self._step(found, form))

    def problem(self, status: int, words: str, form: str) -> Response:
        """Return a page that says what is wrong."""
        template = self.templates.get_template("problem.html")
        return HTMLResponse(template.render(page="", words=words, form=form, status=status), status)

    def _step(self, found: Step, form: str) -> str:
        where = self._back(found, "back") or self.site.address(found.act.back)
        left = self._back(found, "from") or where
        template = self.templates.get_template("act.html")
        return template.render(page="", step=found, act=found.act, form=form, back=where, left=left)

    def _back(self, found: Step, key: str) -> str:
        return self.site.address.back(found.given[key], PAGES) if found.given.get(key) else ""

    def _gone(self) -> str:
        now = _identity(self.site.root)
        if now == self.folder:
            return ""
        said = "another folder lies there now" if now else "it is not there any more"
        return f"this page showed {self.site.root}; {said}. Start clawgit ui anew."


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        known = root.stat()
    except OSError:
        return None
    return known.st_dev, known.st_ino


def environment(site: Site, address: Callable[..., str] | None = None) -> Environment:
    """Return the templates, with what all of them use."""
    made = page_text.environment()
    made.globals |= {
        "url": address or site.address,
        "site": site,
        "navigation": NAVIGATION,
        "cut": cut,
        "barred": lambda name: ACTS[name].guarded and site.approve == "code" and not site.codes.possible,
        "static": _version,
    }
    return made


def _version(name: str) -> str:
    """Return a name of a static file that changes with what is in it."""
    return f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def application(site: Site, seen: Callable[[], None] = lambda: None) -> App:
    """Return the page as an ASGI application; `seen` is called for each request that is answered."""
    desk = Desk(site)

    async def page(request: Request) -> Response:
        asked, form = dict(request.query_params), request.state.form
        return await run_in_threadpool(desk.page, request.path_params["name"], asked, form)

    async def act(request: Request) -> Response:
        given = await _form(request)
        if not same(given.get("form", ""), request.state.form):
            return desk.problem(403, "this form is not of this page: load the page anew", request.state.form)
        return await run_in_threadpool(desk.act, request.path_params["name"], clean(given), request.state.form)

    async def result(request: Request) -> Response:
        return await run_in_threadpool(desk.result, request.path_params["name"], request.state.form)

    async def door(request: Request) -> Response:
        return _door(desk, request)

    async def enter(request: Request) -> Response:
        return _enter(desk, await _form(request), request.headers.get("sec-fetch-site", ""))

    async def home(_request: Request) -> Response:
        return RedirectResponse(site.address(site.first), 303)

    root = site.sessions.root
    routes = [
        Route(OPEN, door, methods=["GET"]),
        Route(OPEN, enter, methods=["POST"]),
        Route(root, home),
        Route(f"{root}static/{{name}}", _static),
        Route(f"{root}act/{{name}}", act, methods=["POST"]),
        Route(f"{root}result/{{name}}", result),
        Route(f"{root}{{name:path}}", page),
    ]
    return Guard(Starlette(routes=routes), site.authority, site.sessions, seen)


async def _form(request: Request) -> dict[str, str]:
    found = await request.form(max_files=0, max_fields=40)
    return {key: value.replace("\r\n", "\n") for key, value in found.items() if isinstance(value, str)}


def _door(desk: Desk, request: Request) -> Response:
    """Show a button: whoever only looks at an address, as previews do, spends no token."""
    token = request.query_params.get("token", "")
    return HTMLResponse(desk.templates.get_template("door.html").render(token=token, refused=False))


def _enter(desk: Desk, given: Mapping[str, str], site_asking: str) -> Response:
    """Exchange the token for a cookie, and lead on."""
    site = desk.site
    value = site.sessions.exchange(given.get("token", ""))
    if value is None:
        return HTMLResponse(desk.templates.get_template("door.html").render(token="", refused=True), 403)
    cookie = {"set-cookie": site.sessions.cookie(value)}
    if site_asking == "same-origin":
        return RedirectResponse(site.address(site.first), 303, cookie)
    # From a file a browser would send no such cookie along a redirection: the next step is a page of ours.
    return HTMLResponse(desk.templates.get_template("onward.html").render(), headers=cookie)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    known: dict[str, Any] = {one.name: one for one in STATIC.iterdir() if one.suffix in _TYPES}
    if name not in known:
        return Response("there is nothing here\n", 404)
    return Response(known[name].read_bytes(), media_type=_TYPES[known[name].suffix])


ROWS, LETTERS = 400, 4000


class Row(Struct, frozen=True):
    """One line: "+", "-" or " ", and its words, each with what became of it."""

    op: str
    words: list[tuple[str, str]]


class Hunk(Struct, frozen=True):
    """Lines of one place: its heading, where it begins, its rows."""

    section: str
    start: int
    rows: list[Row]


class Cut(Struct, frozen=True):
    """What is shown of a difference, and how many lines are not; `come` and `gone` count the lines of all of it."""

    hunks: list[Hunk]
    left: int
    come: int
    gone: int


def cut(hunks: Iterable[Mapping[str, Any]], most: int = ROWS) -> Cut:
    """Return the first rows of some hunks, each no longer than four thousand letters."""
    shown, room, left, come, gone = [], most, 0, 0, 0
    for one in hunks:
        lines = one["lines"]
        come += sum(row["op"] == "+" for row in lines)
        gone += sum(row["op"] == "-" for row in lines)
        kept = [_row(row) for row in lines[:room]]
        left += len(lines) - len(kept)
        room -= len(kept)
        if kept:
            first = next((at for at, row in enumerate(lines) if row["op"] != " "), 0)
            shown.append(Hunk(str(one["section"] or ""), int(one["new_start"]) + first, kept))
    return Cut(shown, left, come, gone)


def _row(row: Mapping[str, Any]) -> Row:
    words = [(one["op"], one["text"]) for one in row["words"]] or [(" ", row["text"])]
    kept, room = [], LETTERS
    for op, text in words:
        if len(text) > room:
            kept.append((op, f"{text[:room]} … {len(text) - room:,} more letters"))
            break
        kept.append((op, text))
        room -= len(text)
    return Row(str(row["op"]), kept)
