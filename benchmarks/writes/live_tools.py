"""Which tool a reader of the model's request would call first, in a real OpenClaw.

    python benchmarks/writes/live_tools.py --requests requests.jsonl --intended intended.jsonl
    python benchmarks/writes/live_tools.py --intended intended.jsonl --chosen chosen.jsonl

The first writes what the model is sent for twenty messages, each in a conversation of its own: a row with what all of
them share, the tools and what the system prompt says before the files of the workspace, then a row for each message.
What should be called was written down before; it goes to another file. Somebody, or a model, who sees the requests
alone writes a row {"id", "tool"} for each, with "none" where no tool is needed. The second counts.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

LIVE = Path(__file__).parents[2] / "tests/live"
sys.path.insert(0, str(LIVE))
import installation  # noqa: E402
from model import Request  # noqa: E402
from openclaw import OpenClaw  # noqa: E402

MEMORY = {
    "memory/servers.md": "# Servers\n\n- The staging server is called heron.\n",
    "memory/network.md": "# Network\n\n- The VPN gateway is called petrel.\n- The printer has the address 10.0.0.9.\n",
    "memory/2026-09-04.md": "# 2026-09-04\n\n- The backup moved to Sundays.\n- Two drafts of the logo came in.\n",
}
ASKED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What did my notes say about the staging server on 2026-10-01?", ("clawgit_search",)),
    ("There was once a line about the coffee supplier, and I took it out. What did it say?", ("clawgit_search",)),
    ("Remember for good: the spare badge lies with the porter.", ("clawgit_remember",)),
    ("Please keep that I decided on REST for the public API.", ("clawgit_remember",)),
    ("You talk too much. Make it part of who you are to answer in three sentences.", ("clawgit_propose",)),
    ('Take the line "Have opinions." out of your SOUL.md.', ("clawgit_propose",)),
    ("Undo the last change that was made to the memory.", ("exec",)),
    ("Who wrote the line about the VPN in memory/network.md, and when?", ("exec", "clawgit_search")),
    ("No, the VPN gateway is called puffin, not petrel.", ("none",)),
    ("When did I last have the boiler serviced?", ("clawgit_search",)),
    ("What have we decided about the logo in the last months?", ("clawgit_search",)),
    ("Read me the first twenty lines of memory/network.md.", ("clawgit_read", "read")),
    ("What is 17 times 23?", ("none",)),
    ("Write me a haiku about rain.", ("none",)),
    ("Which files are in the workspace?", ("ls", "exec")),
    ("Write 'Buy stamps' into todo.md.", ("write",)),
    ("What is the staging server called?", ("none",)),
    ("Thanks, that was all for today.", ("none",)),
    ("How does one say good evening in Danish?", ("none",)),
    ("Whose idea was it to move the backup to Sundays, mine or yours?", ("clawgit_search",)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=Path, help="where the requests are written")
    parser.add_argument("--intended", type=Path, help="where it is written, or read, what should be called")
    parser.add_argument("--chosen", type=Path, help="what a reader would call")
    options = parser.parse_args()
    if options.chosen and options.intended:
        print("\n".join(counted(rows(options.intended), rows(options.chosen))))
        return
    if not options.requests:
        print("nothing to do: --requests FILE names where the requests are written")
        return
    if options.intended:
        write(options.intended, [{"id": index, "tools": tools} for index, (_, tools) in enumerate(ASKED, 1)])
    for name in [name for name in os.environ if name.startswith(("CLAWGIT_", "OPENCLAW_"))]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="clawgit-live-") as folder:
        openclaw = OpenClaw(installation.installed(), Path(folder) / "home")
        try:
            write(options.requests, requests(openclaw))
        finally:
            openclaw.close()


def requests(openclaw: OpenClaw) -> list[dict[str, Any]]:
    """Return what all requests share, then each message as the model sees it."""
    openclaw.onboard()
    openclaw.connect()
    openclaw.be_patient()
    for path, text in MEMORY.items():
        openclaw.keeps(path, text)
    openclaw.start()
    openclaw.say("Hello.")
    said = [
        openclaw.say(text, session=f"agent:main:direct:{index}").request for index, (text, _) in enumerate(ASKED, 1)
    ]
    (shared,) = {json.dumps([instructions(item), item.body.get("tools", [])]) for item in said}
    system, tools = json.loads(shared)
    offered = [row["function"] for row in tools]
    users = [{"id": index, "user": item.text("user")} for index, item in enumerate(said, 1)]
    return [{"system": system, "tools": offered}, *users]


def instructions(request: Request) -> str:
    """Return the system prompt as far as it is not the workspace's own files."""
    return request.text("system").partition("# Project Context")[0]


def counted(intended: list[dict[str, Any]], sample: list[dict[str, Any]]) -> list[str]:
    picked = {row["id"]: row["tool"] for row in sample}
    wrong = [row for row in intended if picked.get(row["id"]) not in row["tools"]]
    lines = [f"{row['id']}: {picked.get(row['id'])} for {' or '.join(row['tools'])}" for row in wrong]
    return [f"the right tool in one step: {len(intended) - len(wrong)} of {len(intended)}", *lines]


def rows(place: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in place.read_text("utf-8").splitlines() if line.strip()]


def write(place: Path, results: list[dict[str, Any]]) -> None:
    place.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in results), "utf-8")


if __name__ == "__main__":
    main()
