"""Secrets that a file would bring into history."""

from collections import Counter
from collections.abc import Container

from clawgit.errors import ClawgitError
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding
from clawgit.workspace.contents import loosely


def new_secrets(before: bytes | None, after: bytes | None) -> list[Finding]:
    """Return the secrets of `after` that `before` did not have."""
    found = secrets.scan(loosely(after))
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


def refuse_added(path: str, before: str, after: str) -> None:
    """Raise ClawgitError if a write of ours from `before` to `after` brings a secret, or one more time."""
    for finding in added_secrets(before, after):
        raise _refused(path, finding)


def refuse(path: str, before: bytes | None, after: bytes | None, leaked: Container[str] = ()) -> None:
    """Raise ClawgitError if `after` has a secret that neither `before` had nor, by its fingerprint, history has."""
    for finding in new_secrets(before, after):
        if finding.fingerprint not in leaked:
            raise _refused(path, finding)


def _refused(path: str, finding: Finding) -> ClawgitError:
    return ClawgitError(
        f"{path}:{finding.line} holds a secret ({finding.rule})",
        fix="move it to a password store or the environment, and leave its name here",
    )
