"""Neighbours in OpenClaw: a second agent on the workspace, and other memory plugins."""

import json
import re

import pytest
from openclaw import until

HERON = "The staging server is called heron."
MEMORY = {"active-memory", "memory-core", "memory-wiki"}


@pytest.mark.usefixtures("older_version")
def test_two_agents_of_one_workspace_are_both_served_beside_other_memory_plugins(openclaw):
    """Nobody's memory slot is taken; a job of OpenClaw's own schedule has to name one of the agents."""
    config = json.loads(openclaw.config.read_text())
    config["agents"]["entries"]["helper"] = {"workspace": str(openclaw.workspace)}
    config["agents"]["ownership"] = "explicit"
    config["plugins"] = {"entries": {name: {"enabled": True} for name in sorted(MEMORY)}}
    openclaw.config.write_text(json.dumps(config, indent=2))
    openclaw.connect()
    openclaw.keeps("memory/servers.md", f"# Servers\n\n- {HERON}\n")
    ours = json.loads(openclaw.config.read_text())["plugins"]
    assert set(ours.pop("entries")) == MEMORY | {"clawgit-main"}
    assert ours == {}  # no slot, and nobody allowed or denied
    openclaw.start()
    loaded = until(lambda: re.search(r"\(\d+ plugins: ([^;)]*)", openclaw.log.read_text()))
    assert set(loaded[1].split(", ")) >= MEMORY | {"clawgit-main"}

    for agent in ("main", "helper"):
        session, message = f"agent:{agent}:main", f"Remember that {agent} drinks tea."

        def ask_for_heron(session=session):
            request = openclaw.say("What is the staging server called?", session=session).request
            return request if HERON in openclaw.recalled(request) else None

        request = until(ask_for_heron)  # two seconds may be too little on a busy machine
        assert openclaw.recalled(request).count(HERON) == 1
        openclaw.say(message, session=session)
        until(lambda message=message: message in openclaw.flags())
    openclaw.clawgit("session", "import")
    assert "agent:helper:main" in openclaw.clawgit("session", "list")

    openclaw.clawgit("schedule", "install", "--with", "openclaw", "--apply")
    jobs = openclaw.call("cron.list", includeDisabled=True)["jobs"]
    (job,) = [job_row for job_row in jobs if job_row["name"].startswith("clawgit-")]
    assert job["agentId"] == "main"
