"""Takes words or files out of all of history."""

import base64
import contextlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import quote, quote_plus

from msgspec import Struct, field

from clawgit.errors import ClawgitError, Command, package_missing, purge_failed, purge_incomplete
from clawgit.git import own_commits, repository
from clawgit.git.git_command import decode_lines, git, make_git_environment, objects
from clawgit.git.repository import Oid, Repository

GONE = b"[purged]"
"""What stands where a phrase was."""
LEAST = 6
"""Bytes of a phrase: what is shorter stands by chance in many places."""
_END = re.compile(rb"[ \t]*\r?\n[\s>]*")
_SPACE_BYTES = b" \t\r\n\v\f>"  # what may stand between the words of a quoted or wrapped phrase
_BLANK = re.compile(rb"[ \t]*\r?\n[\s>]*|\s+")


def read_phrase(data: bytes) -> bytes:
    """Return a phrase in UTF-8 as a file has it that some editor or shell wrote; no blanks and line ends around it."""
    coding = json.detect_encoding(data)
    return (data if coding == "utf-8" else data.decode(coding, "replace").encode()).strip()


def forms(phrase: bytes) -> tuple[bytes, ...]:
    """Return a phrase as it is, and as UTF-16, URLs, JSON, hex and base64 have it; the longest first.

    Letters with accents in both ways that Unicode has, and line ends in both ways that there are.
    """
    encodings, text = {phrase}, phrase.decode("utf-8", "replace")
    plain = [normalize(form, text).replace("\r\n", "\n") for form in ("NFC", "NFD") if text.encode() == phrase]
    for spelling in {way.replace("\n", end) for way in plain for end in ("\n", "\r\n")}:
        encodings |= _encode(spelling)
    # A shorter form may be part of a longer one, which must go first.
    return tuple(sorted(encodings, key=lambda form: (-len(form), form)))


def _encode(text: str) -> set[bytes]:
    data = text.encode()
    whole = ((base64.b64encode(bytes(skip) + data + bytes(2)), skip) for skip in range(3))
    # Only the letters that do not depend on the bytes around it.
    codes = (code[-(-skip * 8 // 6) : (skip + len(data)) * 8 // 6] for code, skip in whole)
    encodings = {code for code in codes if len(code) > LEAST}
    encodings |= {code.translate(bytes.maketrans(b"+/", b"-_")) for code in encodings}
    encodings |= {data, text.encode("utf-16-le"), text.encode("utf-16-be")}
    encodings |= {data.hex().encode(), data.hex().upper().encode()}
    encodings |= {url.encode() for url in (quote(text), quote(text, safe=""), quote_plus(text))}
    return encodings | {json.dumps(text, ensure_ascii=is_ascii)[1:-1].encode() for is_ascii in (True, False)}


def has_phrase(data: bytes, phrases: Sequence[bytes]) -> bool:
    """Return whether bytes contain one of these phrases, even across line ends."""
    return bool(_find_patterns(data, phrases))


def remove_phrases(data: bytes, phrases: Sequence[bytes], mark: bytes = GONE) -> bytes:
    """Return bytes without these phrases; line ends within stay, and binary data keeps its length."""
    for phrase, pattern in _find_patterns(data, phrases):
        data = pattern.sub(_fill if b"\0" in data else partial(_replace, mark, b"\n" in phrase), data)
    return data


def _replace(mark: bytes, has_lines: bool, match: "re.Match[bytes]") -> bytes:  # noqa: FBT001 - of a partial
    return mark if has_lines else mark + b"".join(_END.findall(match[0])[:1])


def _fill(match: "re.Match[bytes]") -> bytes:
    """Return a filler as long as a phrase, in UTF-16 if the phrase is."""
    size = len(match[0])
    coding = "utf-8" if b"\0" not in match[0] else "utf-16-be" if match[0].startswith(b"\0") else "utf-16-le"
    return GONE.decode().ljust(size, "*").encode(coding)[:size]


def _find_patterns(data: bytes, phrases: Sequence[bytes]) -> list[tuple[bytes, "re.Pattern[bytes]"]]:
    """Return the phrases in some bytes, wrapped or not, with their patterns."""
    squeezed = data.translate(None, _SPACE_BYTES)
    likely = (phrase for phrase in phrases if phrase.translate(None, _SPACE_BYTES) in squeezed)
    return [(phrase, pattern) for phrase in likely if (pattern := _compile(phrase)).search(data)]


@cache
def _compile(phrase: bytes) -> "re.Pattern[bytes]":
    """Return a pattern of a phrase that goes on over line ends: letters anywhere, words at a blank."""
    end = b"(?:%s)?" % _END.pattern
    words = (
        end.join(re.escape(word[index : index + 1]) for index in range(len(word)))
        for word in _BLANK.split(phrase)
        if word
    )
    return re.compile((b"(?:%s)" % _BLANK.pattern).join(words))


_SECONDS = 1800.0
_BATCH = 2000
_KINDS = ("blob", "commit", "tag", "tree")
_TEMPORARY = "refs/clawgit/purge/"
_STASHES, _HEADS, _NEW = (f"{_TEMPORARY}{name}/" for name in ("stash", "head", "new"))
_NAME = b"purged"  # stands in the name of a reference, which takes no brackets
_OPTIONS = ("--force", "--prune-empty", "never", "--prune-degenerate", "never", "--quiet")


class Order(Struct, frozen=True):
    """An order for a purge: phrases in all their forms, and files. `names` maps old names of files to new ones.

    `rewrite_blob` and `rewrite_message` get the remaining text of each file and message.
    """

    phrases: tuple[bytes, ...] = ()
    paths: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    rewrite_blob: Callable[[bytes], bytes] = bytes
    rewrite_message: Callable[[bytes], bytes] = bytes


class Rewritten(Struct, frozen=True):
    """A mirror with the new history: references before and after, and the new ids of commits and blobs by the old ones.

    `names` are the references with a new name, by the old one; `stashes` the entries of the stash, the newest first.
    """

    mirror: Path
    before: Mapping[str, Oid]
    after: Mapping[str, Oid]
    commits: Mapping[Oid, Oid]
    blobs: Mapping[Oid, Oid]
    names: Mapping[str, str]
    stashes: tuple[tuple[Oid, str], ...]


def find_objects(
    root: Path, phrases: Sequence[bytes], kinds: Collection[str] = _KINDS
) -> Iterator[tuple[Oid, str, bytes]]:
    """Yield the objects with a phrase in them, reachable or not: id, kind, bytes."""
    words = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    rows = (row.split() for row in git(root, *words, timeout=_SECONDS).decode().splitlines())
    oids = [oid for oid, kind in rows if kind in kinds]
    for start in range(0, len(oids), _BATCH):
        for oid, (kind, data) in objects(root, oids[start : start + _BATCH]).items():
            if has_phrase(data, phrases):
                yield oid, kind, data


def rename_files(repo: Repository, phrases: Sequence[bytes]) -> dict[str, str]:
    """Return a new name for each file of history with a phrase in its name; two files never get the same one."""
    words = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "--name-only", "-z")
    raw_names = git(repo.root, *words, timeout=_SECONDS).split(b"\0")
    names = {os.fsdecode(name.strip(b"\n")) for name in raw_names if name.strip(b"\n")}
    renamed: dict[str, str] = {}
    for name in sorted(names):
        if has_phrase(os.fsencode(name), phrases):
            plain = os.fsdecode(remove_phrases(os.fsencode(name), phrases))
            new, number = plain, 2
            while new in names:
                new, number = f"{plain}-{number}", number + 1
            renamed[name] = new
            names.add(new)
    return renamed


def rename_reference(name: str, phrases: Sequence[bytes]) -> str:
    """Return the name of a reference without phrases."""
    return os.fsdecode(remove_phrases(os.fsencode(name), phrases, _NAME))


def clear(repo: Repository) -> None:
    """Drop the mirrors and temporary references of killed processes."""
    for folder in (repo.commondir / "clawgit").glob("purge-*/"):
        shutil.rmtree(folder, ignore_errors=True)
    for name in repository.list_references(repo.root):
        if name.startswith(_TEMPORARY):
            git(repo.root, "update-ref", "-d", name)


@contextlib.contextmanager
def rewrite_mirror(repo: Repository, order: Order) -> Iterator[Rewritten]:
    """Rewrite a mirror beside the repository, and read all of it again.

    Raises ClawgitError if git-filter-repo fails or is missing, and while any of it is left.
    """
    if find_spec("git_filter_repo") is None:
        raise package_missing("purge needs git-filter-repo", fix=Command("pip install clawgit[purge]"))
    folder = Path(tempfile.mkdtemp(prefix="purge-", dir=repo.commondir / "clawgit"))
    mirror, output = folder / "mirror.git", b""
    with contextlib.suppress(ClawgitError):  # of no stash
        output = git(repo.root, "reflog", "show", "--format=%H%x00%gs", "refs/stash")
    stashes = [(row[:40], row[41:]) for row in decode_lines(output) if "\0" in row]
    try:
        # A mirror has references alone, so older stash entries and detached heads get some for this time.
        for number, (oid, _) in enumerate(stashes):
            git(repo.root, "update-ref", f"{_STASHES}{number}", oid)
        for number, checkout in enumerate(repository.list_checkouts(repo)):
            git(repo.root, "update-ref", f"{_HEADS}{number}", checkout.head)
        before = repository.list_references(repo.root)
        words = ("clone", "--quiet", "--mirror", "--no-hardlinks", str(repo.commondir), str(mirror))
        git(repo.root, *words, timeout=_SECONDS)
        blobs = _filter(mirror, order)
        if left := [oid for oid, _, _ in find_objects(mirror, order.phrases)]:
            raise purge_incomplete(f"still in {len(left)} objects, such as {left[0]}", fix=Command("clawgit doctor"))
        pairs = (row.split(" ") for row in (mirror / "filter-repo/commit-map").read_text().splitlines()[1:])
        # git-filter-repo writes zeros for a commit that it dropped.
        commits = {old: new for old, new in pairs if new.strip("0")}
        _move_notes(mirror, commits | blobs)
        names = {name: rename_reference(name, order.phrases) for name in before}
        # git-filter-repo makes branches of what a clone knows of its remote.
        references = repository.list_references(mirror)
        after = {name: references.get(names[name]) or commits.get(oid, oid) for name, oid in before.items()}
        titles = (os.fsdecode(remove_phrases(os.fsencode(title), order.phrases)) for _, title in stashes)
        new_stashes = ((after[f"{_STASHES}{number}"], title) for number, title in enumerate(titles))
        renames = {name: new for name, new in names.items() if new != name}
        yield Rewritten(mirror, before, after, commits, blobs, renames, tuple(new_stashes))
    finally:
        clear(repo)


def _filter(mirror: Path, order: Order) -> dict[Oid, Oid]:
    """Rewrite a mirror in a process of its own; return the new ids of blobs."""
    process = subprocess.run(
        [sys.executable, "-m", __name__],
        cwd=mirror,
        env=make_git_environment(mirror) | {"PYTHONPATH": os.pathsep.join(sys.path)},
        input=pickle.dumps(order),
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    if process.returncode:
        words = process.stderr.decode("utf-8", "replace").strip().splitlines() or [str(process.returncode)]
        raise purge_failed(f"git-filter-repo: {words[-1]}", fix=Command("clawgit doctor"))
    blobs: dict[Oid, Oid] = pickle.loads(process.stdout)  # noqa: S301 - of our own process
    return blobs


def main() -> None:
    """Rewrite the repository of this folder by the order on stdin; write the new ids of blobs to stdout."""
    engine: Any = import_module("git_filter_repo")  # an extra
    order: Order = pickle.load(sys.stdin.buffer)  # noqa: S301 - of our own process
    blobs: dict[Oid, Oid] = {}

    def plain(data: bytes) -> bytes:
        return remove_phrases(data, order.phrases)

    def change_blob(blob: Any, _: object) -> None:
        data = order.rewrite_blob(plain(blob.data))
        if data != blob.data:
            blobs[blob.original_id.decode()] = repository.hash_blob(data)
            blob.data = data

    options = [*_OPTIONS, *(word for path in order.paths for word in ("--path", path))]
    options += ["--invert-paths"] if order.paths else []
    # stdout carries the answer, so the output of git-filter-repo goes to stderr.
    with contextlib.redirect_stdout(sys.stderr):
        engine.RepoFilter(
            engine.FilteringOptions.parse_args(options),
            blob_callback=change_blob,
            message_callback=lambda text: order.rewrite_message(plain(text)),
            name_callback=plain,
            email_callback=plain,
            filename_callback=lambda name: (
                os.fsencode(order.names.get(os.fsdecode(name or b""), "")) or plain(name or b"")
            ),
            refname_callback=lambda name: os.fsencode(rename_reference(os.fsdecode(name), order.phrases)),
        ).run()
    sys.stdout.buffer.write(pickle.dumps(blobs))


def _move_notes(mirror: Path, ids: Mapping[Oid, Oid]) -> None:
    """Move notes to the commits and files in the place of theirs, in the newest commit of the notes."""
    for name, tip in repository.list_references(mirror).items():
        if name.startswith("refs/notes/"):
            rows = (row.partition(b"\t") for row in git(mirror, "ls-tree", "-r", "-z", tip).split(b"\0") if row)
            notes = {os.fsdecode(path).replace("/", ""): head for head, _, path in rows}
            tree = b"".join(b"%b\t%b\0" % (head, os.fsencode(ids.get(oid, oid))) for oid, head in notes.items())
            new_tree = git(mirror, "mktree", "-z", stdin=tree).strip()
            _, line, rest = git(mirror, "cat-file", "commit", tip).partition(b"\n")
            new = git(mirror, "hash-object", "-t", "commit", "-w", "--stdin", stdin=b"tree " + new_tree + line + rest)
            git(mirror, "update-ref", name, new.decode().strip())


def fetch(repo: Repository, rewritten: Rewritten) -> None:
    """Bring in the objects of the mirror; only temporary references lead to them."""
    words = ("--quiet", "--no-write-fetch-head", "--no-tags", str(rewritten.mirror), f"+refs/*:{_NEW}*")
    git(repo.root, "fetch", *words, timeout=_SECONDS)


def move_references(repo: Repository, rewritten: Rewritten) -> None:
    """Move all references, and the HEAD of each working tree, to the new history, at once."""
    # The record comes first: a reference must lead to no commit that it lacks.
    own_commits.rename(repo, rewritten.commits)
    detached = [checkout for checkout in repository.list_checkouts(repo) if not checkout.branch]
    after, names = rewritten.after, rewritten.names
    lines = [f"delete {name} {rewritten.before[name]}\ncreate {new} {after[name]}" for name, new in names.items()]
    lines += [
        f"update {name} {after[name]} {oid}"
        for name, oid in rewritten.before.items()
        if after[name] != oid and name not in names
    ]
    text = "".join(f"{line}\n" for line in ("start", *lines, "prepare", "commit"))
    git(repo.root, "update-ref", "--stdin", stdin=text.encode("utf-8", "surrogateescape"))
    for checkout in detached:
        git(checkout.root, "update-ref", "--no-deref", "HEAD", rewritten.commits.get(checkout.head, checkout.head))


def drop_unreachable(repo: Repository, stashes: Sequence[tuple[Oid, str]]) -> None:
    """Drop all reflogs, and the objects that nothing leads to; these entries of the stash stay."""
    for name in ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "AUTO_MERGE"):
        (repo.commondir / name).unlink(missing_ok=True)
    git(repo.root, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    if stashes:
        git(repo.root, "update-ref", "-d", "refs/stash")
        # The entry that is stored last is the newest of the stash.
        for oid, title in reversed(stashes):
            git(repo.root, "stash", "store", "-m", title, oid)
    git(repo.root, "gc", "--quiet", "--prune=now", timeout=_SECONDS)


def back_up(repo: Repository, place: Path) -> None:
    """Put all of history into a bundle that its owner alone can read. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    git(repo.root, "bundle", "create", "--quiet", str(place), "--all", timeout=_SECONDS)
    place.chmod(0o600)


if __name__ == "__main__":
    main()
