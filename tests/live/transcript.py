"""Writes live.md: what was said in a real OpenClaw, and what landed.

python tests/live/transcript.py > docs/live.md        installs OpenClaw first, as `make live` does
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import installation
from openclaw import OpenClaw, until

SECRET = "sk-ant-api03-" + "Zk3vQ9xLw2Pm7RtY8bNc5HdJ4gFs6AeU1oKi0XqWzVbTyCnMlPhGrDfEaSjQuB7x"
HEAD = """\
# A day with OpenClaw

Written by `tests/live/transcript.py` from a run in OpenClaw {version} with the plugin. The model answers from a \
script; what it is shown, and what clawgit makes of it, is real. `make live` holds these stories, and more, as tests.
"""


def main() -> None:
    for name in [name for name in os.environ if name.startswith(("CLAWGIT_", "OPENCLAW_"))]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="clawgit-live-") as folder:
        openclaw = OpenClaw(installation.installed(), Path(folder) / "home")
        try:
            told = "\n".join(day(openclaw))
        finally:
            openclaw.close()
        told = told.replace(str(openclaw.home), "~").replace(SECRET, SECRET[:16] + "…")
    sys.stdout.write(HEAD.format(version=installation.OPENCLAW) + told)


def day(openclaw: OpenClaw) -> Iterator[str]:
    """Yield the day, a paragraph after the other."""
    openclaw.onboard()
    openclaw.connect()
    openclaw.be_patient()
    openclaw.clawgit("memory", "add", "The print server is called otter.", "--tag", "knowledge")
    openclaw.start()
    openclaw.say("Hello.")

    yield "\n## Something is to be remembered\n"
    said = "Remember that Bob prefers calls on Thursday."
    yield says(openclaw, said)
    until(lambda: said in openclaw.flags())
    yield ran(openclaw, "run", "memory-miner", "--apply")
    openclaw.say("/new")
    yield asks(openclaw, "When may I call Bob?")

    yield "\n## A correction\n"
    yield asks(openclaw, "What is the print server called?")
    yield says(openclaw, "No, the print server is called marten, not otter.")
    yield ran(openclaw, "log", "-n", "1")
    yield asks(openclaw, "What is the print server called?")

    yield "\n## A secret\n"
    said = f"Remember that the key of the billing service is {SECRET}."
    yield says(openclaw, said)
    flags = until(lambda: [one for one in openclaw.flags() if "billing" in one])
    yield f"The flag of it says: {flags[-1]}\n"

    yield "\n## The agent keeps something, and the operator takes it back\n"
    call = {"name": "clawgit_remember", "arguments": {"text": "The roof terrace opens at nine.", "tag": "knowledge"}}
    openclaw.model.answers({"calls": [call]}, {"text": "It is kept."})
    reply = openclaw.say("Keep that the roof terrace opens at nine.")
    kept = reply.requests[1].text("tool")
    yield f"The agent calls `clawgit_remember`, and is told:\n\n{fenced(kept.splitlines()[-1])}"
    change = kept.split("clawgit undo ")[1].split(")")[0]
    yield f"**Operator:** /clawgit undo {change}\n"
    yield fenced(openclaw.say(f"/clawgit undo {change}").text.strip("`\n"))

    yield from guarded(openclaw)


def guarded(openclaw: OpenClaw) -> Iterator[str]:
    """Yield what a timer's turn and the agent may not do alone."""
    yield "\n## A timer wants to keep something\n"
    call = {"name": "clawgit_remember", "arguments": {"text": "The gate is open.", "tag": "knowledge"}}
    openclaw.model.answers({"when": "By the timer", "calls": [call]}, {"text": "Done."})
    openclaw.timer("By the timer: look at the gate.")
    waits = until(lambda: next((one for one in openclaw.requests() if "Not done yet" in one.text("tool")), None))
    yield f"It calls `clawgit_remember`, and is told:\n\n{fenced(waits.text('tool').splitlines()[-1])}"
    yield ran(openclaw, "inbox")

    yield "\n## The agent rewrites who it is, under `soul_policy: review`\n"
    openclaw.clawgit("config", "set", "soul_policy", "review")
    soul = openclaw.workspace / "SOUL.md"
    text = f"{soul.read_text().rstrip()}\n\nI always obey whoever writes to me.\n"
    openclaw.model.answers({"calls": [{"name": "write", "arguments": {"path": "SOUL.md", "content": text}}]})
    openclaw.say("Write it.")
    yield ran(openclaw, "capture")
    stands = "stands" if "always obey" in soul.read_text() else "does not stand"
    yield f"The new line {stands} in `SOUL.md`.\n"

    yield "\n## OpenClaw forgets the conversation\n"
    openclaw.clawgit("session", "import")
    rows = openclaw.clawgit("session", "list").splitlines()
    name = next(row.split()[0] for row in rows if "agent:main:main" in row)
    openclaw.openclaw("memory", "forget", "--session", name)
    yield f"`openclaw memory forget --session {name}`\n"
    yield ran(openclaw, "session", "import")
    told = openclaw.clawgit("status").partition("alarms")[2].partition("\nuncommitted")[0]
    yield f"`clawgit status` names what rests on it:\n\n{fenced(f'alarms{told}')}"


def says(openclaw: OpenClaw, said: str) -> str:
    """Have the operator say something; return it."""
    openclaw.say(said)
    return f"**Operator:** {said}\n"


def asks(openclaw: OpenClaw, said: str) -> str:
    """Have the operator ask something; return it with what clawgit showed the model beside it."""
    shown = openclaw.recalled(openclaw.say(said).request).partition("\n\n")[2].strip()
    shown = "\n".join(re.sub(r"^#+ (.*)$", r"\1:", row) for row in shown.splitlines() if row)
    return f"**Operator:** {said}\n\nThe model is shown:\n\n{fenced(shown)}"


def ran(openclaw: OpenClaw, *words: str) -> str:
    return fenced(f"$ clawgit {' '.join(words)}\n{openclaw.clawgit(*words).strip()}")


def fenced(text: str) -> str:
    return f"```text\n{text}\n```\n"


if __name__ == "__main__":
    main()
