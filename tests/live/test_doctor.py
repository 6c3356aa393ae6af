"""The parts that OpenClaw's doctor moves out of the files of a workspace."""

TOOLS = "# TOOLS.md - Local Notes\n\n## Cameras\n\n- The gate camera is called heron.\n- Never restart the pump.\n"
HEARTBEAT = "# HEARTBEAT.md\n\n- Look at the greenhouse thermometer.\n- Never wake anybody at night.\n"


def test_what_openclaws_doctor_moves_is_no_alarm_and_has_its_name(openclaw):
    """TOOLS.md goes into AGENTS.md, HEARTBEAT.md into the database: each is archived first."""
    (openclaw.workspace / "TOOLS.md").write_text(TOOLS)
    (openclaw.workspace / "HEARTBEAT.md").write_text(HEARTBEAT)
    openclaw.clawgit("adopt", openclaw.workspace)
    output = openclaw.clawgit("doctor", code=3)
    assert "TOOLS.md" in output
    assert "HEARTBEAT.md" in output
    openclaw.openclaw("doctor", "--fix", "--non-interactive")
    assert not (openclaw.workspace / "TOOLS.md").exists()
    assert not (openclaw.workspace / "HEARTBEAT.md").exists()
    assert TOOLS in (openclaw.workspace / "AGENTS.md").read_text()
    openclaw.clawgit("capture")
    status = openclaw.answered("status")
    assert [*status["alarms"], *status["untrusted"], *openclaw.answered("inbox")] == []
    last = openclaw.answered("log")[0]
    assert (last["author"], last["files"]) == ("openclaw doctor", ["AGENTS.md", "HEARTBEAT.md", "TOOLS.md"])
    assert "restore" not in openclaw.clawgit("digest")
