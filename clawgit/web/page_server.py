"""Serves the page at one address, or writes it down."""

import contextlib
import hashlib
import json
import os
import signal
import socket
import tempfile
import time
import webbrowser
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import uvicorn
from jinja2 import Environment
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clawgit.errors import Command, file_exists, make_unwritable_error, port_taken
from clawgit.git import regular_file
from clawgit.web import web_pages
from clawgit.web.page_acts import ACTS, ActStep, find_next_step
from clawgit.web.web_site import MAX_FIELD_CHARS, Look, Sessions, Shown, Site, clean, is_equal

Refusal = tuple[int, str]
"""The status, and why."""

OPEN = "/open"
"""Where the token is exchanged: the one path without a cookie."""
LARGEST = 256 * 1024
"""Bytes of a form."""
_METHODS = {"GET", "HEAD", "POST"}
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def guard_application(app: ASGIApp, authority: str, sessions: Sessions, on_request: Callable[[], None]) -> ASGIApp:
    """Return an application that answers only requests of our pages in a browser with the cookie.

    `authority` is the one `host:port` that the server is bound to. A refusal has its reason, and nothing of the
    workspace; none depends on its content. `on_request` is called for each request that is answered.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # a WebSocket, of which there are none
            await send({"type": "websocket.close", "code": 1008})
            return
        if refusal := _refusal(scope, Headers(scope=scope), authority, sessions):
            status, reason = refusal
            await PlainTextResponse(f"{reason}\n", status, HEADERS)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        on_request()
        await app(scope, receive, send_with_headers)

    return answer


def _refusal(scope: Scope, headers: Headers, authority: str, sessions: Sessions) -> Refusal | None:
    method, path = scope["method"], scope["path"]
    # A foreign name that resolves to 127.0.0.1 is refused (DNS rebinding).
    if headers.getlist("host") != [authority]:
        return 400, f"this page answers to {authority} alone"
    if method not in _METHODS:
        return 405, "GET, HEAD and POST are all that is answered"
    # The token replaces the cookie here, so only the size is checked.
    if path == OPEN:
        return _oversized(headers)
    if not path.startswith(sessions.root):
        return 404, "there is nothing here; the address that clawgit ui printed leads to the page"
    if not sessions.knows(headers.getlist("cookie")):
        return 403, "this browser has not come by the address that clawgit ui printed, or that has ended"
    return _foreign_post(headers, authority) or _oversized(headers) if method == "POST" else _foreign_look(headers)


def _foreign_look(headers: Headers) -> Refusal | None:
    """Return why a page is not shown: another one asked for it, to embed or to time it."""
    if _find_only(headers, "sec-fetch-site") in ("same-origin", "none"):
        return None
    return 403, "another page asked for this, or a browser that does not say who asks"


def _foreign_post(headers: Headers, authority: str) -> Refusal | None:
    """Return the reason that a form did not come from a page of ours, None if it did."""
    site, origin = _find_only(headers, "sec-fetch-site"), _find_only(headers, "origin")
    ours = origin == f"http://{authority}"
    if site == "same-origin" and (ours or origin in ("", "null")):  # our pages send no referrer, so browsers say null
        return None
    # Older browsers send no Sec-Fetch-Site, but send the origin with a form.
    if not site and ours:
        return None
    return 403, "this form was not sent by a page of ours"


def _oversized(headers: Headers) -> Refusal | None:
    """Return the reason that a body is not read: too long, or of an undeclared length."""
    length = _find_only(headers, "content-length")
    if _find_only(headers, "transfer-encoding") or (length and not length.isdecimal()):
        return 411, "a form says how long it is"
    return (413, "that is more than any form here holds") if length and int(length) > LARGEST else None


def _find_only(headers: Headers, name: str) -> str:
    """Return a header that is there once; several cannot be trusted."""
    return ", ".join(headers.getlist(name))


HOST = "127.0.0.1"
IDLE = 30 * 60.0
"""So many seconds without a request, and the server ends."""


class _Server(uvicorn.Server):
    """Ends on request, and lets its caller go on: uvicorn's own would end the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take ^C and SIGTERM as the request to end, if this thread may."""
        # Python sets signal handlers in the main thread only.
        if current_thread() is not main_thread():
            yield
            return
        before = {number: signal.signal(number, self._told) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, old in before.items():
                signal.signal(number, old)

    def _told(self, *_signal: object) -> None:
        self.should_exit = True


def bind_socket(port: int) -> socket.socket:
    """Return a socket of this machine alone; 0 takes any free port. Raises ClawgitError if it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A restart gets the same port, although the kernel keeps closed connections for a while.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(64)  # whoever follows the address at once waits, and is not turned away
    except OSError as exc:
        listener.close()
        fix = Command("clawgit ui", note="takes any free one")
        raise port_taken(f"port {port} refused: {exc.strerror}", fix=fix) from exc
    return listener


def authority(listening: socket.socket) -> str:
    """Return the `host:port` that a socket is bound to."""
    host, port = listening.getsockname()[:2]
    return f"{host}:{port}"


def address(site: Site) -> str:
    """Return the address that opens the page once."""
    return f"http://{site.authority}{OPEN}?token={site.sessions.token}"


def serve(
    site: Site, listening: socket.socket, *, idle: float = IDLE, is_over: Callable[[], bool] = lambda: False
) -> None:
    """Answer until ^C, until nobody asked for `idle` seconds, or it `is_over`; no request is written to any log."""
    last = [time.monotonic()]

    def seen() -> None:
        last[0] = time.monotonic()

    async def look_whether_over() -> None:
        server.should_exit |= is_over() or time.monotonic() - last[0] > idle

    config = uvicorn.Config(
        application(site, seen),
        loop="asyncio",
        # A logged address would contain the token.
        access_log=False,
        log_config=None,
        log_level="critical",
        lifespan="off",
        ws="none",
        http="h11",
        proxy_headers=False,
        server_header=False,
        date_header=False,
        limit_concurrency=64,
        callback_notify=look_whether_over,
        timeout_notify=0,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)
    try:
        server.run(sockets=[listening])
    finally:
        site.close()


@contextmanager
def opening_file(site: Site) -> Iterator[Path]:
    """Yield a file that its owner alone can read, and that sends the token; it is gone afterwards.

    Its name is in the list of processes, the token is not.
    """
    folder = os.environ.get("XDG_RUNTIME_DIR") or None
    handle, name = tempfile.mkstemp(".html", "clawgit-", folder if folder and Path(folder).is_dir() else None)
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_draw_form(site))
        yield path
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def _draw_form(site: Site) -> str:
    target, token = escape(f"http://{site.authority}{OPEN}"), escape(site.sessions.token)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<title>clawgit</title><form method="post" action="{target}">'
        f'<input type="hidden" name="token" value="{token}"><button>Open the page of clawgit</button></form>'
        "<script>document.forms[0].submit()</script></html>\n"
    )


def show(path: Path) -> bool:
    """Open a file in the browser of this desktop; return whether there is one."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.uname().sysname == "Darwin"):
        return False
    return webbrowser.open(path.as_uri())


COMMITS, DIFF, WHOLE = 500, 100_000, 5_000_000
"""So many versions, bytes of one difference, bytes of the file, at most."""


def export(site: Site, path: Path) -> int:
    """Write the file, for its owner alone to read, and return its bytes. Raises ClawgitError if one is there."""
    text = _render_export(site).encode("utf-8", "replace")
    try:
        regular_file.create(path, text)
    except FileExistsError as exc:
        raise file_exists(f"{path} is there already", fix=Command("rm {}", path, note="or name another file")) from exc
    except OSError as exc:
        raise make_unwritable_error(path, exc) from exc
    return len(text)


def _render_export(site: Site) -> str:
    """Return the page as one text without a single address in it: identity, memory, growth."""
    look = Look(site, {}, patient=True)
    # One row more than the limit shows whether older versions are left out.
    rows = look.ask("soul log", n=COMMITS + 1).rows
    versions = list(_list_fitting_diffs(look, rows[:COMMITS]))
    memories, soul, growth = web_pages.memory(look), web_pages.soul(look), web_pages.growth(look)
    template = make_templates(site, lambda page, *_state, **_options: f"#{page}").get_template("export.html")
    return template.render(
        style=Markup((STATIC / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        status=look.ask("status"),
        versions=versions,
        left=len(rows) - len(versions),
        memories=memories.parts["memory"],
        growth=growth,
        soul=soul,
        now=site.today().isoformat(),
    )


def _list_fitting_diffs(look: Look, rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    room = WHOLE
    for row in rows:
        hunks = look.ask("soul diff", of=str(row["commit"])).record.get("hunks", [])
        size = len(json.dumps(hunks))
        if room <= 0:
            return
        yield row, hunks if size <= DIFF else []
        room -= min(size, DIFF) * 3


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
    "report": web_pages.report,
}
NAVIGATION = tuple(name for name in PAGES if "/" not in name and name not in ("why", "conversation"))
"""The others are about one thing, and are reached from where it is named."""
STATIC = Path(__file__).parent / "static"


class PageServer:
    """Answers requests for the pages of one site, and carries out their actions."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._templates = make_templates(site)

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
        # A page fails only if every command on it failed.
        status = 400 if view.parts and all(part.error for part in view.parts.values()) else 200
        if as_json:
            text = json.dumps(view.document, ensure_ascii=True, indent=2)
            return Response(text, status, media_type="application/json")
        state = defaultdict(str, query)
        template = f"{page.replace('/', '-')}.html"
        return self._html(status, template, page=page, shown=view, parts=view.parts, state=state, **view.more)

    async def _act(self, request: Request) -> Response:
        """Carry out the action of a form, or show its preview."""
        fields = await _read_form(request)
        # A second guard against forms of other sites, beside the origin and the cookie.
        if not is_equal(fields.get("form", ""), self._site.sessions.form):
            return self._problem(403, "this form is not of this page: load the page anew")
        if max(map(len, fields.values())) > MAX_FIELD_CHARS:
            words = f"a field has more than {MAX_FIELD_CHARS:,} letters: nothing was done; the command takes more"
            return self._problem(413, words)
        # A command blocks its thread, and other requests go on meanwhile.
        return await run_in_threadpool(self._take_step, request.path_params["name"], clean(fields))

    def _take_step(self, name: str, form: Mapping[str, str]) -> Response:
        if self._site.read_only:
            return self._problem(403, "this page is read-only: clawgit ui without --read-only decides")
        if name not in ACTS:
            return self._problem(404, "there is no such act")
        step = find_next_step(self._site, name, form)
        if step.done and step.done.fine:
            # After a redirect, a reload does not repeat the action.
            return RedirectResponse(self._site.address(f"result/{self._site.keep(step)}"), 303)
        return self._show_step(step, step.status)

    def _show_result(self, request: Request) -> Response:
        """Return the outcome of an action."""
        step = self._site.results.get(request.path_params["name"])
        if step is None:
            return self._problem(404, "what came of it is not kept any more; the log has it")
        return self._show_step(step, 200)

    def _show_step(self, step: ActStep, status: int) -> Response:
        address = self._back(step, "back") or self._site.address(step.act.back)
        left = self._back(step, "from") or address
        return self._html(status, "act.html", page="", step=step, act=step.act, back=address, left=left)

    def _back(self, step: ActStep, key: str) -> str:
        return self._site.address_back(step.given[key], PAGES) if step.given.get(key) else ""

    def _show_door(self, request: Request) -> Response:
        # A button: whoever only looks at an address, as previews do, spends no token.
        return self._html(200, "door.html", token=request.query_params.get("token", ""), refused=False)

    async def _enter(self, request: Request) -> Response:
        """Exchange the token for a cookie, and lead on."""
        fields = await _read_form(request)
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

    def _html(self, status: int, template: str, /, **context: object) -> Response:
        return HTMLResponse(self._templates.get_template(template).render(**context), status)


def make_templates(site: Site, address: Callable[..., str] | None = None) -> Environment:
    """Return the templates, with their common values."""
    templates, codes = web_pages.environment(), site.codes
    templates.globals |= {
        "url": address or site.address,
        "site": site,
        "form": site.sessions.form,
        "navigation": NAVIGATION,
        "cut": web_pages.cut_difference,
        "barred": lambda name: ACTS[name].guarded and not codes.possible,
        # A name that changes with what is in the file.
        "static": lambda name: f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}",
    }
    return templates


def application(site: Site, on_request: Callable[[], None] = lambda: None) -> ASGIApp:
    """Return the page as an ASGI application; `on_request` is called for each request that is answered."""
    return guard_application(Starlette(routes=PageServer(site).routes), site.authority, site.sessions, on_request)


async def _read_form(request: Request) -> dict[str, str]:
    form = await request.form(max_files=0, max_fields=40)
    return {key: value.replace("\r\n", "\n") for key, value in form.items() if isinstance(value, str)}
