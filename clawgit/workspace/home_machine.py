"""Which of several machines does what one does alone."""

from clawgit.errors import Command, jobs_elsewhere
from clawgit.git.repository import Repository
from clawgit.workspace.clock import MachineId
from clawgit.workspace.config import Config

REWRITING = ("memory-compactor", "organizer")
"""The agents that write texts anew which every machine has: `jobs_home` of CONFIG.md names the machine they run on."""


def elsewhere(config: Config, repo: Repository) -> str:
    """Return the id of the machine that `jobs_home` names, "" where that is this one or none is named.

    Nothing is written. Raises ClawgitError for a bad value.
    """
    home = str(config.value("jobs_home"))
    return "" if not home or home == MachineId(repo).kept() else home


def require(config: Config, repo: Repository, agent: str) -> None:
    """Raise ClawgitError where an agent that rewrites is to run on another machine."""
    if agent in REWRITING and (home := elsewhere(config, repo)):
        raise jobs_elsewhere(
            f"the {agent.replace('-', ' ')} runs on machine {home} alone: jobs_home of CONFIG.md says so",
            fix=Command("clawgit config set jobs_home {}", MachineId(repo).name(), note="and it runs here alone"),
        )
