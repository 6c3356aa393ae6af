"""What the operator approved, as a value."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.text.tokens import count


class Approved(Struct, frozen=True):
    """What may stand in one identity file.

    `text` is what was approved (None: no file), by the operator or since by a low grade; `said` what the operator
    approved in so many words: its lines are the protected ones. `asked` are the blobs that a command put there because
    its caller asked, at a high grade: they stand, and are not approved. `earlier` are the blobs that were approved
    before, oldest first: a checkout of the past may bring them back.
    """

    text: str | None
    said: str | None
    asked: tuple[Oid, ...] = ()
    earlier: tuple[Oid, ...] = ()

    def succeeded(self, text: str | None, said: str | None) -> "Approved":
        """Return what holds once `text` is approved in place of this."""
        past = () if self.text is None or self.text == text else (repository.hash_blob(self.text.encode()),)
        return Approved(text, said, (), tuple(dict.fromkeys((*self.earlier, *past))))


class Trust(Struct, frozen=True):
    """What the operator approved of one workspace; `known` is False where nobody has approved anything yet.

    `files` are by path; `config` are the values of CONFIG.md's pinned keys that may be used. `programs` are the
    commands of the repository's own filters that git may run, by fingerprint (`git.programs`): key and command.
    """

    known: bool = False
    files: Mapping[str, Approved] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    programs: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def approved(self, path: str) -> str | None:
        """Return the approved text of a file, None where there is to be none."""
        return self.files[path].text if path in self.files else None

    def approves(self, path: str, text: str | None) -> bool:
        """Tell whether `text` (None: no file) is what was approved."""
        return self.known and text == self.approved(path)

    def settled(self, path: str, text: str | None) -> bool:
        """Tell whether `text` is what was approved, and nothing else was asked for since."""
        return self.approves(path, text) and not (path in self.files and self.files[path].asked)

    def admits(self, path: str, text: str | None) -> bool:
        """Tell whether `text` may stand in a file: it is approved, or a caller asked for it."""
        if self.approves(path, text):
            return True
        asked = self.files[path].asked if path in self.files else ()
        return text is not None and bool(asked) and repository.hash_blob(text.encode()) in asked

    def was_approved(self, path: str, blob: Oid) -> bool:
        """Tell whether a file held `blob` with approval at some earlier time."""
        return path in self.files and blob in self.files[path].earlier

    def says(self, path: str, blob: Oid | None) -> bool:
        """Tell whether the operator approved `blob` (None: no file) in so many words."""
        if path not in self.files:
            return False
        said = self.said(path)
        return blob == (None if said is None else repository.hash_blob(said.encode()))

    def said(self, path: str) -> str | None:
        """Return what the operator approved of a file in so many words, None where that is no file."""
        return self.files[path].said if path in self.files else None

    def protected(self, path: str) -> tuple[str, ...]:
        """Return the lines that the operator approved in so many words."""
        return tuple((self.said(path) or "").split("\n"))

    def cap(self, path: str, tokens: int) -> int:
        """Return how many tokens a file may have: `tokens`, or where it had more when approved, so many on top."""
        size = count(self.said(path) or "")
        return tokens if size <= tokens else size + tokens
