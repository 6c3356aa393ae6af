"""What every write must pass before anything is touched."""

from collections import Counter

from clawgit.errors import ClawgitError
from clawgit.safety import hidden, markers, secrets
from clawgit.workspace import capture, scope

CAP_BYTES = 2 << 20
"""OpenClaw reads no larger file."""


def decoded(path: str, data: bytes | None) -> str | None:
    """Return the text of a file on disk. Raises ClawgitError for bytes that are no text."""
    if data is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise ClawgitError(
            f"{path}:{line} is not valid UTF-8 (byte 0x{data[exc.start]:02x})",
            fix=f"iconv -f WINDOWS-1252 -t UTF-8 '{path}' > fixed && mv fixed '{path}'",
        ) from exc
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ClawgitError(f"{path}:{line} holds a NUL byte: a binary file", fix=f"mv '{path}' elsewhere")
    refuse_markers(path, text)
    return text


def refuse_markers(path: str, text: str) -> None:
    """Raise ClawgitError for git's conflict markers: such a file is in the middle of a merge."""
    line = markers.conflict_markers(text)
    if line is not None:
        raise ClawgitError(f"{path}:{line} has conflict markers", fix=f"resolve them, then git add '{path}'")


def check(path: str, before: str | None, after: str | None, agent: str | None) -> None:
    """Raise ClawgitError if the step from `before` to `after` may not be written by us."""
    if after is None:
        return
    size = len(after.encode())
    if size > CAP_BYTES:
        raise ClawgitError(f"{path} would have {size:,} bytes; OpenClaw reads no more than {CAP_BYTES:,}")
    capture.refuse_secrets(path, (before or "").encode(), after.encode())
    refuse_markers(path, after)
    _refuse_hidden(path, before or "", after)
    if agent and path == scope.CORRECTIONS:
        _refuse_lost_corrections(before or "", after)


def check_words(text: str, what: str) -> None:
    """Raise ClawgitError if words that go into the log hold a secret or hidden characters."""
    for secret in secrets.scan(text):
        raise ClawgitError(f"{what} holds a secret ({secret.rule})", fix="say it without the secret")
    for found in hidden.scan(text):
        raise ClawgitError(f"{what} holds hidden characters ({found.kind})", fix="type the text again without them")


def cleaned(text: str) -> str:
    """Return `text` with each secret named instead of shown, and without hidden characters: fit for the log."""
    for secret in reversed(secrets.scan(text)):
        text = f"{text[: secret.start]}[{secret.rule}]{text[secret.end :]}"
    for found in reversed(hidden.scan(text)):
        text = text[: found.start] + text[found.end :]
    return text


def _refuse_hidden(path: str, before: str, after: str) -> None:
    known = set(before.split("\n"))
    lines = after.split("\n")
    for found in hidden.scan(after):
        if lines[found.line - 1] not in known:
            raise ClawgitError(
                f"{path}:{found.line} would hold hidden characters ({found.kind})",
                fix="type the text again without them",
            )


def _refuse_lost_corrections(before: str, after: str) -> None:
    lost = Counter(before.split("\n")) - Counter(after.split("\n"))
    headings = [line for line in lost if line.startswith("## ")]
    if headings:
        raise ClawgitError(f"{scope.CORRECTIONS}: an agent may not remove a correction ({headings[0]})")
