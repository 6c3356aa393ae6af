"""One messy workspace on trial."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from . import Messy, snapshot
from .calls import BUG, BUSY, Answer, call
from .snapshot import Files, Snapshot


@dataclass(frozen=True)
class Complaint:
    """A promise that was broken: the act, the promise, and the difference."""

    act: str
    rule: str
    seen: str

    def __str__(self) -> str:
        return f"{self.act}: {self.rule}: {self.seen}"


@dataclass
class Case:
    """One messy workspace on trial."""

    messy: Messy
    complaints: list[Complaint] = field(default_factory=list)
    adopted: bool = False
    act: str = ""

    def __post_init__(self) -> None:
        self.root = self.messy.root
        self.before = snapshot.take(self.root)
        self.tracked = frozenset(index(self.before)) if self.before.git else frozenset()
        self.settled = self.before
        self.outside = self.look_outside()
        self.broken = self.look_for_damage()

    def require(self, holds: object, rule: str, value: object = "") -> None:
        if not holds:
            self.complaints.append(Complaint(self.act, rule, str(value)))

    def same(self, before: Mapping[str, object], after: Mapping[str, object], rule: str) -> None:
        """Complain about each key with different values."""
        differences = snapshot.unlike(before, after)
        self.require(not differences, rule, "\n      ".join(differences[:6]))

    def call(self, *words: str, codes: tuple[int, ...] = (0,)) -> Answer:
        """Run a command, which must end with one of `codes`, and with a fix if it fails."""
        answer = call(self.root, *words)
        broken = answer.code in {BUG, BUSY}.difference(codes)
        self.require(not broken, f"{words[0]} breaks", answer.reason)
        self.require(broken or answer.code in codes, f"{words[0]} fails", answer.reason)
        if answer.code == 1:
            self.require("  fix: " in answer.err, f"{words[0]} fails without a way out", answer.reason)
        if "--json" in words and answer.code in (0, 1, 3):
            self.require(answer.document is not None, f"{words[0]} prints no document", answer.out[:200])
        return answer

    @property
    def waits(self) -> tuple[int, ...]:
        return (BUSY,) if self.messy.has("index_locked") else ()

    # ---- what is looked at

    def look_outside(self) -> Files:
        """Return everything around the workspace that is not its repository."""
        places = snapshot.git_places(self.root) or ()
        return snapshot.walk(self.root.parent, without=frozenset({self.root, *places, *(p.parent for p in places[:1])}))

    def look_for_damage(self) -> frozenset[str]:
        """Return git's complaints."""
        if snapshot.git_places(self.root) is None:
            return frozenset()
        output = snapshot.ask(self.root, "fsck", "--no-dangling", "--no-progress", check=False)
        return frozenset(output.decode("utf-8", "replace").splitlines())

    def in_scope(self, path: str) -> bool:
        """Tell whether a path may become clawgit's to commit, by the rules that people are told."""
        if path == ".gitignore" or path.startswith(".clawgit/"):
            return True
        parts = path.split("/")
        inner = ("/".join(parts[:end]) for end in range(1, len(parts)))
        if not path.endswith(".md") or any(os.path.lexists(self.root / folder / ".git") for folder in inner):
            return False
        usual = len(parts) == 1 or parts[0] in ("memory", "Archive")
        return usual or (parts[0] == "agents" and len(parts) == 3 and parts[2] == "SOUL.md") or path in self.tracked

    def now(self) -> Snapshot:
        return snapshot.take(self.root)


def references(view: Snapshot) -> Mapping[str, str]:
    references_seen = view.git["references"]
    assert isinstance(references_seen, dict)
    return references_seen


def index(view: Snapshot) -> Mapping[str, str]:
    index_seen = view.git["index"]
    assert isinstance(index_seen, dict)
    return index_seen
