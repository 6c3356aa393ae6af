"""The checks after a broken write, and after the next one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scene import BLOCK, BOOK, DIRTY, JOURNAL, NEW, NEXT, OLD, OURS, PATHS, THEIRS, git


@dataclass
class Before:
    """The state before the write was tried."""

    files: dict[str, bytes]
    index: bytes
    head: str
    displaced: list[str]

    @classmethod
    def of(cls, folder: Path) -> "Before":
        return cls(
            tree_of(folder),
            (folder / ".git/index").read_bytes(),
            git(folder, "rev-parse", "HEAD").strip(),
            list_leavings(folder),
        )


def tree_of(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in sorted(folder.rglob("*"))
        if place.is_file() and ".git" not in place.relative_to(folder).parts
    }


def announced(folder: Path, before: Before) -> bool:
    references = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    return (
        any(line.startswith("refs/clawgit/pending") for line in references)
        or f"refs/heads/main {before.head}" not in references
    )


def untouched(folder: Path, before: Before) -> Iterator[str]:
    now = tree_of(folder)
    if now != before.files:
        yield f"touched before it was announced: {sorted(set(now.items()) ^ set(before.files.items()))[:3]}"
    if (folder / ".git/index").read_bytes() != before.index:
        yield "the index changed before it was announced"


def check_clean_refusal(folder: Path, before: Before) -> Iterator[str]:
    """After an error (not a death) before the announcement nothing at all is left."""
    yield from untouched(folder, before)
    for leftover in list_leavings(folder):
        if leftover not in before.displaced and leftover != ".git/clawgit/index.side.lock":
            yield f"left after a refusal: {leftover}"


def list_leavings(folder: Path) -> list[str]:
    gitdir = folder / ".git"
    leavings = [
        *gitdir.rglob("*.lock"),
        *(gitdir / "clawgit/displaced").glob("*"),
        *(gitdir / "refs/clawgit").rglob("*"),
    ]
    leavings += folder.rglob(".*clawgit*[!t]")
    return sorted(
        place.relative_to(folder).as_posix()
        for place in leavings
        if place.is_file() or ("displaced" in place.parts and place.exists())
    )


def sound(folder: Path, *, whole: bool, theirs: bool, dirty: bool = True) -> Iterator[str]:
    """Yield each broken check once the next write has been made."""
    head = {path: git(folder, "show", f"HEAD:{path}", check=False) for path in PATHS}
    disk = {path: (folder / path).read_text() if (folder / path).exists() else "" for path in PATHS}
    for place, texts in (("HEAD", head), ("disk", disk)):
        yield from (f"{place}: {problem}" for problem in ours(texts, int(whole)))
        for line, expected in ((DIRTY, dirty), (THEIRS, theirs)):
            count = texts["MEMORY.md"].count(line) + texts[JOURNAL].count(line)
            if count > 1 or (expected and place == "disk" and count != 1):
                yield f"{place}: {line!r} stands there {count} times"
    yield from log(folder, int(whole))
    for line in git(folder, "status", "--porcelain", "-uall").splitlines():
        path = line[3:]
        if line[0] not in " ?" or path not in (JOURNAL, "MEMORY.md") or disk[path].count(THEIRS) != 1:
            yield f"git status: {line}"
    if problems := git(folder, "fsck", "--no-dangling", "--no-progress", check=False).strip():
        yield f"fsck: {problems}"
    if git(folder, "symbolic-ref", "HEAD").strip() != "refs/heads/main":
        yield "HEAD is elsewhere"
    yield from (f"left: {leftover}" for leftover in list_leavings(folder))


def ours(texts: dict[str, str], times: int) -> Iterator[str]:
    memory, journal = texts["MEMORY.md"], texts[JOURNAL]
    counts = {
        "edit": memory.count(OURS),
        "block": journal.count(BLOCK),
        "heading": journal.count("## 09:30 - herons"),
        "row": texts[".clawgit/entries.tsv"].count("agent"),
        "deleted": int(not texts[OLD]),
        "new": texts[NEW].count("- Herons."),
    }
    if set(counts.values()) != {times}:
        yield f"the change should be {'whole' if times else 'absent'}: {counts}"
    for line in (NEXT, *(f"- Old memory number {number}." for number in range(8))):
        if memory.count(line) != 1:
            yield f"{line!r} stands there {memory.count(line)} times"
    if doubled := [line for line, count in Counter(memory.split("\n")).items() if line.strip() and count > 1]:
        yield f"doubled: {doubled}"
    if "<<<<<<<" in memory + journal:
        yield "conflict markers"


def log(folder: Path, times: int) -> Iterator[str]:
    commits = git(folder, "log", "--format=%H", "--grep=Clawgit-Change: kkllmmnnoo").split()
    if len(commits) != times:
        yield f"{len(commits)} commits carry the change"
    for oid in commits:
        body = git(folder, "log", "-1", "--format=%B", oid)
        if "Clawgit-Agent: memory-miner" not in body or f"Evidence: {BOOK}#L3" not in body:
            yield "the trailers are gone"
