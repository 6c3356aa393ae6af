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
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from clawgit.web import page_text, web_pages
from clawgit.web.page_acts import ACTS, Step, next_step
from clawgit.web.request_guard import OPEN, guarded, same
from clawgit.web.web_site import Look, Shown, Site, clean

Page = Callable[[Look], Shown]

PAGES: Mapping[str, Page] = {
    "today": web_pages.today,
    "inbox": web_pages.inbox,
    "soul": web_pages.soul,
    "soul/blame": web_pages.blame,
    "why": web_pages.why,
    "memory": web_pages.memory,
    "memory/entry": web_pages.entry,
    "search": web_pages.search,
    "context": web_pages.context,
    "conversation": web_pages.conversation,
    "growth": web_pages.growth,
    "schedule": web_pages.schedule,
    "audit": web_pages.audit,
    "agents": web_pages.agents,
    "report": web_pages.report,
}
NAVIGATION = tuple(name for name in PAGES if "/" not in name and name not in ("why", "conversation"))
"""The others are about one thing, and are reached from where it is named."""
STATIC = Path(__file__).parent / "static"


class PageServer:
    """Answers requests for the pages of one site, and does what they ask for."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._templates = environment(site)

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses, and what answers them."""
        root = self._site.sessions.root
        return [
            Route(OPEN, self._show_door, methods=["GET"]),
            Route(OPEN, self._enter, methods=["POST"]),
            Route(root, self._go_to_first),
            Mount(f"{root}static", StaticFiles(directory=STATIC)),
            Route(f"{root}act/{{name}}", self._act, methods=["POST"]),
            Route(f"{root}result/{{name}}", self._show_result),
            Route(f"{root}{{name:path}}", self._show_page),
        ]

    def _show_page(self, request: Request) -> Response:
        """Return a page, as HTML or for programs, as its name ends."""
        name, asked = request.path_params["name"], clean(dict(request.query_params))
        wanted = name.removesuffix(".json")
        if wanted not in PAGES:
            return self._problem(404, "there is no such page")
        as_json = wanted != name
        shown = PAGES[wanted](Look(self._site, asked, as_json))
        status = 400 if shown.parts and all(part.error for part in shown.parts.values()) else 200
        if as_json:
            text = json.dumps(shown.document, ensure_ascii=True, indent=2)
            return Response(text, status, media_type="application/json")
        state = defaultdict(str, asked)
        template = f"{wanted.replace('/', '-')}.html"
        return self._html(status, template, page=wanted, shown=shown, parts=shown.parts, state=state, **shown.more)

    async def _act(self, request: Request) -> Response:
        """Do what a form asks for, or show what is to be seen before."""
        given = await _form(request)
        if not same(given.get("form", ""), self._site.sessions.form):
            return self._problem(403, "this form is not of this page: load the page anew")
        return await run_in_threadpool(self._take_step, request.path_params["name"], clean(given))

    def _take_step(self, name: str, given: Mapping[str, str]) -> Response:
        if self._site.read_only:
            return self._problem(403, "this page is read-only: clawgit ui without --read-only decides")
        if name not in ACTS:
            return self._problem(404, "there is no such act")
        found = next_step(self._site, name, given)
        if found.done and found.done.fine:
            return RedirectResponse(self._site.address(f"result/{self._site.keep(found)}"), 303)
        return self._show_step(found, found.status)

    def _show_result(self, request: Request) -> Response:
        """Return what an act came to."""
        found = self._site.results.get(request.path_params["name"])
        if found is None:
            return self._problem(404, "what came of it is not kept any more; the log has it")
        return self._show_step(found, 200)

    def _show_step(self, found: Step, status: int) -> Response:
        where = self._back(found, "back") or self._site.address(found.act.back)
        left = self._back(found, "from") or where
        return self._html(status, "act.html", page="", step=found, act=found.act, back=where, left=left)

    def _back(self, found: Step, key: str) -> str:
        return self._site.address_back(found.given[key], PAGES) if found.given.get(key) else ""

    def _show_door(self, request: Request) -> Response:
        # A button: whoever only looks at an address, as previews do, spends no token.
        return self._html(200, "door.html", token=request.query_params.get("token", ""), refused=False)

    async def _enter(self, request: Request) -> Response:
        """Exchange the token for a cookie, and lead on."""
        given = await _form(request)
        header = self._site.sessions.exchange(given.get("token", ""))
        if header is None:
            return self._html(403, "door.html", token="", refused=True)
        if request.headers.get("sec-fetch-site", "") == "same-origin":
            return RedirectResponse(self._site.address(self._site.first), 303, {"set-cookie": header})
        # From a file a browser would send no such cookie along a redirection: the next step is a page of ours.
        found = self._html(200, "onward.html")
        found.headers["set-cookie"] = header
        return found

    def _go_to_first(self, _request: Request) -> Response:
        return RedirectResponse(self._site.address(self._site.first), 303)

    def _problem(self, status: int, words: str) -> Response:
        """Return a page that says what is wrong."""
        return self._html(status, "problem.html", page="", words=words, status=status)

    def _html(self, status: int, template: str, /, **said: object) -> Response:
        return HTMLResponse(self._templates.get_template(template).render(**said), status)


def environment(site: Site, address: Callable[..., str] | None = None) -> Environment:
    """Return the templates, with what all of them use."""
    made, codes = page_text.environment(), site.codes
    made.globals |= {
        "url": address or site.address,
        "site": site,
        "form": site.sessions.form,
        "navigation": NAVIGATION,
        "cut": page_text.cut_difference,
        "barred": lambda name: ACTS[name].guarded and site.approve == "code" and not codes.possible,
        # A name that changes with what is in the file.
        "static": lambda name: f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}",
    }
    return made


def application(site: Site, seen: Callable[[], None] = lambda: None) -> ASGIApp:
    """Return the page as an ASGI application; `seen` is called for each request that is answered."""
    return guarded(Starlette(routes=PageServer(site).routes), site.authority, site.sessions, seen)


async def _form(request: Request) -> dict[str, str]:
    found = await request.form(max_files=0, max_fields=40)
    return {key: value.replace("\r\n", "\n") for key, value in found.items() if isinstance(value, str)}
