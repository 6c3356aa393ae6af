"""What is written over before anybody captures it stays to be had."""

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import inotify, repository
from clawgit.workspace import seen_versions, watch
from clawgit.workspace.watch import Observer

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@contextlib.contextmanager
def watched(place) -> Iterator[tuple[Observer, list[ClawgitError]]]:
    """Watch a workspace; when this ends, all that was read is kept."""
    told: list[ClawgitError] = []
    observer = Observer(place.root, told.append)
    try:
        yield observer, told
    finally:
        observer.close()


def until(true: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def seen(place, path: str) -> list[str]:
    return [one.text for one in seen_versions.versions(repository.find(place.root), path)]


def test_a_rename_into_place_is_a_write_and_new_folders_are_watched_at_once(place) -> None:
    with watched(place):
        (place.root / "draft").write_text("- saved as editors save\n")
        (place.root / "draft").rename(place.root / "memory/b.md")
        (place.root / "memory/x/y").mkdir(parents=True)
        (place.root / "memory/x/y/c.md").write_text("- deep\n")
        until(lambda: seen(place, "memory/b.md") and seen(place, "memory/x/y/c.md"))
        (place.root / "memory/x").rename(place.root / "memory/z")
        until(lambda: seen(place, "memory/z/y/c.md"))
        (place.root / "memory/z/y/c.md").write_text("- deeper\n")
        until(lambda: len(seen(place, "memory/z/y/c.md")) == 2)
        (place.root / "memory/z/y/c.md").unlink()
        shutil.rmtree(place.root / "memory/z")
        (place.root / "memory/b.md").write_text("- and on it goes\n")
        until(lambda: len(seen(place, "memory/b.md")) == 2)


def test_secrets_and_what_is_not_ours_are_kept_nowhere(place) -> None:
    with watched(place):
        (place.root / "memory/keys.md").write_text(f"key {KEY}\n")
        (place.root / "notes.txt").write_text("not ours\n")
        (place.root / "memory/link.md").symlink_to("/etc/hostname")
        os.mkfifo(place.root / "memory/pipe.md")
        (place.root / "CHANGELOG.md").write_text("<!-- clawgit: rendered from the log, do not edit -->\n")
        (place.root / "memory/last.md").write_text("- ours\n")
        until(lambda: seen(place, "memory/last.md"))
    assert {one.path for one in seen_versions.versions(repository.find(place.root))} == {"memory/last.md"}
    assert repository.hash_blob(f"key {KEY}\n".encode()) not in repository.find(place.root).raw


def test_after_an_overflown_queue_every_file_is_looked_at_again(place) -> None:
    (place.root / "memory/a.md").write_text("- before\n")
    folders = [place.root, place.root / "memory"]
    events = inotify.FolderEvents()
    events.follow(place.root, folders)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    for _ in range(most // 3 + 1):  # created, closed, moved away: three events
        (place.root / "memory/x").touch()
        (place.root / "memory/x").unlink()
    found = set[Path]()
    until(lambda: (found.update(*events.wait(0.1).values()), set(folders) <= found)[-1])
    events.close()


def test_without_room_for_watches_it_is_told_and_files_are_looked_at(place, monkeypatch: pytest.MonkeyPatch) -> None:
    real = inotify._checked

    def no_room(number: int) -> int:
        if real(number) > 0 and no_room.watches:
            raise OSError(28, "No space left on device")
        no_room.watches = True
        return number

    no_room.watches = False
    monkeypatch.setattr(inotify, "_checked", no_room)
    with watched(place) as (_, told):
        until(lambda: told)
        assert "max_user_watches" in told[0].message
        assert str(told[0].fix).startswith("sudo sysctl fs.inotify.max_user_watches=")
        (place.root / "memory/a.md").write_text("- seen by looking\n")
        until(lambda: seen(place, "memory/a.md"))


def test_whoever_only_watches_has_git_pack_once_a_day_and_old_versions_dropped(place, monkeypatch) -> None:
    place.git("config", "gc.auto", "1")
    repo = repository.find(place.root)
    for number in range(600):  # it counts those whose id begins with 17
        repo.raw.create_blob(str(number).encode())
    seen_versions.keep_blob(repo, "memory/a.md", b"- long ago\n", time.time() - 15 * 86_400)
    seen_versions.keep_blob(repo, "memory/a.md", b"- of late\n", time.time() - 86_400)
    monkeypatch.setattr(watch, "PACKING_SECONDS", 0.0)
    stop = threading.Event()
    watching = threading.Thread(target=watch.Watch(place.root).run, args=(lambda _: None, stop))
    watching.start()
    until(lambda: list((place.root / ".git/objects/pack").glob("*.pack")))
    stop.set()
    watching.join()
    assert seen(place, "memory/a.md") == ["- of late\n"]
