"""Keeps secrets out of output and storage."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawgit.safety.secrets import Finding

_BEGIN, _END = "PRIVATE KEY", "-----END"
_BODY = r"[A-Za-z0-9+/=]{40,}"
_REST = r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{4,}\s*$"  # of the last line of a key
_COLUMN = (  # of a key, out of its middle
    r"(?<![A-Za-z0-9+/=])(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{12})?(?![A-Za-z0-9+/=])"
)
_PATIENCE = 12  # rows of a key that may be none of its body
_KEY = r"(?s)-----BEGIN[^\n]{0,80}?-----(?:.{0,20000}?-----END[^\n]{0,80}?-----|[\w+/=\s\\]{0,20000})"


def redact(text: str) -> str:
    """Return `text` with each secret named instead of shown, as `[github]`; every line stays on its line."""
    return _redacted(text, lambda finding: f"[{finding.rule}]")


def name_secrets(text: str) -> str:
    """Return `text` with each secret named by its rule and fingerprint, as `[github 0123456789ab]`."""
    return _redacted(text, lambda finding: f"[{finding.rule} {finding.fingerprint}]")


def _redacted(text: str, mark: Callable[[Finding], str]) -> str:
    from clawgit.safety import secrets  # noqa: PLC0415 - what prints loads the rules where something could be one

    # From the end, so that the offsets of earlier findings stay true.
    for finding in reversed(secrets.find_secrets(text)):
        whole = re.compile(_KEY).match(text, finding.start)  # a private key is found by its first lines
        end = max(finding.end, whole.end() if whole else 0)
        newlines = "\n" * text.count("\n", finding.start, end)
        text = f"{text[: finding.start]}{mark(finding)}{newlines}{text[end:]}"
    return text


class Redactor:
    """Names the secrets in rows that come one by one; a private key goes on from row to row."""

    def __init__(self) -> None:
        self._in_key = 0
        self._body = False
        self._open = dict[str, tuple[int, bool]]()
        """Whether a private key goes on in the same field of the next document."""

    def row(self, text: str) -> str:
        """Return a row, or several, with each secret named by its rule and fingerprint."""
        if self._in_key:
            text = self._key_row(text)
        # Half of a surrogate pair, which no file can hold, must not keep a row from being printed.
        plain = text.encode("utf-8", "backslashreplace").decode()
        safe = name_secrets(plain)
        text = text if safe == plain else safe
        text = re.sub(_COLUMN, "[a line as keys have]", text)
        if _BEGIN in text and _END not in text[text.rindex(_BEGIN) :]:
            self._in_key, self._body = _PATIENCE, False
        return text

    def _key_row(self, text: str) -> str:
        self._in_key -= 1
        cut, count = re.subn(_BODY, "[private-key]", text)
        if count:
            self._in_key = _PATIENCE
        elif self._body:
            cut = re.sub(_REST, "[private-key]", text)
        self._body = bool(count)
        if _END in text:
            self._in_key = 0
        return cut

    def _field(self, name: str, value: Any) -> Any:
        self._in_key, self._body = self._open.get(name, (0, False))
        safe = self.document(value)
        self._open[name] = self._in_key, self._body
        return safe

    def document(self, value: Any) -> Any:
        """Return a JSON value with each secret named."""
        if value is None or isinstance(value, int | float):  # asked first: most values of a long list
            return value
        if isinstance(value, str):
            return self.row(value)
        if isinstance(value, Mapping):
            return {key: self._field(key, item) for key, item in value.items()}
        return [self.document(item) for item in value] if isinstance(value, (list, tuple)) else value
