"""A job of OpenClaw's own schedule."""

import json
from typing import Any

from clawgit.errors import Command, openclaw_version, timer_failed
from clawgit.integrations.timers import timer
from clawgit.integrations.timers.timer import Called, Step
from clawgit.workspace.host.openclaw_package import Version

OLDEST = (2026, 6, 0)
"""Since when its jobs can run a command."""
_FIX = Command("clawgit schedule install --with systemd", note="or --with cron")
_SECONDS = 3600


class OpenClaw:
    """`openclaw cron` runs the command on the machine of its gateway, without a model and without a message.

    The job is the `agent`'s: one of several agents has to be named.
    """

    means = "openclaw"

    def __init__(self, called: Called, version: Version | None, agent: str = "") -> None:
        self._called, self._version, self._agent = called, version, agent

    def plan(self) -> tuple[Step, ...]:
        """Return the command that adds the job."""
        return () if self._ids() else (Step("run", " ".join(map(_shown, self._words()))),)

    def install(self) -> tuple[Step, ...]:
        """Add the job, unless there is one of that name."""
        if self._version and self._version.number < OLDEST:
            raise openclaw_version(f"OpenClaw {self._version.text} cannot run commands by itself yet", fix=_FIX)
        steps = self.plan()
        if steps:
            timer.must(self._words(), fix=_FIX)
        return steps

    def farewell(self) -> tuple[Step, ...]:
        """Return the commands that remove it."""
        return tuple(Step("run", " ".join(("openclaw", "cron", "rm", _shown(name)))) for name in self._ids())

    def uninstall(self) -> tuple[Step, ...]:
        """Remove every job of that name."""
        steps = self.farewell()
        for name in self._ids() if steps else ():
            timer.must(("openclaw", "cron", "rm", name), fix=Command("openclaw cron list"))
        return steps

    def _words(self) -> tuple[str, ...]:
        called = self._called
        variables = tuple(f"{key}={value}" for key, value in called.variables.items())
        argv = json.dumps(["env", *variables, *called.words], ensure_ascii=False)
        return (
            *("openclaw", "cron", "add", "--name", called.name, "--every", f"{called.minutes}m"),
            *("--command-argv", argv, "--timeout-seconds", str(_SECONDS), "--no-deliver"),
            *(("--agent", self._agent) if self._agent else ()),
        )

    def _ids(self) -> list[str]:
        """Return the ids of the jobs of ours."""
        listed = timer.must(("openclaw", "cron", "list", "--json"), fix=Command("openclaw gateway status"))
        try:
            found: Any = json.loads(listed)
        except ValueError as exc:
            raise timer_failed("openclaw cron list does not answer in JSON", fix=_FIX) from exc
        jobs = found.get("jobs", []) if isinstance(found, dict) else found
        ours = [one for one in jobs if isinstance(one, dict) and one.get("name") == self._called.name]
        return [str(one.get("id") or one.get("jobId")) for one in ours]


def _shown(word: str) -> str:
    plain = word and all(letter.isalnum() or letter in "-_./:=" for letter in word)
    return word if plain else "'" + word.replace("'", "'\\''") + "'"
