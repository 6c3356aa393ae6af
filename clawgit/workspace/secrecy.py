"""Secrets that a file would bring into history."""

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


def refuse(path: str, before: bytes | None, after: bytes | None, leaked: Container[str] = ()) -> None:
    """Raise ClawgitError if `after` has a secret that neither `before` had nor, by its fingerprint, history has."""
    for finding in new_secrets(before, after):
        if finding.fingerprint not in leaked:
            raise ClawgitError(
                f"{path}:{finding.line} holds a secret ({finding.rule})",
                fix="move it to a password store or the environment, and leave its name here",
            )
