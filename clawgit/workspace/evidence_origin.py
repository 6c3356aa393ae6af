"""Whose words a change rests on."""

from collections.abc import Iterable, Iterator

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.history import blame
from clawgit.text import evidence_pointer as pointers
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import evidence_check, records
from clawgit.workspace.write_setting import Setting

UNKNOWN = "unknown"
_CAPTURE = "capture"
_GRAVER = ("untrusted", UNKNOWN, "agent", "operator")


def origins(setting: Setting, cited: Iterable[str]) -> Iterator[str]:
    """Yield the origin of each piece of evidence: operator, agent, untrusted, or unknown where nobody vouches for it.

    That of a turn is the conversation's to tell; that of lines is told by the commits that they came with.
    """
    for text in cited:
        try:
            yield _origin(setting, pointers.parse(text))
        except ClawgitError:
            yield UNKNOWN


def _origin(setting: Setting, pointer: Pointer) -> str:
    if pointer.kind == "session":
        turn = setting.conversations(pointer.id, pointer.event)
        return turn.origin if turn else UNKNOWN
    head = repository.head(setting.repo)
    commit, span = evidence_check.lines_of(setting.repo, head, pointer)
    found = {_of_commit(setting, one.commit) for one in blame(setting.repo, pointer.path, commit, span)}
    return next((one for one in _GRAVER if one in found), UNKNOWN)


def _of_commit(setting: Setting, commit: str | None) -> str:
    if commit is None:
        return UNKNOWN
    found = records.record(history.commit(setting.repo, commit))
    return UNKNOWN if found.agent == _CAPTURE else found.origin or UNKNOWN
