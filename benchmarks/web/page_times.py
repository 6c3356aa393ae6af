"""How long each page takes on a large workspace: the first time, and again while nothing moves.

    python benchmarks/web/page_times.py                            10,000 commits, 10,000 memories
    python benchmarks/web/page_times.py --commits 1000 --entries 1000 --rounds 10 --json

Pages are asked over the real server, on a connection that stays. `first` is when a page answers that was never asked
before, where it may say of a part that it is still being read; `whole` is when all of it is there. Then the 95th
percentile of the rounds after that, by the clock and in processor time, that of git included; and by the clock of a
page without anything on it, in the same minute: on a busy machine most of the time is waiting.
"""

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import date
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.scale import histories
from benchmarks.scale.audit_growth import memory_file
from clawgit.cli.ui_command import ask_silently
from clawgit.web import page_server, web_site

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
PAGES = {
    "today": "",
    "desk": "",
    "soul": "",
    "soul/blame": "",
    "why": "?line=SOUL.md%3A9",
    "memory": "",
    "memory (a word)": "?q=staging&sort=surest",
    "search": "?q=which+port+has+the+mail+queue",
    "context": "?text=which+port",
    "schedule": "",
    "growth": "",
    "audit": "",
    "report": "",
}
GOAL = 150.0


def made(root: Path, commits: int, touching: int, entries: int) -> None:
    """Make the workspace: a long history with SOUL.md in some of it, a long memory file, adopted and searched once."""
    root.mkdir()
    histories.born(root, commits, touching)
    with (root / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    (root / "MEMORY.md").write_text("".join(memory_file(entries)))
    for words in (["adopt", str(root)], ["-C", str(root), "search", "port"]):
        subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Browser:
    """Asks for pages as a browser would, on one connection."""

    def __init__(self, site: web_site.Site) -> None:
        self.connection = http.client.HTTPConnection(site.authority, timeout=300)
        self.root = site.sessions.root
        self.headers = {"Sec-Fetch-Site": "same-origin"}
        form = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request("POST", "/open", f"token={site.sessions.token}", form)
        answer = self.connection.getresponse()
        answer.read()
        self.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, page: str) -> tuple[float, str]:
        """Return the milliseconds until the last byte of a page, and the page."""
        began = time.perf_counter()
        self.connection.request("GET", f"{self.root}{page}", headers=self.headers)
        text = self.connection.getresponse().read().decode()
        return (time.perf_counter() - began) * 1000, text


def high(times: list[float]) -> float:
    """Return the 95th percentile."""
    return round(sorted(times)[max(0, round(len(times) * 0.95) - 1)], 1)


def measured(browser: Browser, rounds: int) -> dict[str, dict[str, float]]:
    """Return the times of each page, in milliseconds."""
    results = {}
    for name, state in PAGES.items():
        page = re.sub(r" \(.*", "", name) + state
        began = time.perf_counter()
        first, text = browser.ask(page)
        while 'class="pending"' in text:
            time.sleep(0.2)
            _, text = browser.ask(page)
        whole = (time.perf_counter() - began) * 1000
        took, busy, bare = [], [], []
        for _ in range(rounds):
            before = sum(os.times()[:4])
            took.append(browser.ask(page)[0])
            busy.append((sum(os.times()[:4]) - before) * 1000)
            bare.append(browser.ask("result/none")[0])
        results[name] = {
            "first_ms": round(first, 1),
            "whole_ms": round(whole, 1),
            "p50_ms": round(statistics.median(took), 1),
            "p95_ms": high(took),
            "cpu_p95_ms": high(busy),
            "bare_p95_ms": high(bare),
        }
    return results


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--touching", type=int, default=300)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-pages-") as folder:
        root = Path(folder).resolve() / "ws"
        made(root, options.commits, options.touching, options.entries)
        listening = page_server.bind_socket(0)
        where = page_server.authority(listening)
        site = web_site.Site(partial(ask_silently, root), root, [root, root / ".git"], where, None, date.today)
        stop = threading.Event()
        serving = threading.Thread(target=page_server.serve, args=(site, listening), kwargs={"is_over": stop.is_set})
        serving.start()
        try:
            pages = measured(Browser(site), options.rounds)
        finally:
            stop.set()
            serving.join()
    sizes = {"commits": options.commits, "entries": options.entries, "rounds": options.rounds, "cpus": os.cpu_count()}
    late = [name for name, row in pages.items() if row["p95_ms"] > GOAL]
    result = {**sizes, "pages": pages, "over_goal": late}
    keep(result)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    for name, row in pages.items():
        print(f"{name:<16}", "  ".join(f"{key.removesuffix('_ms')} {value:>8,.1f}" for key, value in row.items()))


if __name__ == "__main__":
    main()
