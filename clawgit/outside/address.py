"""Addresses of the web that the environment names."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from clawgit.outside.error import OutsideError


@dataclass(frozen=True, slots=True)
class Address:
    """Where to post to; `name` is the variable that says so. Only `host` may be shown: a URL can hold a key."""

    name: str
    host: str
    url: str = field(repr=False)


def address(name: str, text: str, ending: str) -> Address:
    """Return the address that the variable `name` holds as `text`, its path ending in `ending`.

    `http://host` alone means `/v1`. Raises OutsideError, which never shows the address.
    """
    parts, host = _taken_apart(name, text, "http://HOST:PORT/v1")
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith(f"/{ending}") else f"{path}/{ending}"
    return Address(name, host, parts._replace(path=path, fragment="").geturl())


def whole(name: str, text: str) -> Address:
    """Return the address that the variable `name` holds as `text`, as it is. Raises OutsideError as above."""
    parts, host = _taken_apart(name, text, "https://HOST/PATH")
    return Address(name, host, parts._replace(fragment="").geturl())


def _taken_apart(name: str, text: str, example: str) -> tuple[SplitResult, str]:
    try:
        parts = urlsplit(text)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    plain = text.isascii() and text.isprintable() and " " not in text
    if parts.scheme not in ("http", "https") or not host or not plain:
        raise OutsideError(f"{name} is no address of the web", fix=f"export {name}={example}")
    if "@" in parts.netloc:
        raise OutsideError(f"{name} holds a name or password", fix=f"export {name}={example}")
    return parts, host
