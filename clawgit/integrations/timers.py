"""Timers of other programs that call clawgit."""

import json
import re
import shlex
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix, quote_shell, shell_word
from clawgit.schedule.runner_state import Place
from clawgit.workspace.host.host import Host
from clawgit.workspace.host.openclaw_files import Version

_PROGRAM_SECONDS = 60
_PASSED = ("PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
_OPENCLAWS = ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE", "OPENCLAW_WORKSPACE_DIR")
_MINUTES = 5
_OURS = "# clawgit: what is due in "
BOOTED = Path("/run/systemd/system")
"""Is there where systemd runs (sd_booted(3))."""
_LINGER = Command("loginctl enable-linger", note="and log in again; or: clawgit schedule install --with cron")
_OLDEST = (2026, 6, 0)
"""Since when OpenClaw's jobs can run a command."""
_OTHER_TIMER = Command("clawgit schedule install --with systemd", note="or --with cron")


def _run_program(words: Sequence[str], text: bytes | None = None, *, fix: Fix = NO_FIX) -> bytes:
    """Run a program with `text` on stdin, and return its output. Raises ClawgitError with its own words if it fails."""
    try:
        process = subprocess.run(
            [*words], input=text or b"", capture_output=True, timeout=_PROGRAM_SECONDS, check=False
        )
    except FileNotFoundError as exc:
        raise errors.program_missing(f"{words[0]} is missing", fix=Command("clawgit schedule install --help")) from exc
    except subprocess.TimeoutExpired as exc:
        raise errors.program_slow(f"{words[0]} took longer than {_PROGRAM_SECONDS} seconds") from exc
    if process.returncode:
        reason = process.stderr.decode("utf-8", "replace").strip() or f"exit code {process.returncode}"
        raise errors.program_failed(f"{' '.join(words[:3])}: {reason}", fix=fix)
    return process.stdout


class Step(Struct, frozen=True):
    """One thing that is done: `what` becomes the content of the file at `path`, or it goes, or `what` is run."""

    act: Literal["write", "remove", "run"]
    what: str
    path: str = ""


class Timer(ABC):
    """Something that calls clawgit every few minutes, by its `means`. A failure raises ClawgitError."""

    means: str

    @abstractmethod
    def plan(self, *, installing: bool) -> tuple[Step, ...]:
        """Return the steps to install or remove it; none if that is done already."""

    @abstractmethod
    def carry_out(self, steps: Sequence[Step], *, installing: bool) -> None:
        """Carry out the steps."""

    def apply(self, *, installing: bool, really: bool = True) -> tuple[Step, ...]:
        """Install or remove it, and return the steps; not `really`, a preview of them."""
        steps = self.plan(installing=installing)
        if really and steps:
            self.carry_out(steps, installing=installing)
        return steps


class Called(Struct, frozen=True):
    """The command of a timer: its workspace and its variables.

    No variable that can contain a password is among them.
    """

    words: tuple[str, ...]
    variables: Mapping[str, str]
    root: str
    name: str


def build_call(place: Place, program: Path, environ: Mapping[str, str]) -> Called:
    """Return the command. Raises ClawgitError for a path that no timer can store."""
    variables = {name: environ[name] for name in (*_PASSED, *_OPENCLAWS) if environ.get(name)}
    words = (str(program), "-C", str(place.root), "schedule", "once")
    for text in (*words, *variables.values()):
        if not text.isprintable():
            raise errors.path_invalid(
                f"no timer can name {text!r}", fix=Advice(f"mv {quote_shell(text)} NEW, then install")
            )
    name = f"clawgit-{place.state.name.rpartition('-')[2]}"
    return Called(words, variables, str(place.root), name)


class Systemd(Timer):
    """Two unit files in the user's folder; the timer calls clawgit every few minutes, and once after the machine woke.

    Which slots were missed clawgit knows by itself, so that one call catches up.
    """

    means = "systemd"

    def __init__(self, call: Called, environ: Mapping[str, str]) -> None:
        self._called = call
        settings = environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME") or Path.home()) / ".config"
        self.folder = Path(settings) / "systemd/user"

    def plan(self, *, installing: bool) -> tuple[Step, ...]:
        """Return the files, and the commands that make them count or stop the timer; only files of ours go."""
        units = {self.folder / name: text for name, text in self._units().items()}
        if installing:
            writes = tuple(Step("write", text, str(place)) for place, text in units.items())
            is_done = all(_read_unit(place) == text for place, text in units.items())
            return () if is_done else (*writes, self._reload, self._run("enable"))
        removals = [Step("remove", "", str(place)) for place in units if (_read_unit(place) or "").startswith(_OURS)]
        return (self._run("disable"), *removals, self._reload) if removals else ()

    def carry_out(self, steps: Sequence[Step], *, installing: bool) -> None:
        """Write the files and start the timer, or stop it and remove them; if systemd refuses, they are removed again.

        Removing also works while systemd does not run.
        """
        before = {Path(step.path): _read_unit(Path(step.path)) for step in steps if step.act == "write"}
        for place, text in before.items():
            if text is not None and not text.startswith(_OURS):
                raise errors.file_foreign(f"{place} is somebody else's", fix=Command("mv {} {}", place, f"{place}.old"))
        try:
            for step in steps:
                if step.path:
                    _write_unit(Path(step.path), step.what or None)
                else:
                    with nullcontext() if installing else suppress(ClawgitError):
                        _run_program(step.what.split(" "), fix=_LINGER)
        except ClawgitError:
            for place, text in before.items():
                _write_unit(place, text)
            raise
        finally:  # folders in which nothing is left
            for folder in (self.folder / "timers.target.wants", self.folder, self.folder.parent):
                with suppress(OSError):
                    folder.rmdir()

    _reload = Step("run", "systemctl --user daemon-reload")

    def _run(self, verb: str) -> Step:
        return Step("run", f"systemctl --user {verb} --now {self._called.name}.timer")

    def _units(self) -> dict[str, str]:
        """Return the text of each unit file by its name (systemd.service(5), systemd.timer(5))."""
        call = self._called
        root = call.root.replace("%", "%%")
        head = f"{_OURS}{call.root}\n[Unit]\nDescription=clawgit: what is due in {root}\n"
        variables = "".join(
            f"Environment={_quote_for_unit(f'{key}={value}')}\n" for key, value in call.variables.items()
        )
        command = " ".join(_quote_for_unit(word).replace("$", "$$") for word in call.words)
        service = (
            f"{head}\n[Service]\nType=oneshot\n{variables}EnvironmentFile=-%E/clawgit/environment\n"
            f"ExecStart={command}\nSuccessExitStatus=75\nKillMode=mixed\nTimeoutStopSec=30\nNice=10\n"
        )
        interval = f"OnCalendar=*:0/{_MINUTES}\nPersistent=true\nAccuracySec=30s\n"
        timer = f"{head}\n[Timer]\n{interval}\n[Install]\nWantedBy=timers.target\n"
        return {f"{call.name}.service": service, f"{call.name}.timer": timer}


def _quote_for_unit(word: str) -> str:
    """Return a word as a unit file takes it (systemd.syntax(7))."""
    return '"' + word.replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read_unit(place: Path) -> str | None:
    try:
        return place.read_text("utf-8", "replace")
    except OSError:
        return None


def _write_unit(place: Path, text: str | None) -> None:
    try:
        if text is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
    except OSError as exc:
        raise errors.unwritable(place, exc) from exc


class Crontab(Timer):
    """One line between two markers; every other byte of the crontab stays."""

    means = "cron"

    def __init__(self, call: Called) -> None:
        self._called = call

    def plan(self, *, installing: bool) -> tuple[Step, ...]:
        """Return the block, or the block that would go."""
        before, ours = _read_crontab(), block(self._called)
        if replace_block(before, self._called, ours if installing else b"") == before:
            return ()
        return (Step("write" if installing else "remove", ours.decode(), "crontab"),)

    def carry_out(self, _: Sequence[Step], *, installing: bool) -> None:
        """Write the block in place of one that is there, or take it out; a crontab without anything else goes."""
        after = replace_block(_read_crontab(), self._called, block(self._called) if installing else b"")
        _run_program(("crontab", "-" if after else "-r"), after, fix=Command("crontab -e"))


def block(call: Called) -> bytes:
    """Return the lines of a workspace (crontab(5)); a percent sign would end the command."""
    variables = "".join(f"{key}={shell_word(value)} " for key, value in call.variables.items())
    command = variables + " ".join(shell_word(word) for word in call.words)
    begin, end = _block_markers(call)
    line = f"*/{_MINUTES} * * * * {command} >/dev/null 2>&1".replace("%", "\\%")
    return f"{begin} {call.root}\n{line}\n{end}\n".encode()


def replace_block(text: bytes, call: Called, block: bytes) -> bytes:
    """Return a crontab with another block of a workspace: in its old place, else at the end; b"" removes it.

    Raises ClawgitError for a block that does not end.
    """
    begin, end = (re.escape(marker.encode()) for marker in _block_markers(call))
    if match := re.search(rb"^%s (?:.*\n)+?%s\r?(?:\n|\Z)" % (begin, end), text, re.MULTILINE):
        return text[: match.start()] + block + text[match.end() :]
    if re.search(rb"^%s " % begin, text, re.MULTILINE):
        fix = Command("crontab -e", note="remove it")
        raise errors.timer_damaged(f"crontab block {call.name} has no end", fix=fix)
    return text + (b"\n" if block and text and not text.endswith(b"\n") else b"") + block


def _block_markers(call: Called) -> tuple[str, str]:
    return f"# {call.name}: begin", f"# {call.name}: end"


def _read_crontab() -> bytes:
    """Return the crontab, b"" if there is none."""
    try:
        return _run_program(("crontab", "-l"), fix=Command("crontab -l"))
    except ClawgitError as exc:
        if "no crontab" not in exc.message.lower():
            raise
        return b""


class OpenClaw(Timer):
    """`openclaw cron` runs the command on the machine of its gateway, without a model and without a message.

    The job is the `agent`'s: one of several agents has to be named.
    """

    means = "openclaw"

    def __init__(self, call: Called, version: Version | None, agent: str = "") -> None:
        self._called, self._version, self._agent = call, version, agent

    def plan(self, *, installing: bool) -> tuple[Step, ...]:
        """Return the command that adds the job, unless there is one of that name; or those that remove every one."""
        if installing and self._version and self._version.number < _OLDEST:
            raise errors.openclaw_version(f"OpenClaw {self._version.text} cannot run commands yet", fix=_OTHER_TIMER)
        ids = self._list_ids()
        if not installing:
            return tuple(Step("run", shlex.join(("openclaw", "cron", "rm", name))) for name in ids)
        return () if ids else (Step("run", shlex.join(self._words())),)

    def carry_out(self, steps: Sequence[Step], *, installing: bool) -> None:
        """Add the job, or remove it."""
        for step in steps:
            _run_program(shlex.split(step.what), fix=_OTHER_TIMER if installing else Command("openclaw cron list"))

    def _words(self) -> tuple[str, ...]:
        call = self._called
        variables = tuple(f"{key}={value}" for key, value in call.variables.items())
        argv = json.dumps(["env", *variables, *call.words], ensure_ascii=False)
        return (
            *("openclaw", "cron", "add", "--name", call.name, "--every", f"{_MINUTES}m"),
            *("--command-argv", argv, "--timeout-seconds", "3600", "--no-deliver"),
            *(("--agent", self._agent) if self._agent else ()),
        )

    def _list_ids(self) -> list[str]:
        """Return the ids of the jobs of ours."""
        output = _run_program(("openclaw", "cron", "list", "--json"), fix=Command("openclaw gateway status"))
        try:
            document: Any = json.loads(output)
        except ValueError as exc:
            raise errors.timer_failed("openclaw cron list does not answer in JSON", fix=_OTHER_TIMER) from exc
        jobs = document.get("jobs", []) if isinstance(document, dict) else document
        ours = [job for job in jobs if isinstance(job, dict) and job.get("name") == self._called.name]
        return [str(job.get("id") or job.get("jobId")) for job in ours]


def choose_timer(means: str | None, place: Place, program: Path, environ: Mapping[str, str]) -> Timer:
    """Return the timer of a workspace. Raises ClawgitError if this machine has none of the kind."""
    command = build_call(place, program, environ)
    host = Host(environ)
    if not means and (fix := find_other_timer(host)):
        raise errors.timer_missing("neither systemd nor cron is on this machine", fix=fix)
    match means or _usual_means():
        case "systemd":
            return Systemd(command, environ)
        case "cron":
            return Crontab(command)
        case _:
            return OpenClaw(command, host.version, next((owner.id for owner in host.owners(place.root)), ""))


def find_timers(place: Place, program: Path, environ: Mapping[str, str]) -> tuple[list[Timer], list[str]]:
    """Return the timers that call clawgit for a workspace, and a sentence for each that could not be looked at."""
    try:
        command = build_call(place, program, environ)
    except ClawgitError:  # no timer can name it, so none does
        return [], []
    timers: list[Timer] = [Systemd(command, environ)]
    timers += [Crontab(command)] if shutil.which("crontab") else []
    timers += [OpenClaw(command, None)] if shutil.which("openclaw") else []
    result, unknown = list[Timer](), list[str]()
    for timer in timers:
        try:
            result += [timer] if timer.plan(installing=False) else []
        except ClawgitError as exc:
            unknown.append(f"whether {timer.means} calls clawgit here is unknown: {exc.message}; look with: {exc.fix}")
    return result, unknown


def _usual_means() -> str:
    if BOOTED.is_dir() and shutil.which("systemctl"):
        return "systemd"
    return "cron" if shutil.which("crontab") else ""


def find_other_timer(host: Host) -> Command | None:
    """Return the command for automatic work without systemd and cron; None if there is one of them."""
    if _usual_means():
        return None
    if host.program and host.version and host.version.number >= _OLDEST:
        return Command("clawgit schedule install --with openclaw --apply")
    return Command("clawgit schedule run", note="from whatever starts programs here")
