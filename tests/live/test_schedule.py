"""OpenClaw's own schedule calls clawgit."""

import time

from openclaw import until

from clawgit.workspace.capture_and_enforce import QUIET_SECONDS


def test_openclaws_schedule_calls_clawgit_without_a_turn_of_the_agents_and_is_as_before_afterwards(connected):
    def turns():
        """Return the number of requests with tools, those of the agent; clawgit's own readings have none."""
        return sum(bool(request.body.get("tools")) for request in connected.requests())

    def jobs():
        return {job_row["name"]: job_row["id"] for job_row in connected.call("cron.list", includeDisabled=True)["jobs"]}

    before = jobs()
    connected.clawgit("schedule", "install", "--with", "openclaw", "--apply")
    (name,) = set(jobs()) - set(before)
    job = jobs()[name]
    (connected.workspace / "memory/harbour.md").write_text("# Harbour\n\n- The crane is green.\n")
    turn_count = turns()
    time.sleep(QUIET_SECONDS)
    connected.call("cron.run", id=job, mode="force")
    (ran,) = until(lambda: connected.call("cron.runs", id=job)["entries"])
    assert ran["status"] == "ok"
    assert turns() == turn_count
    assert "capture" in connected.clawgit("schedule", "log")
    assert "harbour.md" in connected.clawgit("log", "memory/harbour.md")
    connected.clawgit("schedule", "uninstall", "--with", "openclaw", "--apply")
    assert jobs() == before
