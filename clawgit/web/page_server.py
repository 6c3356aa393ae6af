"""Serves the page at one address, or writes it down."""

import contextlib
import json
import os
import signal
import socket
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import uvicorn
from markupsafe import Markup

from clawgit.errors import Command, file_exists, port_taken, unwritable
from clawgit.git import regular_file
from clawgit.web import web_pages
from clawgit.web.request_guard import OPEN
from clawgit.web.web_routes import STATIC, application, environment
from clawgit.web.web_site import Look, Site

HOST = "127.0.0.1"
IDLE = 30 * 60.0
"""So many seconds without a request, and the server ends."""


class _Server(uvicorn.Server):
    """Ends on request, and lets its caller go on: uvicorn's own would end the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take ^C and SIGTERM as the request to end, if this thread may."""
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


def bound(port: int) -> socket.socket:
    """Return a socket of this machine alone; 0 takes any free port. Raises ClawgitError if it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(64)  # whoever follows the address at once waits, and is not turned away
    except (OSError, OverflowError) as exc:
        listener.close()
        reason = exc.strerror if isinstance(exc, OSError) else "there is no such port"
        raise port_taken(
            f"port {port} refused: {reason}", fix=Command("clawgit ui", note="takes any free one")
        ) from exc
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
        site.kept.close()


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
            file.write(_form(site))
        yield path
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def _form(site: Site) -> str:
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
        raise unwritable(path, exc) from exc
    return len(text)


def _render_export(site: Site) -> str:
    """Return the page as one text without a single address in it: identity, memory, growth."""
    look = Look(site, {}, patient=True)
    rows = look.ask("soul log", n=COMMITS + 1).rows
    versions = list(_fitting(look, rows[:COMMITS]))
    memories, soul, growth = web_pages.memory(look), web_pages.soul(look), web_pages.growth(look)
    template = environment(site, lambda page, *_state, **_options: f"#{page}").get_template("export.html")
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


def _fitting(look: Look, rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    room = WHOLE
    for row in rows:
        hunks = look.ask("soul diff", of=str(row["commit"])).record.get("hunks", [])
        size = len(json.dumps(hunks))
        if room <= 0:
            return
        yield row, hunks if size <= DIFF else []
        room -= min(size, DIFF) * 3
