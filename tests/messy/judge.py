"""Judges adoption: it touches its own files, and leaving gives everything back."""

from collections.abc import Callable, Mapping
from pathlib import Path

from . import make, promises, snapshot
from .snapshot import Files
from .trial import Case

CONVERTING = ("autocrlf_true", "eol_crlf", "clean_filter")
MAY_REFUSE = ("autocrlf_true", "eol_crlf", "sidecar_of_another", "no_index")
"""Where a refusal is as good as an adoption: no file could be stored as it is, our place is taken, git wants help."""
VIEWS = ("CHANGELOG.md", "SOUL_CHANGELOG.md", "COMPACTION_LOG.md")


def judge(folder: Path, seed: int) -> Case:
    """Make workspace number `seed` in `folder`, adopt it, live in it, leave it; return the faults."""
    case = Case(make(folder / "ws", seed))
    for act in (dry_run, adopt, adopt_again, eject, eject_again, return_, live, leave):
        case.act = act.__name__.strip("_").replace("_", " ")
        act(case)
        if not case.adopted and act is not dry_run:
            break
    return case


def dry_run(case: Case) -> None:
    """It shows the plan, and touches nothing at all."""
    parent = case.root.parent
    before = snapshot.walk(parent)
    case.call("adopt", "--dry-run", "--json", codes=(0, 1))
    case.same(before, snapshot.walk(parent), "touches something")


def adopt(case: Case) -> None:
    """It refuses and leaves everything as it is, or adopts and touches nothing that is not its own."""
    answer = case.call("adopt", "--json", codes=(0, 1, *case.waits))
    after = case.now()
    case.adopted = answer.code == 0
    if not case.adopted:
        may_refuse = case.messy.forbidden or case.messy.has(*MAY_REFUSE)
        case.require(may_refuse or answer.code != 1, "refuses without need", answer.reason)
        case.same(case.before.files, after.files, "refused, and touched files")
        case.same(case.before.git, after.git, "refused, and touched git")
        promises.keeps_outside(case)
        return
    case.require(not case.messy.forbidden, "adopts where nothing may be written", answer.out[:300])
    promises.files_are_theirs(case, after)
    promises.history_grows(case, case.before, after)
    promises.git_is_theirs(case, after)
    left = [
        path
        for path in sorted(case.messy.ordinary)
        if not promises.is_ignored(case, path) and not promises.committed(case, path)
    ]
    case.require(not left or case.messy.has(*CONVERTING), "leaves an ordinary file uncommitted", left)


def adopt_again(case: Case) -> None:
    """There is nothing left to do."""
    before = case.now()
    answer = case.call("adopt", "--json")
    document = answer.document or {}
    case.require(document.get("commit", 0) is None, "commits once more", answer.out[:300])
    after = case.now()
    case.same(before.files, after.files, "touches files")
    case.same(before.git, after.git, "touches git")


def eject(case: Case) -> None:
    """Everything is as it was before; one commit says so."""
    before = case.now()
    case.call("eject", "--yes", "--json")
    after = case.now()
    case.same(snapshot.itself(case.before.files), snapshot.itself(after.files), "does not give the files back")
    promises.leaves_no_trace(case, before, after)


def eject_again(case: Case) -> None:
    """A second ejection is refused."""
    before = case.now()
    case.call("eject", "--yes", "--json", codes=(0, 1))
    after = case.now()
    case.same(before.files, after.files, "touches files")
    case.same(before.git, after.git, "touches git")


def return_(case: Case) -> None:
    """An ejected workspace may be adopted again."""
    before = case.now()
    answer = case.call("adopt", "--json")
    after = case.now()
    case.adopted = answer.code == 0
    case.settled = after
    promises.files_are_theirs(case, after)
    promises.history_grows(case, before, after)


def live(case: Case) -> None:
    """Every command works in it, or reports its obstacle; files of others stay untouched."""
    before = case.now()
    for words in (
        ("memory", "add", "Ana likes tea.", "--tag", "decision", "--json"),
        ("journal", "add", "It rained.", "--json"),
        ("soul", "edit", "--add", "Say it once.", "--why", "it was said twice", *_section(case), "--json"),
        ("memory", "add", "Ana likes coffee.", "--json"),
        ("undo", "--json"),
    ):
        case.call(*words, codes=(0, 1, 2) if words[0] == "soul" else (0, 1))  # an empty soul has no section to name
    for act in _FOREIGN:
        act(case.root)
    case.call("capture", "--json", codes=(0, 1, 3))
    for words in (
        ("status", "--json"),
        ("doctor", "--json"),
        ("log", "--json"),
        ("soul", "log", "--json"),
        ("memory", "list", "--json"),
        ("changelog",),
        ("config", "--json"),
    ):
        case.call(*words, codes=(0, 1, 3))
    after = case.now()
    touched = {path for path in snapshot.itself(after.files) if after.files[path] != before.files.get(path)}
    mine = {path for path in touched if after.files[path].kind != "folder" and not case.in_scope(path)}
    case.require(not (mine - {"foreign.txt"}), "touches what is not its own", sorted(mine))
    promises.history_grows(case, before, after)
    promises.git_is_theirs(case, after)


def _section(case: Case) -> tuple[str, ...]:
    soul = case.root / "SOUL.md"
    return ("--section", "Core Truths") if soul.is_file() and b"## Core Truths" in soul.read_bytes() else ()


def _append(root: Path) -> None:
    place = root / "memory/2026-01-10.md"
    if place.is_file() and not place.is_symlink() and not place.parent.is_symlink():
        with place.open("a") as file:
            file.write("- appended by the agent\n")


def _create(root: Path) -> None:
    if (root / "memory").is_dir() and not (root / "memory").is_symlink():
        (root / "memory/2026-01-12-1015.md").write_text("# Session\n\nuser: hello\n")
    (root / "foreign.txt").write_text("not ours\n")


_FOREIGN: tuple[Callable[[Path], None], ...] = (_append, _create)


def leave(case: Case) -> None:
    """Later files stay; everything else is as it was before."""
    lived = case.now()
    case.call("eject", "--yes", "--json")
    after = case.now()
    paths_written = _list_written(case, lived.files)
    expected = {path: entry.itself for path, entry in case.before.files.items() if path not in paths_written}
    expected |= {path: lived.files[path].itself for path in paths_written if path in lived.files}
    actual = {
        path: entry
        for path, entry in snapshot.itself(after.files).items()
        if not _is_above(path, paths_written, expected)
    }
    case.same(expected, actual, "does not give the files back")
    promises.leaves_no_trace(case, lived, after)


def _list_written(case: Case, lived: Files) -> set[str]:
    """Return the files written between adoption and leaving, without those that adoption itself needs."""
    settled_files = case.settled.files
    paths = {
        path for path in lived.keys() | settled_files.keys() if _itself(lived, path) != _itself(settled_files, path)
    }
    derived = {path for path in VIEWS if path not in case.before.files}
    return {path for path in paths - derived - {".gitignore"} if not path.startswith(".clawgit/")}


def _itself(files: Files, path: str) -> tuple[str, int, bytes] | None:
    return files[path].itself if path in files else None


def _is_above(path: str, paths_written: set[str], expected: Mapping[str, object]) -> bool:
    """Tell whether `path` is a folder that only exists because something was written in it."""
    return path not in expected and any(other.startswith(f"{path}/") for other in paths_written)
