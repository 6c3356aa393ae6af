"""Reads messages by rules alone."""

from datetime import datetime
from typing import Protocol

from clawgit.agents.heard import Heard
from clawgit.agents.mining.extract import By, extract
from clawgit.agents.mining.finding import Extracted
from clawgit.workspace.workspace import Workspace


class Reader(Protocol):
    """Tells what a message gives."""

    def __call__(self, heard: Heard) -> Extracted:
        """Return what is worth keeping, and why the rest is not."""


class ByRules:
    """Reads as of the operator's clock."""

    def __init__(self, workspace: Workspace) -> None:
        self.zone = workspace.now().tzinfo

    def __call__(self, heard: Heard) -> Extracted:
        """Return what a message gives."""
        by: By = "agent" if heard.origin == "agent" else "operator"
        return extract(heard.text, self.when(heard), by=by)

    def when(self, heard: Heard) -> datetime | None:
        """Return when a message was said, on the operator's clock."""
        return None if heard.time is None else datetime.fromtimestamp(heard.time, self.zone)
