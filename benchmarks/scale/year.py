"""Runs a year of the schedule in seconds, and counts slots against runs.

    python benchmarks/scale/year.py                      Europe/Berlin and America/New_York
    python benchmarks/scale/year.py --zone Asia/Tokyo --json

The clock is moved in steps of ten minutes through 2027; two changes to summer time and back, three outages of hours,
a week asleep, a time that the operator changes in July, and a clock that is put back by two hours in September. Jobs
do nothing and end well; everything else is the real runner on a real workspace. Each slot has to be served exactly
once, or by the one run that catches up after a gap; every entry of `wrong` is one that was not. Exit 1 when there are
any.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.schedule.job_process import Did, Order
from clawgit.schedule.runner import WorkspaceRunner
from clawgit.schedule.runner_state import find_runner_place
from clawgit.workspace import bootstrap

STEP = timedelta(minutes=10)
GAPS = ((2, 10, 1, 9), (5, 21, 23, 31), (11, 3, 5, 3), (8, 9, 12, 7 * 24))  # month, day, hour, for how many hours
CHANGED, OLD, NEW = date(2027, 7, 1), "06:00", "08:15"
BACK = "2027-09-15T07:05"
DAILY = {
    "soul-keeper": "02:30",
    "memory-miner": "",
    "conflict-detector": "07:00",
    "housekeeping": "04:30",
    "digest": "08:00",
}
WEEKLY = {"vector-hygiene": (6, "03:30"), "promotion-review": (4, "18:00")}


@dataclass
class Year:
    """Slots by job, runs by job, the runs that caught up with more than one slot, and what went wrong."""

    zone: str
    slots: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    caught_up: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    seconds: float = 0
    wrong: list[str] = field(default_factory=list)


def configured(root: Path, zone: str, miner: str) -> None:
    """Let CONFIG.md name the zone and the time of the miner."""
    lines = (f"timezone: {zone}", f"cron_memory_miner: {miner}", "embedder: default")
    (root / "CONFIG.md").write_text("# Config\n\n```yaml\n" + "\n".join(lines) + "\n```\n")


def times(zone: ZoneInfo) -> list[datetime]:
    """Return the moments at which the runner looks; the clock is put back on the way."""
    gaps = []
    for month, day, hour, hours in GAPS:
        start = datetime(2027, month, day, hour, tzinfo=zone).astimezone(UTC)
        gaps.append((start, start + timedelta(hours=hours)))
    now, end = datetime(2027, 1, 1, tzinfo=zone).astimezone(UTC), datetime(2028, 1, 1, tzinfo=zone).astimezone(UTC)
    back, results = datetime.fromisoformat(BACK).replace(tzinfo=zone).astimezone(UTC), []
    jumped = False
    while now < end:
        if not any(start <= now < stop for start, stop in gaps):
            results.append(now)
        now += STEP
        if not jumped and now >= back:
            now, jumped = now - timedelta(hours=2), True
    return results


def first(day: date, at: str, zone: ZoneInfo) -> float:
    """Return the first moment at which a clock on the wall shows this time or a later one, looked for step by step."""
    wall = datetime.combine(day, clock_time.fromisoformat(at))
    now = wall.replace(tzinfo=UTC) - timedelta(hours=15)
    while now.astimezone(zone).replace(tzinfo=None) < wall:
        now += timedelta(minutes=5)
    return now.timestamp()


def expected(zone: ZoneInfo) -> dict[str, list[tuple[str, float]]]:
    """Return every slot of the year by job: its key, and its moment."""
    results: dict[str, list[tuple[str, float]]] = {job: [] for job in (*DAILY, *WEEKLY)}
    for number in range(365):
        day = date(2027, 1, 1) + timedelta(days=number)
        for job, index in DAILY.items():
            text = index or (OLD if day < CHANGED else NEW)
            results[job].append((day.isoformat(), first(day, text, zone)))
        year, week, weekday = day.isocalendar()
        for job, (on, index) in WEEKLY.items():
            if weekday == on + 1:
                results[job].append((f"{year}-W{week:02}", first(day, index, zone)))
    return results


def lived(root: Path, name: str) -> Year:
    """Let a year go by, and return what came of it."""
    zone, year = ZoneInfo(name), Year(name)
    served: dict[str, list[tuple[float, datetime]]] = {job: [] for job in (*DAILY, *WEEKLY)}
    current = [datetime(2027, 1, 1, tzinfo=zone)]
    environ = {**os.environ, "HOME": str(root.parent), "XDG_STATE_HOME": str(root.parent / "state")}
    environ["OPENCLAW_STATE_DIR"] = str(root.parent / "oc")

    def work(_order: Order, _stop: object) -> Did:
        return Did("nothing")

    configured(root, name, OLD)
    turn = WorkspaceRunner(find_runner_place(root, environ), work, lambda: current[0], lambda: False, environ)
    changed, began = False, time.perf_counter()
    for now in times(zone):
        current[0] = now
        if not changed and now.astimezone(zone).date() >= CHANGED:
            configured(root, name, NEW)
            changed = True
        for ended in turn.run():
            if ended.job in served:
                served[ended.job].append((datetime.fromisoformat(ended.last.slot).timestamp(), now))
        year.looks += 1
    year.seconds = time.perf_counter() - began
    looks = [now.timestamp() for now in times(zone)]
    for job, slots in expected(zone).items():
        judge(year, job, slots, served[job], looks)
    return year


def judge(
    year: Year, job: str, slots: list[tuple[str, float]], runs: list[tuple[float, datetime]], looks: list[float]
) -> None:
    """Hold the runs of a job against its slots: each slot belongs to the first look at or after it."""
    year.slots[job], year.runs[job] = len(slots), len(runs)
    expected: dict[float, list[float]] = {}
    for _, index in slots:
        look = next((item for item in looks if item >= index), None)
        if look is not None:
            expected.setdefault(look, []).append(index)
    year.caught_up[job] = sum(len(group) > 1 for group in expected.values())
    had = {now.timestamp(): moment for moment, now in runs}
    if len(had) != len(runs):
        year.wrong.append(f"{job}: two runs at one look")
    first = looks[0]
    for look, group in expected.items():
        if look not in had and group[-1] > first:
            year.wrong.append(f"{job}: slot {datetime.fromtimestamp(group[-1], UTC)} was not served at once")
        elif look in had and had[look] != group[-1]:
            year.wrong.append(f"{job}: {datetime.fromtimestamp(look, UTC)} served another slot")
    for look in had.keys() - expected.keys():
        year.wrong.append(f"{job}: a run at {datetime.fromtimestamp(look, UTC)} that no slot asked for")


def main() -> int:
    """Run the year in each zone, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--zone", action="append")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    years = []
    for zone in options.zone or ("Europe/Berlin", "America/New_York"):
        with tempfile.TemporaryDirectory(prefix="clawgit-year-") as folder:
            root = Path(folder) / "ws"
            root.mkdir()
            subprocess.run(["git", "init", "--quiet", "-b", "main", root], check=True)
            bootstrap.init(root).workspace.close()
            years.append(lived(root, zone))
            shutil.rmtree(root)
    keep([asdict(item) for item in years])
    if options.json:
        print(json.dumps([asdict(item) for item in years], indent=2))
    for year in () if options.json else years:
        print(f"{year.zone}: {year.looks:,} looks in {year.seconds:.1f} s")
        print(f"  {'job':<20} {'slots':>6} {'runs':>6} {'caught up':>10}")
        for job, slots in year.slots.items():
            print(f"  {job:<20} {slots:>6} {year.runs[job]:>6} {year.caught_up[job]:>10}")
        print("\n".join(f"  wrong: {item}" for item in year.wrong) or "  every slot was served once")
    return int(any(item.wrong for item in years))


if __name__ == "__main__":
    sys.exit(main())
