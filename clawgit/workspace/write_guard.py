"""Checks of every write before anything is touched."""

import re
from collections import Counter
from collections.abc import Container

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, file_too_large, hidden_characters, secret_found, text_invalid
from clawgit.git.regular_file import limit_of
from clawgit.safety import hidden_text, secrets
from clawgit.safety.redaction import redact
from clawgit.safety.secrets import Finding
from clawgit.workspace.file_contents import refuse_markers, to_text

_RETYPE = Advice("type the text again without them")


def scan_file(path: str, text: str) -> tuple[Finding, ...]:
    """Return the secrets of a file, none unless `is_scanned`."""
    return secrets.find_secrets(text) if is_scanned(path) else ()


def is_scanned(path: str) -> bool:
    """Return whether secrets count in a file: in those that gitleaks scans, and anywhere in memory and identity."""
    tails = [path.split("/", index)[-1] for index in range(path.count("/") + 1)]
    ours = any(map(file_roles.is_memory_or_settings, tails)) or any(map(file_roles.is_identity, tails))
    return ours or path.startswith(file_roles.FOLDERS) or not secrets.is_skipped(path)


_MAX_NAMED = 5


def new_secrets(path: str, before: bytes | None, after: bytes | None) -> list[Finding]:
    """Return the secrets of `after` that `before` did not have."""
    findings = scan_file(path, to_text(after))
    old_prints = {finding.fingerprint for finding in secrets.find_secrets(to_text(before))} if findings else set()
    return [finding for finding in findings if finding.fingerprint not in old_prints]


def refuse_new_secrets(path: str, before: bytes | None, after: bytes | None, leaked: Container[str] = ()) -> None:
    """Raise ClawgitError if `after` has a secret that neither `before` had nor, by its fingerprint, history has."""
    new = [finding for finding in new_secrets(path, before, after) if finding.fingerprint not in leaked]
    if new:
        raise _make_secret_error(path, *new)


def _make_secret_error(path: str, finding: Finding, *others: Finding) -> ClawgitError:
    """Return the error of a file with a secret, which names the first few of `others`."""
    fix = Advice("move it to a password store or the environment, and leave its name here")
    rows = [f"{path}:{item.line} holds a secret ({item.rule})" for item in (finding, *others[: _MAX_NAMED - 1])]
    left = [f"{len(others) + 1 - _MAX_NAMED:,} more"] if len(others) >= _MAX_NAMED else []
    return secret_found("; ".join((*rows, *left)), fix=fix)


def check_write(path: str, before: str | None, after: str | None, past_text: str = "") -> None:
    """Raise ClawgitError if the step from `before` to `after` may not be written by us.

    Text in `before`, or in `past_text` from history, may stay or come back, whatever it is; a secret is not written
    once more.
    """
    if after is None:
        return
    size = len(after) if after.isascii() else len(after.encode("utf-8", "replace"))
    if size > limit_of(path):
        fix = Advice(f"move some of {path} to files below memory/, which are searched, too")
        raise file_too_large(f"{path} would have {size:,} bytes; no more than {limit_of(path):,} are read", fix=fix)
    if path.startswith(file_roles.OURS):  # there may be very many rows, each of which stands for itself
        rows = frozenset((before or "").split("\n"))
        after = "\n".join("" if row in rows else row for row in after.split("\n"))
    old_text = f"{before or ''}\n{past_text}"
    _refuse_halves(f"{path} would hold", after)
    lines, old_lines = after.split("\n"), {*old_text.split("\n")}
    findings = secrets.find_secrets(after)
    counts = Counter(finding.fingerprint for finding in secrets.find_secrets(old_text)) if findings else Counter[str]()
    for finding in sorted(findings, key=lambda item: lines[item.line - 1] not in old_lines):
        counts[finding.fingerprint] -= 1
        if counts[finding.fingerprint] < 0:
            raise _make_secret_error(path, finding)
    refuse_markers(path, after)
    for mark in hidden_text.find_hidden_text(after):
        if lines[mark.line - 1] not in old_lines:
            raise hidden_characters(f"{path}:{mark.line} would hold hidden characters", fix=_RETYPE)


def check_words(text: str, subject: str) -> None:
    """Raise ClawgitError if words for the log contain a secret or hidden characters."""
    _refuse_halves(f"{subject} holds", text)
    for secret in secrets.find_secrets(text):
        raise secret_found(f"{subject} holds a secret ({secret.rule})", fix=Advice("say it without the secret"))
    if hidden_text.find_hidden_text(text):
        raise hidden_characters(f"{subject} holds hidden characters", fix=_RETYPE)


def clean_for_writing(text: str) -> str:
    """Return `text` with each secret named instead of shown, and without hidden characters: fit for the log."""
    text = redact(text.encode("utf-8", "replace").decode())
    for finding in reversed(hidden_text.find_hidden_text(text)):
        text = text[: finding.start] + text[finding.end :]
    return text


def _refuse_halves(lead: str, text: str) -> None:
    """Raise ClawgitError for half of a surrogate pair, as a cut message leaves it: no file can contain one."""
    if half := re.search("[\ud800-\udfff]", text):
        raise text_invalid(f"{lead} half of a character (U+{ord(half[0]):04X})", fix=Advice("type the text without it"))
