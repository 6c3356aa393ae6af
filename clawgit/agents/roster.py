"""The agents that there are."""

from collections.abc import Mapping

from clawgit.errors import UsageError
from clawgit.text.similarity import nearest

AGENTS: Mapping[str, str] = {
    "memory-miner": "Keeps what will still matter in a month, from conversations and flagged messages.",
    "soul-keeper": "Edits the soul, a line at a time, from what the operator says of the agent's conduct.",
    "recall-validator": "Puts right what the operator corrects, and keeps a record of it.",
    "conflict-detector": "Finds memories that contradict each other, and decides where a rule says which holds.",
    "memory-compactor": "Moves old journals into a chronicle, and has what faded leave the memory file.",
}
"""What each does, in a sentence; by name, so that whoever only lists them loads none."""


def find(name: str) -> str:
    """Return the name of an agent. Raises UsageError that names the nearest."""
    if name not in AGENTS:
        near = nearest(name, AGENTS, 1) or list(AGENTS)
        raise UsageError(f"there is no agent {name}", fix=f"clawgit run {near[0]}   # clawgit run --list names all")
    return name
