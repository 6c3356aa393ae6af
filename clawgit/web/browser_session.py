"""Who may see the page.

A token that is good once, and the cookie that it is exchanged for.
"""

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from threading import Lock

COOKIE = "clawgit"
_BYTES = 32
"""Of a token and of a cookie: 256 bits."""


class Sessions:
    """The token of this start, and the browsers that came by it.

    All pages lie below the random `prefix`, which the cookie is bound to: cookies are not separated by port, so that
    another server of this machine is sent one of ours only for a path that it does not know.
    """

    def __init__(self) -> None:
        self.prefix = secrets.token_urlsafe(16)
        self.token = secrets.token_urlsafe(_BYTES)
        self._spent = False
        self._forms: dict[str, str] = {}
        self._lock = Lock()

    @property
    def root(self) -> str:
        """The path below which all pages lie."""
        return f"/{self.prefix}/"

    def exchange(self, token: str) -> str | None:
        """Return the value of a cookie for the token, once; None for any other, and for the same a second time."""
        with self._lock:
            if self._spent or not same(token, self.token):
                return None
            self._spent = True
            value = secrets.token_urlsafe(_BYTES)
            self._forms[value] = secrets.token_urlsafe(_BYTES)
            return value

    def form(self, headers: Iterable[str]) -> str | None:
        """Return the token of forms that belongs to a cookie of ours in these headers, None without one.

        Others may have set a cookie of the same name for a wider path; each is looked at.
        """
        for value in _values(headers):
            for known, form in tuple(self._forms.items()):
                if same(value, known):
                    return form
        return None

    def cookie(self, value: str) -> str:
        """Return the header that hands a browser its cookie."""
        return f"{COOKIE}={value}; Path={self.root}; HttpOnly; SameSite=Strict"


def same(given: str, wanted: str) -> bool:
    """Return whether two words are the same, in a time that says nothing of where they differ."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _values(headers: Iterable[str]) -> Iterable[str]:
    for header in headers:
        for part in header.split(";"):
            try:
                found = SimpleCookie(part.strip())
            except CookieError:
                continue
            if COOKIE in found:
                yield found[COOKIE].value
