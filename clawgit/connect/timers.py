"""Timers of other programs that call clawgit."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix, quote_shell, shell_word
from clawgit.git import worktree_files
from clawgit.openclaw.host import Host
from clawgit.schedule.runner_state import Place

_PROGRAM_SECONDS = 60
_VARIABLES = ("PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
_OPENCLAWS = ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE", "OPENCLAW_WORKSPACE_DIR")
_MINUTES = 5
_CRONTAB = "crontab"
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
    """One thing that is done: `what` becomes the content of the file at `path`, or it goes, or `what` is run.

    In a `crontab` it is a part of the `whole`. Where a run fails `fix` is told; one that is not `needed` may fail.
    """

    act: Literal["write", "remove", "run"]
    what: str
    path: str = ""
    fix: Fix = NO_FIX
    needed: bool = True
    whole: bytes = b""


def carry_out(steps: Sequence[Step]) -> None:
    """Carry out steps; where one fails, the written files are as they were."""
    units = [Path(step.path) for step in steps if step.path not in ("", _CRONTAB)]
    before = {place: _read_unit(place) for place in units if steps[0].act == "write"}
    for place, text in before.items():
        if text is not None and not text.startswith(_OURS):
            raise errors.file_foreign(f"{place} is somebody else's", fix=Command("mv {} {}", place, f"{place}.old"))
    try:
        for step in steps:
            if step.path == _CRONTAB:
                _run_program((_CRONTAB, "-" if step.whole else "-r"), step.whole, fix=Command("crontab -e"))
            elif step.path:
                _write_unit(Path(step.path), step.what or None)
            else:
                with nullcontext() if step.needed else suppress(ClawgitError):
                    _run_program(shlex.split(step.what), fix=step.fix)
    except ClawgitError:
        for place, text in before.items():
            _write_unit(place, text)
        raise
    finally:  # folders in which nothing is left
        for place in units:
            for folder in (place.parent / "timers.target.wants", place.parent, place.parent.parent):
                with suppress(OSError):
                    folder.rmdir()


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
    variables = {name: environ[name] for name in (*_VARIABLES, *_OPENCLAWS) if environ.get(name)}
    # A timer starts in another folder, so it names the workspace.
    words = (str(program), "-C", str(place.root), "schedule", "run", "--once")
    for text in (*words, *variables.values()):
        if not text.isprintable():
            raise errors.path_invalid(
                f"no timer can name {text!r}", fix=Advice(f"mv {quote_shell(text)} NEW, then install")
            )
    name = f"clawgit-{place.state.name.rpartition('-')[2]}"
    return Called(words, variables, str(place.root), name)


def _plan_systemd(call: Called, environ: Mapping[str, str], *, installing: bool) -> tuple[Step, ...]:
    """Return the steps for two unit files in the user's folder; only files of ours go, also while systemd is away.

    The timer calls clawgit every few minutes, and once after the machine woke. Which slots were missed clawgit knows by
    itself, so that one call catches up.
    """
    settings = environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME") or Path.home()) / ".config"
    units = {Path(settings) / "systemd/user" / name: text for name, text in _list_units(call).items()}
    verb = "enable" if installing else "disable"
    reload, switch = (
        Step("run", f"systemctl --user {words}", fix=_LINGER, needed=installing)
        for words in ("daemon-reload", f"{verb} --now {call.name}.timer")
    )
    if installing:
        writes = (Step("write", text, str(place)) for place, text in units.items())
        return () if all(_read_unit(place) == text for place, text in units.items()) else (*writes, reload, switch)
    removals = [Step("remove", "", str(place)) for place in units if (_read_unit(place) or "").startswith(_OURS)]
    # `systemctl disable` needs the unit file, so it comes first.
    return (switch, *removals, reload) if removals else ()


def _list_units(call: Called) -> dict[str, str]:
    """Return the text of each unit file by its name (systemd.service(5), systemd.timer(5))."""
    root = call.root.replace("%", "%%")
    head = f"{_OURS}{call.root}\n[Unit]\nDescription=clawgit: what is due in {root}\n"
    variables = "".join(f"Environment={_quote_for_unit(f'{key}={value}')}\n" for key, value in call.variables.items())
    command = " ".join(_quote_for_unit(word).replace("$", "$$") for word in call.words)
    # Exit code 75 means busy: another run is under way, which is no failure.
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
        worktree_files.replace_file(place, None if text is None else text.encode())
    except OSError as exc:
        raise errors.make_unwritable_error(place, exc) from exc


def _plan_crontab(call: Called, _: Mapping[str, str], *, installing: bool) -> tuple[Step, ...]:
    """Return the step for one line between two markers; every other byte of the crontab stays."""
    try:
        before = _run_program((_CRONTAB, "-l"), fix=Command("crontab -l"))
    except ClawgitError as exc:
        # `crontab -l` fails for a user without a crontab.
        if "no crontab" not in exc.message.lower():
            raise
        before = b""
    ours = block(call)
    after = replace_block(before, call, ours if installing else b"")
    act: Literal["write", "remove"] = "write" if installing else "remove"
    return () if after == before else (Step(act, ours.decode(), _CRONTAB, whole=after),)


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


def _plan_openclaw(call: Called, environ: Mapping[str, str], *, installing: bool) -> tuple[Step, ...]:
    """Return the steps for a job of `openclaw cron`, which runs on the machine of its gateway, without a model.

    The job is the agent's who works in the workspace: one of several agents has to be named. There is one of a name;
    every one is removed.
    """
    host = Host(environ)
    if installing and host.version and host.version.number < _OLDEST:
        raise errors.openclaw_version(f"OpenClaw {host.version.text} cannot run commands yet", fix=_OTHER_TIMER)
    output = _run_program(("openclaw", "cron", "list", "--json"), fix=Command("openclaw gateway status"))
    try:
        document: Any = json.loads(output)
    except ValueError as exc:
        raise errors.timer_failed("openclaw cron list does not answer in JSON", fix=_OTHER_TIMER) from exc
    jobs = document.get("jobs", []) if isinstance(document, dict) else document
    ours = [job for job in jobs if isinstance(job, dict) and job.get("name") == call.name]
    if not installing:
        ids, fix = [str(job.get("id") or job.get("jobId")) for job in ours], Command("openclaw cron list")
        return tuple(Step("run", shlex.join(("openclaw", "cron", "rm", name)), fix=fix) for name in ids)
    agent = next((owner.id for owner in host.owners(Path(call.root))), "")
    variables = tuple(f"{key}={value}" for key, value in call.variables.items())
    words = (
        *("openclaw", "cron", "add", "--name", call.name, "--every", f"{_MINUTES}m", "--command-argv"),
        *(json.dumps(["env", *variables, *call.words], ensure_ascii=False), "--timeout-seconds", "3600"),
        *("--no-deliver", *(("--agent", agent) if agent else ())),
    )
    return () if ours else (Step("run", shlex.join(words), fix=_OTHER_TIMER),)


_PLANS = {"systemd": _plan_systemd, "cron": _plan_crontab, "openclaw": _plan_openclaw}


class Timer(Struct, frozen=True):
    """Something that calls clawgit every few minutes, by its `means`."""

    means: str
    call: Called
    environ: Mapping[str, str]

    def apply(self, *, installing: bool, really: bool = True) -> tuple[Step, ...]:
        """Install or remove it, and return the steps, none if that is done already; not `really`, a preview of them.

        Raises ClawgitError.
        """
        steps = _PLANS[self.means](self.call, self.environ, installing=installing)
        if really:
            carry_out(steps)
        return steps


def choose_timer(means: str | None, place: Place, program: Path, environ: Mapping[str, str]) -> Timer:
    """Return the timer of a workspace. Raises ClawgitError if this machine has none of the kind."""
    command = build_call(place, program, environ)
    if not means and (fix := find_other_timer(Host(environ))):
        raise errors.timer_missing("neither systemd nor cron is on this machine", fix=fix)
    return Timer(means or _usual_means(), command, environ)


def find_timers(place: Place, program: Path, environ: Mapping[str, str]) -> tuple[list[Timer], list[str]]:
    """Return the timers that call clawgit for a workspace, and a sentence for each that could not be looked at."""
    try:
        command = build_call(place, program, environ)
    except ClawgitError:  # no timer can name it, so none does
        return [], []
    programs = {"systemd": True, "cron": shutil.which("crontab"), "openclaw": shutil.which("openclaw")}
    result, unknown = list[Timer](), list[str]()
    for timer in (Timer(means, command, environ) for means, is_here in programs.items() if is_here):
        try:
            result += [timer] if timer.apply(installing=False, really=False) else []
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
