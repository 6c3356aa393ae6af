"""Who may see the page.

A token that is good once, and the cookie that it is exchanged for.
"""

import secrets
from collections.abc import Iterable
from threading import Lock

COOKIE = "clawgit"
_BYTES = 32
"""Of a token and of a cookie: 256 bits."""


class Sessions:
    """The token of this start, and the browser that came by it.

    All pages lie below the random `prefix`, which the cookie is bound to: cookies are not separated by port, so that
    another server of this machine is sent one of ours only for a path that it does not know.
    """

    def __init__(self) -> None:
        self.prefix = secrets.token_urlsafe(16)
        self.token = secrets.token_urlsafe(_BYTES)
        self.form = secrets.token_urlsafe(_BYTES)
        """The token of its forms."""
        self.cookie = secrets.token_urlsafe(_BYTES)
        self._spent = False
        self._lock = Lock()

    @property
    def root(self) -> str:
        """The path below which all pages lie."""
        return f"/{self.prefix}/"

    def exchange(self, token: str) -> str | None:
        """Return the header with the cookie for the token, once; None for any other, and for the same again."""
        with self._lock:
            if self._spent or not same(token, self.token):
                return None
            self._spent = True
            return f"{COOKIE}={self.cookie}; Path={self.root}; HttpOnly; SameSite=Strict"

    def knows(self, headers: Iterable[str]) -> bool:
        """Return whether our cookie is in these headers.

        Others may have set a cookie of the same name for a wider path; each is looked at.
        """
        parts = (part.strip().partition("=") for header in headers for part in header.split(";"))
        return any(same(value, self.cookie) for name, _, value in parts if name == COOKIE)


def same(given: str, wanted: str) -> bool:
    """Return whether two words are the same, in a time that says nothing of where they differ."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
