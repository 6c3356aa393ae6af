"""Changes of folders, as the kernel reports them."""

import time
from pathlib import Path

from clawgit.git import inotify


def test_after_an_overflown_queue_every_folder_is_looked_at_again(tmp_path: Path) -> None:
    folders = [tmp_path, tmp_path / "memory"]
    folders[1].mkdir()
    events = inotify.FolderEvents()
    events.follow(tmp_path, folders)
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    for _ in range(limit // 3 + 1):  # created, closed, moved away: three events
        (folders[1] / "x").touch()
        (folders[1] / "x").unlink()
    seen_folders, end = set[Path](), time.monotonic() + 30
    while not set(folders) <= seen_folders:
        assert time.monotonic() < end
        seen_folders.update(*events.wait(0.1).values())
    events.close()
