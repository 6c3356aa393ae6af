"""What OpenClaw does with the files of a workspace: how much of them it shows, and what its doctor moves."""

import re

from clawgit.openclaw import openclaw_limits

TOOLS = "# TOOLS.md - Local Notes\n\n## Cameras\n\n- The gate camera is called heron.\n- Never restart the pump.\n"
HEARTBEAT = "# HEARTBEAT.md\n\n- Look at the greenhouse thermometer.\n- Never wake anybody at night.\n"


def shown(openclaw, path: str) -> str:
    """What the prompt has of a file."""
    parts = re.split(r"^## (/\S+)$", openclaw.say("Well?").request.text("system"), flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    return next(text for name, text in texts.items() if name.endswith(f"/{path}")).strip()


def test_of_a_long_file_so_much_is_shown_as_clawgit_says(connected):
    long = "".join(f"- Point {number} of the long list.\n" for number in range(2_000))
    for path in ("SOUL.md", "USER.md", "AGENTS.md"):
        place = connected.workspace / path
        before = place.read_text()
        place.write_text(before + long)
        texts = {name: (connected.workspace / name).read_text() for name in ("AGENTS.md", "SOUL.md", "USER.md")}
        (cut,) = (one for one in openclaw_limits.find_unseen(texts) if one.path == path)
        prompt = shown(connected, path)
        place.write_text(before)
        kept = f"kept {cut.head}+"
        assert kept in prompt
        tail = cut.size - cut.hidden - cut.head
        assert f"+{tail} chars of {cut.size})" in prompt
        text = (before + long).rstrip()
        assert prompt.startswith(text[: cut.head].strip())
        assert text[len(text) - tail :].strip() in prompt


def test_what_openclaws_doctor_moves_is_no_alarm_and_has_its_name(openclaw):
    """TOOLS.md goes into AGENTS.md, HEARTBEAT.md into the database: each is archived first."""
    (openclaw.workspace / "TOOLS.md").write_text(TOOLS)
    (openclaw.workspace / "HEARTBEAT.md").write_text(HEARTBEAT)
    openclaw.clawgit("adopt", openclaw.workspace)
    told = openclaw.clawgit("doctor", code=3)
    assert "TOOLS.md" in told
    assert "HEARTBEAT.md" in told
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
