"""The agents that there are."""

from collections.abc import Mapping

from clawgit.agents import conflict_detector, miner, recall_validator
from clawgit.errors import UsageError
from clawgit.text.similarity import nearest

AGENTS: Mapping[str, str] = {
    miner.NAME: "Keeps what will still matter in a month, from conversations and flagged messages.",
    recall_validator.NAME: "Puts right what the operator corrects, and keeps a record of it.",
    conflict_detector.NAME: "Finds memories that contradict each other, and decides where a rule says which holds.",
}
"""What each does, in a sentence."""


def find(name: str) -> str:
    """Return the name of an agent. Raises UsageError that names the nearest."""
    if name not in AGENTS:
        near = nearest(name, AGENTS, 1) or list(AGENTS)
        raise UsageError(f"there is no agent {name}", fix=f"clawgit run {near[0]}   # clawgit run --list names all")
    return name
