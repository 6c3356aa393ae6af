"""Promises that several acts of adoption keep."""

import hashlib
from pathlib import Path

from . import snapshot
from .snapshot import Files, Snapshot
from .trial import Case, index, references


def files_are_theirs(case: Case, after: Snapshot) -> None:
    """Nothing that was there is another; what is new has a name that is ours to use."""
    kept = {path: seen for path, seen in after.files.items() if path in case.before.files}
    case.same(_without_ignore(case.before.files), _without_ignore(kept), "touches files")
    rules, longer = (files.get(".gitignore") for files in (case.before.files, after.files))
    if rules is not None:
        same = longer is not None and (longer.kind, longer.mode) == (rules.kind, rules.mode)
        grown = longer is not None and longer.data.startswith(rules.data)
        case.require(same and grown, "rewrites .gitignore", (rules, longer))
    new = {path for path, seen in after.files.items() if path not in case.before.files and seen.kind != "folder"}
    mine = sorted(path for path in new if not case.in_scope(path))
    case.require(not mine, "makes files that are not its own", mine)
    case.require(all(after.files[path].kind == "file" for path in new), "makes what is no file", sorted(new))
    nothing_around(case)


def _without_ignore(files: Files) -> dict[str, object]:
    """Return the files by what must stay the same: the folders' times change where a file is added."""
    timed = {path: (*seen.itself, seen.changed) for path, seen in files.items() if seen.kind != "folder"}
    folders = {path: seen.itself for path, seen in files.items() if seen.kind == "folder"}
    return {path: seen for path, seen in {**timed, **folders}.items() if path != ".gitignore"}


def nothing_around(case: Case) -> None:
    case.same(case.outside, case.look_outside(), "touches what lies outside")


def history_grows(case: Case, before: Snapshot, after: Snapshot) -> None:
    """The branch is only appended to, with what is in scope, byte for byte as it is on disk, and without secrets."""
    old, new = str(before.git.get("head", "")), str(after.git.get("head", ""))
    case.require(new, "no commit is there")
    if not new or new == old:
        return
    line = snapshot.ask(case.root, "rev-list", "--first-parent", new).decode().split()
    case.require(not old or old in line, "rewrites history", (old, new))
    changes = _changes(case.root, old, new)
    strange = sorted(path for path in changes if not case.in_scope(path))
    case.require(not strange, "commits what is not its own", strange)
    for path, oid in changes.items():
        seen = after.files.get(path)
        data = seen.data if seen and seen.kind == "file" else None
        expected = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() if data is not None else None
        case.require(oid == expected, "commits other bytes than the file has", (path, oid, expected))
    span = (new, f"^{old}") if old else (new,)
    made = snapshot.ask(case.root, "rev-list", "--objects", "--no-object-names", *span)
    text = snapshot.ask(case.root, "cat-file", "--batch", stdin=made)
    leaked = [secret for secret in case.messy.secrets if secret.encode() in text]
    case.require(not leaked, "commits a secret", leaked)
    case.require(case.broken >= case.look_for_damage(), "damages the repository", case.look_for_damage() - case.broken)


def _changes(root: Path, old: str, new: str) -> dict[str, str | None]:
    """Return what each path became between two commits: an object, or nothing."""
    empty = snapshot.ask(root, "hash-object", "-t", "tree", "--stdin").decode().strip()
    listed = snapshot.ask(root, "diff-tree", "-r", "-z", "--no-renames", "--raw", old or empty, new)
    words = listed.decode("utf-8", "surrogateescape").rstrip("\0").split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return {path: None if facts.endswith("D") else facts.split()[3] for facts, path in pairs}


def git_is_theirs(case: Case, after: Snapshot) -> None:
    """Other references, what is staged or stashed, excludes and worktrees are as they were."""
    if not case.before.git:
        return
    for topic in ("HEAD", "stash", "info", "worktrees", "config.worktree"):
        case.same({topic: case.before.git[topic]}, {topic: after.git[topic]}, f"touches {topic}")
    was, now = (_others(view) for view in (case.before, after))
    case.same(was, now, "touches references")
    was, now = ({p: e for p, e in index(view).items() if not case.in_scope(p)} for view in (case.before, after))
    case.same(was, now, "touches the index out of its scope")


def gone_without_a_trace(case: Case, before: Snapshot, after: Snapshot) -> None:
    """One commit more; nothing of ours in git; configuration, hooks and excludes as they were."""
    nothing_around(case)
    old, new = str(before.git.get("head", "")), str(after.git.get("head", ""))
    if not after.git:
        case.require(not case.before.git, "takes the repository away")
        return
    count = snapshot.ask(case.root, "rev-list", "--count", f"{old}..{new}").decode().strip()
    history_grows(case, before, after)
    case.require(count == "1", "does not add one commit", f"{old[:10]}..{new[:10]}: {count}")
    case.require(not after.git["ours"], "leaves something in git's folder", after.git["ours"])
    left = [name for name in references(after) if name.startswith("refs/clawgit/")]
    case.require(not left, "leaves references", left)
    held = [path for path in index(after) if path.startswith(".clawgit/") and path not in case.before.files]
    case.require(not held, "leaves entries in the index", held)
    if case.before.git:
        git_is_theirs(case, after)
        for topic in ("config", "hooks"):
            case.same({topic: case.before.git[topic]}, {topic: after.git[topic]}, f"does not give back the {topic}")


def _others(view: Snapshot) -> dict[str, str]:
    """Return the references that are neither the branch's nor ours."""
    head = view.git["HEAD"]
    assert isinstance(head, bytes)
    branch = head.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ")
    return {
        name: value
        for name, value in references(view).items()
        if name != branch and not name.startswith("refs/clawgit/") and not value.endswith(f" {branch}")
    }


def hidden(case: Case, path: str) -> bool:
    """Tell whether an ignore rule covers `path`."""
    return bool(snapshot.ask(case.root, "check-ignore", "--no-index", path, check=False))


def committed(case: Case, path: str) -> bool:
    return bool(snapshot.ask(case.root, "ls-tree", "HEAD", "--", path, check=False))
