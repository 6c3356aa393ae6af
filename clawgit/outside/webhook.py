"""Hands JSON to a webhook that says yes or no."""

import errno
import http.client
import json
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from clawgit.outside import retry
from clawgit.outside.address import Address
from clawgit.outside.deadline import within
from clawgit.outside.error import BrokenError, OutsideError, RefusedError
from clawgit.outside.retry import AGAIN, AgainError, Patience

_NOWHERE = frozenset((errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN))


def hand(
    to: Address,
    what: Mapping[str, str],
    mark: str,
    patience: Patience,
    *,
    each: float,
    admit: Callable[[], None],
    refused: Callable[[], None],
    sleep: Callable[[float], None],
) -> None:
    """Post `what`, with `mark` as its `Idempotency-Key`, until somebody takes it or `patience` ends.

    An answer that says no is believed, and what may pass is tried again; where no answer comes within `each` seconds
    it may have been taken, and is not posted once more: BrokenError. `admit` is called before each request, and may
    raise to forbid it, `refused` after each that was certainly not taken. Raises OutsideError.
    """

    def once(seconds: float) -> None:
        admit()
        limit = min(seconds, each)
        try:
            within(limit, lambda: _posted(to, what, mark, limit))
        except TimeoutError:
            raise _silent(to) from None
        except (AgainError, OutsideError) as exc:
            if not isinstance(exc, BrokenError):
                refused()
            raise

    retry.patiently(once, patience, sleep)


def _posted(to: Address, what: Mapping[str, str], mark: str, seconds: float) -> None:
    """Post once; what is in the answer is nobody's concern."""
    headers = {"Content-Type": "application/json", "User-Agent": "clawgit", "Idempotency-Key": mark}
    data = json.dumps(what, ensure_ascii=False).encode("utf-8", "replace")
    request = urllib.request.Request(to.url, data, headers)  # noqa: S310 - http and https alone, see address
    try:
        urllib.request.build_opener(_Stay).open(request, timeout=seconds).close()
    except urllib.error.HTTPError as exc:
        with exc:
            raise _refusal(to, exc) from None
    except (OSError, http.client.HTTPException) as exc:
        raise _failure(to, getattr(exc, "reason", exc)) from None


def _refusal(to: Address, answer: urllib.error.HTTPError) -> Exception:
    error = RefusedError(f"{to.host} answered {answer.code}", answer.code, fix=f"check {to.name}")
    if answer.code not in AGAIN:
        return error
    wait = retry.wait(answer.headers.get("Retry-After"))
    return AgainError(error, wait)


def _failure(to: Address, reason: Any) -> Exception:
    """Return what a failure means: nobody was reached, or nobody knows what became of it."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return OutsideError(f"{to.host} does not prove who it is", fix=f"check {to.name}")
    if isinstance(reason, socket.gaierror) or getattr(reason, "errno", None) in _NOWHERE:
        return AgainError(OutsideError(f"{to.host} cannot be reached", fix=f"check {to.name}"))
    return _silent(to)


def _silent(to: Address) -> BrokenError:
    return BrokenError(f"{to.host} did not answer; it may have arrived", fix=f"check {to.name}")


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody: an address that holds a key is meant for one host."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""
