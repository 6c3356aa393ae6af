"""The pages of what goes on: today, jobs, agents, audit."""

from clawgit.findings.digest_text import TITLES
from clawgit.web.web_site import Look, Shown
from clawgit.workspace.host.host import Host

_RUNS = 25


def today(look: Look) -> Shown:
    """Return how the workspace stands, and what the operator should know of."""
    status, digest = look.ask("status"), look.slow("digest")
    inbox, trust = look.ask("inbox"), look.ask("trust")
    found = digest.record
    sections = [(TITLES[name], name, found[name]) for name in TITLES if found.get(name)]
    parts = {"status": status, "digest": digest, "inbox": inbox, "trust": trust}
    differing = trust.record
    unapproved = len([*differing.get("files", ()), *differing.get("keys", ()), *differing.get("changes", ())])
    return Shown("Today", parts, {"sections": sections, "unapproved": unapproved})


def schedule(look: Look) -> Shown:
    """Return what runs when, and what ran."""
    return Shown("Schedule", {"status": look.ask("schedule status"), "log": look.ask("schedule log", n=_RUNS)})


def agents(look: Look) -> Shown:
    """Return the agents of clawgit, the connection to OpenClaw, and the workspaces of its other agents."""
    parts = {"agents": look.ask("run", list=True), "status": look.ask("status")}
    known = Host().agents if Host().installed else ()
    theirs = {one.id: str(one.workspace) for one in known}
    parts |= {f"status {name}": look.of_agent(name, "status") for name in theirs}
    return Shown("Agents", parts, {"theirs": theirs})


def audit(look: Look) -> Shown:
    """Return what should not be in memory."""
    return Shown("Audit", {"audit": look.slow("audit")})


def report(look: Look) -> Shown:
    """Return what the whole history hides, as adopting tells it."""
    return Shown("What the history hides", {"report": look.slow("adopt", dry_run=True)})
