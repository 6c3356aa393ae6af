"""The file that carries state to another machine."""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from msgspec import Struct

from clawgit import __version__, errors
from clawgit.errors import Advice, ClawgitError, Command

VERSION = 2
_MANIFEST, _END = "manifest.json", "end.json"
_LARGEST_MANIFEST = 64 << 20
_PIECE = 1 << 20


class Item(Struct, frozen=True):
    """One file in it, with its size in bytes and the SHA-256 of them."""

    name: str
    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """What a file holds, and whose it is.

    `roots` are the commits that the workspace's history begins with, `head` the one that it was at. `without` are
    sentences about what is not carried.
    """

    version: int
    written: str
    clawgit: str
    workspace: str
    roots: tuple[str, ...]
    head: str | None
    items: tuple[Item, ...]
    without: tuple[str, ...]


def written(
    place: Path,
    files: Mapping[str, Path],
    *,
    when: str,
    workspace: str,
    roots: tuple[str, ...],
    head: str | None,
    without: tuple[str, ...],
) -> Manifest:
    """Write the file, readable for its owner alone, and return what it holds.

    It stands whole under its name, or not at all. Raises ClawgitError where something stands there, or nothing can be
    written.
    """
    if os.path.lexists(place):
        raise errors.file_exists(f"{place} is there already", fix=Advice("clawgit state export NEW_FILE"))
    items = tuple(_item(name, path) for name, path in sorted(files.items()))
    manifest = Manifest(VERSION, when, __version__, workspace, roots, head, items, without)
    said = msgspec.json.encode(manifest)
    fresh = place.with_name(f".{place.name}.{os.urandom(4).hex()}.new")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
                _add(archive, _MANIFEST, said)
                for item in items:
                    _add_file(archive, item, files[item.name])
                _add(archive, _END, json.dumps({"manifest": hashlib.sha256(said).hexdigest()}).encode())
            file.flush()
            os.fsync(file.fileno())
        os.link(fresh, place)  # never over one that has come meanwhile
    except OSError as exc:
        raise errors.unwritable(place, exc) from exc
    finally:
        fresh.unlink(missing_ok=True)
    return manifest


def _item(name: str, path: Path) -> Item:
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return Item(name, size, digest.hexdigest())


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), 0o600
    archive.addfile(member, io.BytesIO(data))


def _add_file(archive: tarfile.TarFile, item: Item, path: Path) -> None:
    member = tarfile.TarInfo(item.name)
    member.size, member.mode = item.size, 0o600
    with path.open("rb") as file:
        archive.addfile(member, file)


def unpacked(place: Path, into: Path) -> Manifest:
    """Write what a file holds below the folder `into`, and return what it is; each byte is held against its checksum.

    Raises ClawgitError for what is no such file, is of a newer clawgit, is cut off, or is not as it was written.
    """
    try:
        with tarfile.open(place, "r:gz") as archive:
            manifest, said = _manifest(archive, place)
            for item in manifest.items:
                _extract(archive, item, into, place)
            end = json.loads(_next(archive, _END, place, 4096))
            if end.get("manifest") != hashlib.sha256(said).hexdigest() or archive.next() is not None:
                raise _changed(place, _MANIFEST)
            return manifest
    except FileNotFoundError as exc:
        raise errors.file_missing(f"there is no file {place}", fix=Command("ls -l {}", place.parent)) from exc
    except EOFError as exc:
        raise _cut_off(place) from exc
    except (tarfile.TarError, OSError, ValueError, AttributeError) as exc:
        if "end" in str(exc).lower() and "unexpected" in str(exc).lower():
            raise _cut_off(place) from exc
        raise errors.no_room(exc, into) or errors.archive_damaged(
            f"{place} is no file of clawgit state export, or is damaged: {exc}",
            fix=Advice("clawgit state export NEW_FILE"),
        ) from exc


def _manifest(archive: tarfile.TarFile, place: Path) -> tuple[Manifest, bytes]:
    said = _next(archive, _MANIFEST, place, _LARGEST_MANIFEST)
    version = json.loads(said).get("version")
    if not isinstance(version, int) or version > VERSION:
        raise errors.format_newer(
            f"{place} was written by a newer clawgit: its version is {version}, this one reads {VERSION}",
            fix=Command("pip install --upgrade clawgit"),
        )
    try:
        return msgspec.json.decode(said, type=Manifest), said
    except msgspec.MsgspecError as exc:
        raise _changed(place, _MANIFEST) from exc


def _next(archive: tarfile.TarFile, name: str, place: Path, most: int) -> bytes:
    member, file = _member(archive, name, place)
    if member.size > most:
        raise _changed(place, name)
    data = file.read()
    if len(data) != member.size:
        raise _cut_off(place)
    return data


def _member(archive: tarfile.TarFile, name: str, place: Path) -> tuple[tarfile.TarInfo, IO[bytes]]:
    member = archive.next()
    if member is None:
        raise _cut_off(place)
    file = archive.extractfile(member) if member.isreg() else None
    if member.name != name or file is None:
        raise _changed(place, member.name)
    return member, file


def _extract(archive: tarfile.TarFile, item: Item, into: Path, place: Path) -> None:
    parts = PurePosixPath(item.name).parts
    if not parts or item.name.startswith("/") or ".." in parts or "\0" in item.name:
        raise _changed(place, item.name)
    member, file = _member(archive, item.name, place)
    target = into.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, size = hashlib.sha256(), 0
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as out:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    if size < member.size:
        raise _cut_off(place)
    if (size, digest.hexdigest()) != (item.size, item.sha256):
        raise _changed(place, item.name)


def _cut_off(place: Path) -> ClawgitError:
    return errors.archive_damaged(f"{place} is cut off", fix=Advice("copy it again, and compare: sha256sum FILE"))


def _changed(place: Path, name: str) -> ClawgitError:
    return errors.archive_damaged(
        f"{place} is not as it was written: {name} does not fit its checksum",
        fix=Advice("clawgit state export NEW_FILE"),
    )
