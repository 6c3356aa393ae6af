"""A timer of the user's systemd."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import ClawgitError, Command, file_foreign, unwritable
from clawgit.integrations.timers.timer import Called, Step, must, run

_OURS = "# clawgit: what is due in "
_FIX = Command("loginctl enable-linger", note="and log in again; or: clawgit schedule install --with cron")


class Systemd:
    """Two unit files in the user's folder; the timer calls clawgit every few minutes, and once after the machine woke.

    Which slots were missed clawgit knows by itself, so that one call catches up.
    """

    means = "systemd"

    def __init__(self, called: Called, environ: Mapping[str, str]) -> None:
        self._called = called
        config = environ.get("XDG_CONFIG_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".config")
        self.folder = Path(config) / "systemd/user"

    def plan(self) -> tuple[Step, ...]:
        """Return the files, and the commands that make them count."""
        written = tuple(Step("write", text, str(self.folder / name)) for name, text in self._units().items())
        if all(_read(Path(one.path)) == one.what for one in written):
            return ()
        return (*written, *(Step("run", " ".join(words)) for words in self._commands("enable")))

    def install(self) -> tuple[Step, ...]:
        """Write the files and start the timer; where systemd refuses, they go again."""
        steps = self.plan()
        before = {Path(one.path): _read(Path(one.path)) for one in steps if one.act == "write"}
        for place, text in before.items():
            if text is not None and not text.startswith(_OURS):
                raise file_foreign(f"{place} is somebody else's", fix=Command("mv {} {}", place, f"{place}.old"))
        try:
            for one in steps:
                if one.act == "write":
                    _write(Path(one.path), one.what)
            for words in self._commands("enable") if steps else ():
                must(words, fix=_FIX)
        except ClawgitError:
            for place, text in before.items():
                _write(place, text) if text is not None else place.unlink(missing_ok=True)
            self._tidy()
            raise
        return steps

    def farewell(self) -> tuple[Step, ...]:
        """Return the files of ours that are there, and the commands that stop the timer."""
        found = [place for name in self._units() if (_read(place := self.folder / name) or "").startswith(_OURS)]
        if not found:
            return ()
        stop, again = self._commands("disable")[::-1]
        removed = (Step("remove", "", str(place)) for place in found)
        return (Step("run", " ".join(stop)), *removed, Step("run", " ".join(again)))

    def uninstall(self) -> tuple[Step, ...]:
        """Stop the timer and take the files away; also where systemd does not run at the moment."""
        steps = self.farewell()
        for one in steps:
            if one.act == "remove":
                Path(one.path).unlink(missing_ok=True)
            else:
                with contextlib.suppress(ClawgitError):
                    run(one.what.split(" "))
        if steps:
            self._tidy()
        return steps

    def _tidy(self) -> None:
        """Take away the folders in which nothing is left."""
        for folder in (self.folder / "timers.target.wants", self.folder, self.folder.parent):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _commands(self, verb: str) -> tuple[tuple[str, ...], ...]:
        systemctl = ("systemctl", "--user")
        return (*systemctl, "daemon-reload"), (*systemctl, verb, "--now", f"{self._called.name}.timer")

    def _units(self) -> dict[str, str]:
        """Return the text of each unit file by its name (systemd.service(5), systemd.timer(5))."""
        called = self._called
        head = f"{_OURS}{called.root}\n[Unit]\nDescription=clawgit: what is due in {_plain(called.root)}\n"
        variables = "".join(f"Environment={_quoted(f'{key}={value}')}\n" for key, value in called.variables.items())
        command = " ".join(_quoted(word).replace("$", "$$") for word in called.words)
        service = (
            f"{head}\n[Service]\nType=oneshot\n{variables}EnvironmentFile=-%E/clawgit/environment\n"
            f"ExecStart={command}\nSuccessExitStatus=75\nKillMode=mixed\nTimeoutStopSec=30\nNice=10\n"
        )
        every = f"OnCalendar=*:0/{called.minutes}\nPersistent=true\nAccuracySec=30s\n"
        timer = f"{head}\n[Timer]\n{every}\n[Install]\nWantedBy=timers.target\n"
        return {f"{called.name}.service": service, f"{called.name}.timer": timer}


def _plain(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    """Return a word as a unit file takes it (systemd.syntax(7))."""
    return '"' + _plain(word).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read(place: Path) -> str | None:
    try:
        return place.read_text("utf-8", "replace")
    except OSError:
        return None


def _write(place: Path, text: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    except OSError as exc:
        raise unwritable(place, exc) from exc
