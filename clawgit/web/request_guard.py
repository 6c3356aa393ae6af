"""Requests that the page refuses."""

from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clawgit.web.web_site import Sessions

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
