"""Promises that several acts of adoption keep."""

import hashlib
from pathlib import Path

from . import snapshot
from .snapshot import Files, Snapshot
from .trial import Case, index, references


def files_are_theirs(case: Case, after: Snapshot) -> None:
    """No former file changes; a new file has a name that is ours to use."""
    remaining = {path: entry for path, entry in after.files.items() if path in case.before.files}
    case.same(_drop_ignore(case.before.files), _drop_ignore(remaining), "touches files")
    rules, longer = (files.get(".gitignore") for files in (case.before.files, after.files))
    if rules is not None:
        is_same_kind = longer is not None and (longer.kind, longer.mode) == (rules.kind, rules.mode)
        has_grown = longer is not None and longer.data.startswith(rules.data)
        case.require(is_same_kind and has_grown, "rewrites .gitignore", (rules, longer))
    new = {path for path, entry in after.files.items() if path not in case.before.files and entry.kind != "folder"}
    mine = sorted(path for path in new if not case.in_scope(path))
    case.require(not mine, "makes files that are not its own", mine)
    case.require(all(after.files[path].kind == "file" for path in new), "makes what is no file", sorted(new))
    keeps_outside(case)


def _drop_ignore(files: Files) -> dict[str, object]:
    """Return the files by their lasting fields: the folders' times change with a new file."""
    timed = {path: (*entry.itself, entry.changed) for path, entry in files.items() if entry.kind != "folder"}
    folders = {path: entry.itself for path, entry in files.items() if entry.kind == "folder"}
    return {path: entry for path, entry in {**timed, **folders}.items() if path != ".gitignore"}


def keeps_outside(case: Case) -> None:
    case.same(case.outside, case.look_outside(), "touches what lies outside")


def history_grows(case: Case, before: Snapshot, after: Snapshot) -> None:
    """The branch is only appended to, with the files in scope, byte for byte as on disk, and without secrets."""
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
        entry = after.files.get(path)
        data = entry.data if entry and entry.kind == "file" else None
        expected = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() if data is not None else None
        case.require(oid == expected, "commits other bytes than the file has", (path, oid, expected))
    span = (new, f"^{old}") if old else (new,)
    objects = snapshot.ask(case.root, "rev-list", "--objects", "--no-object-names", *span)
    text = snapshot.ask(case.root, "cat-file", "--batch", stdin=objects)
    leaked = [secret for secret in case.messy.secrets if secret.encode() in text]
    case.require(not leaked, "commits a secret", leaked)
    case.require(case.broken >= case.look_for_damage(), "damages the repository", case.look_for_damage() - case.broken)


def _changes(root: Path, old: str, new: str) -> dict[str, str | None]:
    """Return the new object of each path between two commits, or nothing."""
    empty = snapshot.ask(root, "hash-object", "-t", "tree", "--stdin").decode().strip()
    output = snapshot.ask(root, "diff-tree", "-r", "-z", "--no-renames", "--raw", old or empty, new)
    words = output.decode("utf-8", "surrogateescape").rstrip("\0").split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return {path: None if facts.endswith("D") else facts.split()[3] for facts, path in pairs}


def git_is_theirs(case: Case, after: Snapshot) -> None:
    """Other references, staged and stashed changes, excludes and worktrees are as they were."""
    if not case.before.git:
        return
    for topic in ("HEAD", "stash", "info", "worktrees", "config.worktree"):
        case.same({topic: case.before.git[topic]}, {topic: after.git[topic]}, f"touches {topic}")
    was, now = (_list_other_references(view) for view in (case.before, after))
    case.same(was, now, "touches references")
    was, now = ({p: e for p, e in index(view).items() if not case.in_scope(p)} for view in (case.before, after))
    case.same(was, now, "touches the index out of its scope")


def leaves_no_trace(case: Case, before: Snapshot, after: Snapshot) -> None:
    """One commit more; nothing of ours in git; configuration, hooks and excludes as they were."""
    keeps_outside(case)
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
    index_paths = [path for path in index(after) if path.startswith(".clawgit/") and path not in case.before.files]
    case.require(not index_paths, "leaves entries in the index", index_paths)
    if case.before.git:
        git_is_theirs(case, after)
        for topic in ("config", "hooks"):
            case.same({topic: case.before.git[topic]}, {topic: after.git[topic]}, f"does not give back the {topic}")


def _list_other_references(view: Snapshot) -> dict[str, str]:
    """Return the references that are neither the branch's nor ours."""
    head = view.git["HEAD"]
    assert isinstance(head, bytes)
    branch = head.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ")
    return {
        name: value
        for name, value in references(view).items()
        if name != branch and not name.startswith("refs/clawgit/") and not value.endswith(f" {branch}")
    }


def is_ignored(case: Case, path: str) -> bool:
    """Tell whether an ignore rule covers `path`."""
    return bool(snapshot.ask(case.root, "check-ignore", "--no-index", path, check=False))


def committed(case: Case, path: str) -> bool:
    return bool(snapshot.ask(case.root, "ls-tree", "HEAD", "--", path, check=False))
