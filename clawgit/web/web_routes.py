"""The addresses of the page, and their handlers."""

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
from clawgit.web.page_acts import ACTS, Step, find_next_step
from clawgit.web.request_guard import OPEN, guarded, is_equal
from clawgit.web.web_site import MAX_FIELD_CHARS, Look, Shown, Site, clean

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
    """Answers requests for the pages of one site, and carries out their actions."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._templates = environment(site)

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses, and their handlers."""
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
        name, query = request.path_params["name"], clean(dict(request.query_params))
        page = name.removesuffix(".json")
        if page not in PAGES:
            return self._problem(404, "there is no such page")
        as_json = page != name
        view = PAGES[page](Look(self._site, query, as_json))
        status = 400 if view.parts and all(part.error for part in view.parts.values()) else 200
        if as_json:
            text = json.dumps(view.document, ensure_ascii=True, indent=2)
            return Response(text, status, media_type="application/json")
        state = defaultdict(str, query)
        template = f"{page.replace('/', '-')}.html"
        return self._html(status, template, page=page, shown=view, parts=view.parts, state=state, **view.more)

    async def _act(self, request: Request) -> Response:
        """Carry out the action of a form, or show its preview."""
        fields = await _form(request)
        if not is_equal(fields.get("form", ""), self._site.sessions.form):
            return self._problem(403, "this form is not of this page: load the page anew")
        if max(map(len, fields.values())) > MAX_FIELD_CHARS:
            words = f"a field has more than {MAX_FIELD_CHARS:,} letters: nothing was done; the command takes more"
            return self._problem(413, words)
        return await run_in_threadpool(self._take_step, request.path_params["name"], clean(fields))

    def _take_step(self, name: str, given: Mapping[str, str]) -> Response:
        if self._site.read_only:
            return self._problem(403, "this page is read-only: clawgit ui without --read-only decides")
        if name not in ACTS:
            return self._problem(404, "there is no such act")
        step = find_next_step(self._site, name, given)
        if step.done and step.done.fine:
            return RedirectResponse(self._site.address(f"result/{self._site.keep(step)}"), 303)
        return self._show_step(step, step.status)

    def _show_result(self, request: Request) -> Response:
        """Return the outcome of an action."""
        step = self._site.results.get(request.path_params["name"])
        if step is None:
            return self._problem(404, "what came of it is not kept any more; the log has it")
        return self._show_step(step, 200)

    def _show_step(self, found: Step, status: int) -> Response:
        address = self._back(found, "back") or self._site.address(found.act.back)
        left = self._back(found, "from") or address
        return self._html(status, "act.html", page="", step=found, act=found.act, back=address, left=left)

    def _back(self, found: Step, key: str) -> str:
        return self._site.address_back(found.given[key], PAGES) if found.given.get(key) else ""

    def _show_door(self, request: Request) -> Response:
        # A button: whoever only looks at an address, as previews do, spends no token.
        return self._html(200, "door.html", token=request.query_params.get("token", ""), refused=False)

    async def _enter(self, request: Request) -> Response:
        """Exchange the token for a cookie, and lead on."""
        fields = await _form(request)
        header = self._site.sessions.exchange(fields.get("token", ""))
        if header is None:
            return self._html(403, "door.html", token="", refused=True)
        if request.headers.get("sec-fetch-site", "") == "same-origin":
            return RedirectResponse(self._site.address(self._site.first), 303, {"set-cookie": header})
        # From a file a browser would send no such cookie along a redirection: the next step is a page of ours.
        response = self._html(200, "onward.html")
        response.headers["set-cookie"] = header
        return response

    def _go_to_first(self, _request: Request) -> Response:
        return RedirectResponse(self._site.address(self._site.first), 303)

    def _problem(self, status: int, words: str) -> Response:
        """Return a page with the problem."""
        return self._html(status, "problem.html", page="", words=words, status=status)

    def _html(self, status: int, template: str, /, **said: object) -> Response:
        return HTMLResponse(self._templates.get_template(template).render(**said), status)


def environment(site: Site, address: Callable[..., str] | None = None) -> Environment:
    """Return the templates, with their common values."""
    templates, codes = page_text.environment(), site.codes
    templates.globals |= {
        "url": address or site.address,
        "site": site,
        "form": site.sessions.form,
        "navigation": NAVIGATION,
        "cut": page_text.cut_difference,
        "barred": lambda name: ACTS[name].guarded and not codes.possible,
        # A name that changes with what is in the file.
        "static": lambda name: f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}",
    }
    return templates


def application(site: Site, seen: Callable[[], None] = lambda: None) -> ASGIApp:
    """Return the page as an ASGI application; `seen` is called for each request that is answered."""
    return guarded(Starlette(routes=PageServer(site).routes), site.authority, site.sessions, seen)


async def _form(request: Request) -> dict[str, str]:
    form = await request.form(max_files=0, max_fields=40)
    return {key: value.replace("\r\n", "\n") for key, value in form.items() if isinstance(value, str)}
