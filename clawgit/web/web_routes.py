"""The addresses of the page, and what answers them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from clawgit.web import page_text, web_pages
from clawgit.web.browser_session import same
from clawgit.web.page_acts import ACTS, Step, next_step
from clawgit.web.page_address import clean
from clawgit.web.request_guard import OPEN, Guard
from clawgit.web.web_site import Look, Shown, Site

Page = Callable[[Look], Shown]

PAGES: Mapping[str, Page] = {
    "today": web_pages.today,
    "soul": web_pages.soul,
    "soul/blame": web_pages.blame,
    "why": web_pages.why,
    "inbox": web_pages.inbox,
    "memory": web_pages.memory,
    "memory/entry": web_pages.entry,
    "search": web_pages.search,
    "context": web_pages.context,
    "conversation": web_pages.conversation,
    "schedule": web_pages.schedule,
    "growth": web_pages.growth,
    "audit": web_pages.audit,
    "agents": web_pages.agents,
    "report": web_pages.report,
}
NAVIGATION = (
    "today",
    "inbox",
    "soul",
    "memory",
    "search",
    "context",
    "growth",
    "schedule",
    "audit",
    "agents",
    "report",
)
STATIC = Path(__file__).parent / "static"


class PageServer:
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
        status = 400 if shown.parts and all(part.error for part in shown.parts.values()) else 200
        if as_json:
            text = json.dumps(shown.document, ensure_ascii=True, indent=2)
            return Response(text, status, media_type="application/json")
        return HTMLResponse(self.html(wanted, shown, clean(asked), form), status)

    def html(self, name: str, shown: Shown, state: Mapping[str, str], form: str) -> str:
        """Return a page as HTML."""
        template = self.templates.get_template(f"{name.replace('/', '-')}.html")
        return template.render(
            page=name, shown=shown, parts=shown.parts, state=defaultdict(str, state), form=form, **shown.more
        )

    def act(self, name: str, given: Mapping[str, str], form: str) -> Response:
        """Do what a form asks for, or show what is to be seen before."""
        if self.site.read_only:
            return self.problem(403, "this page is read-only: clawgit ui without --read-only decides", form)
        if name not in ACTS:
            return self.problem(404, "there is no such act", form)
        if gone := self._gone():
            return self.problem(410, gone, form)
        found = next_step(self.site, name, given)
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
        "cut": page_text.cut_difference,
        "barred": lambda name: ACTS[name].guarded and site.approve == "code" and not site.codes.possible,
        # A name that changes with what is in the file.
        "static": lambda name: f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}",
    }
    return made


def application(site: Site, seen: Callable[[], None] = lambda: None) -> ASGIApp:
    """Return the page as an ASGI application; `seen` is called for each request that is answered."""
    server = PageServer(site)

    async def page(request: Request) -> Response:
        asked, form = dict(request.query_params), request.state.form
        return await run_in_threadpool(server.page, request.path_params["name"], asked, form)

    async def act(request: Request) -> Response:
        given = await _form(request)
        if not same(given.get("form", ""), request.state.form):
            return server.problem(403, "this form is not of this page: load the page anew", request.state.form)
        return await run_in_threadpool(server.act, request.path_params["name"], clean(given), request.state.form)

    async def result(request: Request) -> Response:
        return await run_in_threadpool(server.result, request.path_params["name"], request.state.form)

    async def door(request: Request) -> Response:
        # A button: whoever only looks at an address, as previews do, spends no token.
        token = request.query_params.get("token", "")
        return HTMLResponse(server.templates.get_template("door.html").render(token=token, refused=False))

    async def enter(request: Request) -> Response:
        return _enter(server, await _form(request), request.headers.get("sec-fetch-site", ""))

    async def home(_request: Request) -> Response:
        return RedirectResponse(site.address(site.first), 303)

    root = site.sessions.root
    routes = [
        Route(OPEN, door, methods=["GET"]),
        Route(OPEN, enter, methods=["POST"]),
        Route(root, home),
        Mount(f"{root}static", StaticFiles(directory=STATIC)),
        Route(f"{root}act/{{name}}", act, methods=["POST"]),
        Route(f"{root}result/{{name}}", result),
        Route(f"{root}{{name:path}}", page),
    ]
    return Guard(Starlette(routes=routes), site.authority, site.sessions, seen)


async def _form(request: Request) -> dict[str, str]:
    found = await request.form(max_files=0, max_fields=40)
    return {key: value.replace("\r\n", "\n") for key, value in found.items() if isinstance(value, str)}


def _enter(server: PageServer, given: Mapping[str, str], site_asking: str) -> Response:
    """Exchange the token for a cookie, and lead on."""
    site = server.site
    value = site.sessions.exchange(given.get("token", ""))
    if value is None:
        return HTMLResponse(server.templates.get_template("door.html").render(token="", refused=True), 403)
    cookie = {"set-cookie": site.sessions.cookie(value)}
    if site_asking == "same-origin":
        return RedirectResponse(site.address(site.first), 303, cookie)
    # From a file a browser would send no such cookie along a redirection: the next step is a page of ours.
    return HTMLResponse(server.templates.get_template("onward.html").render(), headers=cookie)
