"""Kills runners of three machines that share slots in PostgreSQL, and looks what is lost or done twice.

    python benchmarks/fleet/kills.py [--workspaces 20] [--minutes 10] [--every 10]

Each workspace has a guarded bare repository and a clone on each of three machines. On each machine `clawgit fleet run`
serves all of them; every so many seconds one of the three is killed (SIGKILL) and started anew, and twice the database
is restarted in between. The jobs of a day stand at minutes of this run, so each has one slot. Meanwhile lines are
written into journals of the clones. At the end everything is captured and synced. Told is: slots that nobody finished,
that two finished, runs that began more than once, lines that stand nowhere, and whether the heads came together.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import psycopg

from benchmarks.lib.results import keep
from clawgit.connect import git_hooks
from clawgit.git.repository import find_bare
from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import DAYS
from tests import moulds
from tests.sessions.postgres import nobody, programs, throwaway

PROGRAM = Path(sys.executable).with_name("clawgit")
WEEKLY = ("memory-compactor", "promotion-review")
JOBS = (*job_timetable.AGENTS, *WEEKLY[1:], "digest", "sync")
MACHINES = ("m0", "m1", "m2")


def git(root: Path, *arguments: str | Path) -> str:
    result = subprocess.run(["git", *map(str, arguments)], cwd=root, capture_output=True, text=True, check=True)
    return result.stdout


def config(start: datetime, minutes: int) -> str:
    """Return a CONFIG.md whose jobs stand at minutes of the run, spread over it."""
    rows, times = ["timezone: UTC"], {"housekeeping": "off"}
    for number, job in enumerate(JOBS):
        moment = start + timedelta(minutes=2 + number * max(1, minutes - 3) // len(JOBS))
        key, value = job_timetable.AGENTS.get(job, "cron_times"), f"{moment:%H:%M}"
        value = f"{DAYS[moment.weekday()]} {value}" if job in WEEKLY else value
        if key == "cron_times":
            times[job] = value
        else:
            rows.append(f'{key}: "{value}"')
    rows.append(f"cron_times: {json.dumps(times)}")
    return "# Config\n\n```yaml\n" + "\n".join(rows) + "\n```\n"


class World:
    """The clones, the runners, and what was written."""

    def __init__(self, home: Path, url: str, options: argparse.Namespace) -> None:
        self.home, self.url, self.dice = home, url, random.Random(3)
        self.names = [f"agent{number:03}" for number in range(options.workspaces)]
        self.lines: dict[str, str] = {}
        self.runners: dict[str, subprocess.Popen[bytes]] = {}
        self.kills = 0
        mould = moulds.managed(home / "mould", "# Soul\n\n- Be kind.\n")
        self.start_at = datetime.now(UTC) + timedelta(seconds=8 * options.workspaces)  # by then the clones are made
        (mould / "CONFIG.md").write_text(config(self.start_at, options.minutes))
        (mould / "memory").mkdir(exist_ok=True)
        (mould / "memory/2026-03-01.md").write_text("# Day\n\n- It began.\n")
        git(mould, "add", "-A")
        git(mould, "commit", "-qm", "begin")
        moulds.packed(mould)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self._made, self.names))
        for machine in MACHINES:
            (home / machine / "fleet.yaml").write_text("openclaw: false\nworkspaces: [agents/*]\n")

    def _made(self, name: str) -> None:
        hub = self.home / f"hubs/{name}.git"
        hub.parent.mkdir(exist_ok=True)
        git(self.home, "clone", "-q", "--bare", self.home / "mould", hub)
        git_hooks.install_server_hook(find_bare(hub), PROGRAM)
        for machine in MACHINES:
            root = self.home / machine / "agents" / name
            root.parent.mkdir(parents=True, exist_ok=True)
            git(self.home, "clone", "-q", hub, root)
            git(root, "config", "user.name", "Ada")
            git(root, "config", "user.email", "ada@example.org")
            self.call(machine, name, "sync")

    def environ(self, machine: str) -> dict[str, str]:
        place = self.home / machine
        return {
            **os.environ,
            "HOME": str(place),
            "XDG_STATE_HOME": str(place / "state"),
            "OPENCLAW_STATE_DIR": str(place / "oc"),
            "CLAWGIT_CHAT_URL": self.url,
        }

    def call(self, machine: str, name: str, *words: str) -> int:
        root = self.home / machine / "agents" / name
        result = subprocess.run(
            [PROGRAM, "-C", root, *words], env=self.environ(machine), capture_output=True, text=True, check=False
        )
        if result.returncode not in (0, 3):
            print(machine, name, words, result.returncode, result.stderr[-300:], file=sys.stderr)
        return result.returncode

    def start(self, machine: str) -> None:
        place = self.home / machine
        with (place / "out").open("a") as output, (place / "err").open("a") as err:
            self.runners[machine] = subprocess.Popen(
                [PROGRAM, "fleet", "run", "--json"],
                env=self.environ(machine) | {"CLAWGIT_FLEET": str(place / "fleet.yaml")},
                stdout=output,
                stderr=err,
                start_new_session=True,
            )

    def kill(self) -> None:
        machine = self.dice.choice(MACHINES)
        self.runners[machine].send_signal(signal.SIGKILL)
        self.runners[machine].wait()
        self.kills += 1
        self.start(machine)

    def write(self) -> None:
        machine, name = self.dice.choice(MACHINES), self.dice.choice(self.names)
        line = f"- {machine} noted {len(self.lines):05} of the relay in Porto."
        with (self.home / machine / "agents" / name / f"memory/2026-03-0{self.dice.randint(2, 5)}.md").open(
            "a"
        ) as file:
            file.write(f"{line}\n")
        self.lines[line] = name

    def end(self) -> None:
        for runner in self.runners.values():
            runner.send_signal(signal.SIGTERM)
        for runner in self.runners.values():
            runner.wait()

    def settled(self) -> tuple[list[str], int]:
        """Capture and sync everything; return the lines that stand nowhere, and how many heads differ."""

        def one(name: str) -> tuple[list[str], int]:
            for _ in range(3):
                for machine in MACHINES:
                    self.call(machine, name, "sync")
            hub = self.home / f"hubs/{name}.git"
            text = "".join(
                git(hub, "show", f"main:{path}")
                for path in git(hub, "ls-tree", "-r", "--name-only", "main").splitlines()
                if path.endswith(".md")
            )
            roots = [self.home / machine / "agents" / name for machine in MACHINES]
            trees = {git(root, "rev-parse", "HEAD^{tree}") for root in roots} | {git(hub, "rev-parse", "main^{tree}")}
            return [line for line, whose in self.lines.items() if whose == name and line not in text], len(trees) > 1

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(one, self.names))
        return [line for losses, _ in results for line in losses], sum(difference for _, difference in results)


def restarted(url: str) -> None:
    """Restart the database, as an update does."""
    data = Path(unquote(url.partition("host=")[2])) / "data"
    place = programs()
    assert place is not None
    subprocess.run(
        [place / "pg_ctl", "-D", data, "-m", "immediate", "-w", "restart"],
        user=nobody(),
        cwd=data,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def finished(url: str) -> list[tuple[str, str, bool, int]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT workspace, job, done IS NOT NULL, runs FROM clawgit_slot").fetchall()


def ended_well(home: Path) -> dict[tuple[str, str], int]:
    """Return how often each job ended well in each workspace, on all machines, as the runners told it."""
    results: dict[tuple[str, str], int] = {}
    for machine in MACHINES:
        for row in (home / machine / "out").read_text().splitlines():
            try:
                one = json.loads(row)
            except ValueError:  # of one that was killed while it wrote
                continue
            if one["slot"] and one["job"] in JOBS[:-1] and one["result"] in ("done", "nothing", "capped"):
                name = (Path(one["workspace"]).name, one["job"])
                results[name] = results.get(name, 0) + 1
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=20)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--every", type=float, default=10)
    options = parser.parse_args()
    place = programs()
    assert place is not None, "PostgreSQL is not installed: apt-get install postgresql"
    home = Path(tempfile.mkdtemp(prefix="clawgit-kills-"))
    os.environ.update(HOME=str(home), OPENCLAW_STATE_DIR=str(home / "oc"), GIT_CONFIG_NOSYSTEM="1")
    os.environ["PATH"] = f"{PROGRAM.parent}:{os.environ['PATH']}"
    (home / ".gitconfig").write_text("[init]\n\tdefaultBranch = main\n")
    try:
        with throwaway(place, durable=True) as url:
            world = World(home, url, options)
            for machine in MACHINES:
                shutil.copy(home / ".gitconfig", home / machine / ".gitconfig")
                world.start(machine)
            figures = ran(world, url, options)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for name, value in figures.items():
        print(f"{name:28} {value}")
    keep(figures)


def ran(world: World, url: str, options: argparse.Namespace) -> dict[str, object]:
    early = (world.start_at - datetime.now(UTC)).total_seconds()
    assert early > -60, "making the clones took too long: the first slots are over"
    time.sleep(max(0.0, early))
    start = time.monotonic()
    end, killed, restarts = start + 60 * options.minutes, start, 0
    jobs, want = len(JOBS) - 1, options.workspaces
    while time.monotonic() < end:
        world.write()
        time.sleep(0.5)
        if time.monotonic() - killed >= options.every:
            killed = time.monotonic()
            world.kill()
        if time.monotonic() - start > (restarts + 1) * (end - start) / 3 and restarts < 2:
            restarted(url)
            restarts += 1
    while time.monotonic() < end + 240:
        rows = finished(url)
        if sum(done for _, _, done, _ in rows) == jobs * want:
            break
        time.sleep(2)
    world.end()
    rows, well = finished(url), ended_well(world.home)
    losses, difference = world.settled()
    return {
        "workspaces": options.workspaces,
        "clones": 3 * options.workspaces,
        "kills": world.kills,
        "restarts_of_the_database": restarts,
        "slots": jobs * want,
        "slots_finished": sum(done for _, _, done, _ in rows),
        "slots_lost": jobs * want - sum(done for _, _, done, _ in rows),
        "slots_finished_by_two": sum(count > 1 for count in well.values()),
        "unfinished": sorted(f"{Path(workspace).name} {job}" for workspace, job, done, _ in rows if not done)
        + ([f"{jobs * want - len(rows)} never begun"] if len(rows) < jobs * want else []),
        "slots_begun_again": sum(runs > 1 for *_, runs in rows),
        "lines": len(world.lines),
        "lines_lost": len(losses),
        "workspaces_apart": difference,
        "seconds_after_the_last_kill": round(time.monotonic() - end),
    }


if __name__ == "__main__":
    main()
