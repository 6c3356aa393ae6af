"""What every write must pass before anything is touched."""

import re
from collections import Counter
from collections.abc import Container

from clawgit.errors import Advice, ClawgitError, file_too_large, hidden_characters, secret_found, text_invalid
from clawgit.git.regular_file import limit_of
from clawgit.safety import hidden_text, secrets
from clawgit.safety.redaction import redacted
from clawgit.safety.secrets import Finding
from clawgit.workspace import file_roles
from clawgit.workspace.file_contents import loosely, refuse_markers

_RETYPE = Advice("type the text again without them")


def scan_file(path: str, text: str) -> tuple[Finding, ...]:
    """Return the secrets of a file, none where `is_scanned` says so."""
    return secrets.scan(text) if is_scanned(path) else ()


def is_scanned(path: str) -> bool:
    """Return whether secrets count in a file: where gitleaks looks, and in memory and identity wherever they lie."""
    below = [path.split("/", at)[-1] for at in range(path.count("/") + 1)]
    ours = any(map(file_roles.memory, below)) or any(map(file_roles.guarded, below))
    return ours or path.startswith(file_roles.FOLDERS) or not secrets.is_skipped(path)


def new_secrets(path: str, before: bytes | None, after: bytes | None) -> list[Finding]:
    """Return the secrets of `after` that `before` did not have."""
    found = scan_file(path, loosely(after))
    known = {finding.fingerprint for finding in secrets.scan(loosely(before))} if found else set()
    return [finding for finding in found if finding.fingerprint not in known]


def added_secrets(before: str, after: str) -> list[Finding]:
    """Return the secrets of `after` that stand there more often than in `before`, those on new lines rather."""
    found = secrets.scan(after)
    known = Counter(finding.fingerprint for finding in secrets.scan(before)) if found else Counter[str]()
    lines, old = after.split("\n"), set(before.split("\n"))
    added = []
    for finding in sorted(found, key=lambda one: lines[one.line - 1] not in old):
        known[finding.fingerprint] -= 1
        if known[finding.fingerprint] < 0:
            added.append(finding)
    return added


def refuse(path: str, before: bytes | None, after: bytes | None, leaked: Container[str] = ()) -> None:
    """Raise ClawgitError if `after` has a secret that neither `before` had nor, by its fingerprint, history has."""
    for finding in new_secrets(path, before, after):
        if finding.fingerprint not in leaked:
            raise _refused(path, finding)


def _refused(path: str, finding: Finding) -> ClawgitError:
    return secret_found(
        f"{path}:{finding.line} holds a secret ({finding.rule})",
        fix=Advice("move it to a password store or the environment, and leave its name here"),
    )


def check_write(path: str, before: str | None, after: str | None, known: str = "") -> None:
    """Raise ClawgitError if the step from `before` to `after` may not be written by us.

    What stands in `before`, or in `known` from history, may stay or come back, whatever it is; a secret is not
    written once more.
    """
    if after is None:
        return
    size = len(after) if after.isascii() else len(after.encode("utf-8", "replace"))
    if size > limit_of(path):
        raise file_too_large(
            f"{path} would have {size:,} bytes; no more than {limit_of(path):,} are read",
            fix=Advice(f"move some of {path} to files below memory/, which are searched, too"),
        )
    if path.startswith(file_roles.OURS):  # there may be very many rows, each of which stands for itself
        rows = frozenset((before or "").split("\n"))
        after = "\n".join("" if row in rows else row for row in after.split("\n"))
    seen = f"{before or ''}\n{known}"
    _refuse_halves(f"{path} would hold", after)
    for finding in added_secrets(seen, after):
        raise _refused(path, finding)
    refuse_markers(path, after)
    _refuse_hidden(path, seen, after)


def check_words(text: str, what: str) -> None:
    """Raise ClawgitError if words that go into the log hold a secret or hidden characters."""
    _refuse_halves(f"{what} holds", text)
    for secret in secrets.scan(text):
        raise secret_found(f"{what} holds a secret ({secret.rule})", fix=Advice("say it without the secret"))
    for found in hidden_text.scan(text):
        raise hidden_characters(f"{what} holds hidden characters ({found.kind})", fix=_RETYPE)


def cleaned(text: str) -> str:
    """Return `text` with each secret named instead of shown, and without hidden characters: fit for the log."""
    text = redacted(text.encode("utf-8", "replace").decode())
    for found in reversed(hidden_text.scan(text)):
        text = text[: found.start] + text[found.end :]
    return text


def _refuse_halves(what: str, text: str) -> None:
    """Raise ClawgitError for half of a character, as a cut message leaves it: no file can hold one."""
    if half := re.search("[\ud800-\udfff]", text):
        raise text_invalid(f"{what} half of a character (U+{ord(half[0]):04X})", fix=Advice("type the text without it"))


def _refuse_hidden(path: str, before: str, after: str) -> None:
    known = set(before.split("\n"))
    lines = after.split("\n")
    for found in hidden_text.scan(after):
        if lines[found.line - 1] not in known:
            raise hidden_characters(f"{path}:{found.line} would hold hidden characters ({found.kind})", fix=_RETYPE)
