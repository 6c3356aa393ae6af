"""Text without its secrets, for whoever recalls it."""

import re

from clawgit.safety import secrets

_KEY = re.compile(
    r"-----BEGIN[^\n]{0,80}?-----(?:.{0,20000}?-----END[^\n]{0,80}?-----|[\w+/=\s\\]{0,20000})", re.DOTALL
)


def redacted(text: str) -> str:
    """Return `text` with each secret named instead of shown; every line stays on its line."""
    for found in reversed(secrets.scan(text)):
        whole = _KEY.match(text, found.start)  # a private key is found by its first lines
        end = max(found.end, whole.end() if whole else 0)
        kept = "\n" * text.count("\n", found.start, end)
        text = f"{text[: found.start]}[{found.rule}]{kept}{text[end:]}"
    return text
