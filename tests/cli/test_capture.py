"""`clawgit capture`."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


def test_what_may_not_enter_is_held_back_and_the_rest_is_captured(
    call: Callable, space: Path, inside: Callable
) -> None:
    (space / ".gitignore").write_text("memory/private.md\n")
    (space / "docs").mkdir()
    (space / "docs/tracked.md").write_text("a\n")
    inside("add", ".gitignore", "docs/tracked.md")
    inside("commit", "-q", "-m", "by hand")
    contents = {
        "secret": f"key {KEY}\n".encode(),
        "latin": b"caf\xe9\n",
        "binary": b"a\0b\n",
        "huge": b"x" * (3 << 20),
        "merge": b"<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n",
    }
    for name, data in contents.items():
        (space / f"memory/{name}.md").write_bytes(data)
    (space / "memory/link.md").symlink_to("../SOUL.md")
    expected = ["agents/scout/SOUL.md", "docs/tracked.md", "memory/a/b c 中.md", "notes.md"]
    others = ["src/app.py", "docs/new.md", "node_modules/x/README.md", "memory/data.json", "memory/private.md"]
    for path in (*expected, *others):
        (space / path).parent.mkdir(parents=True, exist_ok=True)
        (space / path).write_text("- new\n")
    answer = call("capture", "--json")
    assert {row["path"] for row in answer.json["held"]} == {f"memory/{name}.md" for name in (*contents, "link")}
    assert all(row["fix"] for row in answer.json["held"])
    assert KEY not in answer.out + answer.err
    files = inside("show", "-z", "--name-only", "--format=").strip("\0").split("\0")
    assert sorted(set(files) - {".clawgit/entries.tsv"}) == sorted(expected)


def test_a_secret_of_history_is_told_once_and_stops_nobody(call: Callable, space: Path, inside: Callable) -> None:
    for text in (f"a=1\nKEY={KEY}\n", "a=1\n"):
        (space / ".env").write_text(text)
        inside("add", "-f", ".env")
        inside("commit", "-q", "--no-verify", "-m", "by hand")
    brought = inside("rev-parse", "--short=10", "HEAD~1").strip()
    assert call("status", "--json").json["unread_commits"] > 0
    answer = call("capture")
    assert f"{brought} .env:2 holds a secret (aws-access-key" in answer.out + answer.err
    assert call("status", "--json").json.get("unread_commits", 0) == 0
    (alarm,) = [alarm for alarm in call("status", "--json").json["alarms"] if brought in alarm["message"]]
    assert call("hooks", "allow", alarm["fix"].split()[3]).code == 0
    assert not [alarm for alarm in call("status", "--json").json["alarms"] if brought in alarm["message"]]
    (space / "memory/back.md").write_text(f"key {KEY}\n")
    second = call("capture")
    assert "memory/back.md" in second.out
    assert "holds a secret" not in second.out + second.err
    (space / "memory/other.md").write_text(f"key {KEY[:-4]}QQ7R\n")
    assert [row["path"] for row in call("capture", "--json").json["held"]] == ["memory/other.md"]
    state = [place.read_bytes() for place in (space / ".git/clawgit").rglob("*") if place.is_file()]
    assert not any(KEY.encode() in data for data in state)


class Watcher:
    """`clawgit capture --watch` as a process of its own."""

    def __init__(self, space: Path, *options: str) -> None:
        command = Path(sys.executable).with_name("clawgit")
        self.out = space.parent / "out"
        self.err = space.parent / "err"
        with self.out.open("wb") as output, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [command, "capture", "--watch", *options], cwd=space, stdout=output, stderr=err
            )

    def until(self, words: str, seconds: float = 60, *, said: bool = True) -> str:
        place = self.out if said else self.err
        end = time.monotonic() + seconds
        while words not in place.read_text():
            assert time.monotonic() < end, (words, self.out.read_text(), self.err.read_text())
            assert self.process.poll() is None, self.err.read_text()
            time.sleep(0.05)
        return place.read_text()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def end(self) -> None:
        """Kill it at its present step."""
        self.process.kill()
        self.process.wait()


def test_no_line_that_somebody_writes_over_before_a_capture_is_lost(
    call: Callable, inside: Callable, space: Path
) -> None:
    """A writer that keeps the whole file in mind saves it again and again, each time with other lines."""
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", "```yaml\ncapture_quiet_seconds: 3\n", 1))
    inside("commit", "-q", "-a", "-m", "quick")
    watcher = Watcher(space)
    lines = [f"- line {number} of a restless writer" for number in range(60)]
    try:
        watcher.until("watching", said=False)
        (space / "memory/keys.md").write_text(f"key {KEY}\n")
        (space / "memory/link.md").symlink_to("/etc/hostname")
        (space / ".git/info").mkdir(exist_ok=True)
        (space / ".git/info/exclude").write_text("private.md\n")
        (space / "memory/private.md").write_text("- not for git\n")
        for number, line in enumerate(lines):
            place = space / f"memory/{number % 3}.md"
            if number % 2:
                place.write_text(f"# Notes\n\n{line}\n")
            else:
                (space / "saving").write_text(f"# Notes\n\n{line}\n")
                (space / "saving").rename(place)
            time.sleep(0.05)
        watcher.until("memory/2.md")
        assert watcher.stop() == 0
    finally:
        watcher.end()
    committed = inside("log", "-p", "--format=")
    seen_lines = {line for version in call("log", "--seen", "--json").json for line in version["alone"]}
    assert [line for line in lines if line not in committed and line not in seen_lines] == []
    assert [line for line in lines if line in seen_lines]
    paths = {version["path"] for version in call("log", "--seen", "--json").json}
    assert not {"memory/keys.md", "memory/link.md", "memory/private.md"} & paths
