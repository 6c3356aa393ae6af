"""Text without its secrets, for whoever reads it."""

import re
from collections.abc import Callable
from typing import Any

from clawgit.safety import secrets
from clawgit.safety.secrets import Finding

_KEY = re.compile(
    r"-----BEGIN[^\n]{0,80}?-----(?:.{0,20000}?-----END[^\n]{0,80}?-----|[\w+/=\s\\]{0,20000})", re.DOTALL
)


def redacted(text: str) -> str:
    """Return `text` with each secret named instead of shown, as `[github]`; every line stays on its line."""
    return _redacted(text, lambda found: f"[{found.rule}]")


def named(text: str) -> str:
    """Return `text` with each secret named by its rule and fingerprint, as `[github 0123456789ab]`."""
    return _redacted(text, lambda found: f"[{found.rule} {found.fingerprint}]")


def _redacted(text: str, mark: Callable[[Finding], str]) -> str:
    for found in reversed(secrets.scan(text)):
        whole = _KEY.match(text, found.start)  # a private key is found by its first lines
        end = max(found.end, whole.end() if whole else 0)
        kept = "\n" * text.count("\n", found.start, end)
        text = f"{text[: found.start]}{mark(found)}{kept}{text[end:]}"
    return text


def all_redacted(value: Any) -> Any:
    """Return a document of lists, dictionaries and strings with each secret named instead of shown."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {key: all_redacted(one) for key, one in value.items()}
    return [all_redacted(one) for one in value] if isinstance(value, (list, tuple)) else value
