"""Connecting a real OpenClaw, and what it costs it."""

import json
import re

import pytest
from openclaw import until


def picture(folder) -> dict[str, bytes]:
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in folder.rglob("*") if place.is_file()}


def handlers(openclaw) -> int:
    """How many hooks the gateway loaded when it started last."""
    return int(re.findall(r"loaded (\d+) internal hook handlers?", openclaw.log.read_text())[-1])


def project_files(request) -> set[str]:
    """The files that the prompt shows under "Project Context"."""
    return set(re.findall(r"^## /\S*/(\S+\.md)$", request.text("system"), re.MULTILINE))


def outside(openclaw):
    """What installing may touch."""
    folders = [picture(openclaw.state / name) for name in ("hooks", "extensions", "skills")]
    return openclaw.config.read_bytes(), *folders


@pytest.mark.parametrize("way", ["plugin", "hook"])
def test_openclaw_takes_it_up_and_uninstalling_gives_back_every_byte(openclaw, way):
    openclaw.clawgit("adopt", openclaw.workspace)
    before = outside(openclaw)
    openclaw.clawgit("openclaw", "install", "--with", way)
    openclaw.be_patient()
    openclaw.openclaw("config", "validate")
    note = openclaw.workspace / "memory/kitchen.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Kitchen\n\n- The kettle is blue.\n")
    openclaw.clawgit("capture")
    openclaw.start()
    request = openclaw.say("Which colour has the kettle?").request
    assert request.text().count("The kettle is blue.") == 1
    assert ("CLAWGIT.md" in request.text()) == (way == "hook")
    assert ("clawgit_search" in request.tools) == (way == "plugin")
    openclaw.stop()
    next(openclaw.state.glob("*/clawgit-main/settings.json")).unlink()  # which was edited, and would stay
    openclaw.clawgit("openclaw", "uninstall")
    assert outside(openclaw) == before
    openclaw.start()
    request = openclaw.say("And now?").request
    assert "The kettle is blue." not in request.text()
    assert "clawgit_search" not in request.tools


def test_a_new_agent_keeps_its_bootstrap(openclaw):
    openclaw.connect()
    openclaw.start()
    openclaw.say("Hello.")
    openclaw.say("And hello again.")
    assert (openclaw.workspace / "BOOTSTRAP.md").exists()


def test_the_other_hooks_go_on(openclaw):
    config = json.loads(openclaw.config.read_text())
    openclaw.config.write_text(json.dumps(config | {"hooks": {"internal": {"enabled": True}}}, indent=2))
    openclaw.start()
    until(lambda: "internal hook handler" in openclaw.log.read_text())
    before = handlers(openclaw)
    openclaw.stop()
    openclaw.log.write_bytes(b"")
    openclaw.connect()
    openclaw.start()
    until(lambda: "internal hook handler" in openclaw.log.read_text())
    assert handlers(openclaw) == before


def test_memory_md_stays_in_the_prompt_after_a_correction(openclaw):
    def write(text: str) -> None:
        call = {"name": "write", "arguments": {"path": "MEMORY.md", "content": text}}
        openclaw.model.answers({"calls": [call]}, {"text": "Done."})
        openclaw.say("Bring your memory up to date.")
        assert (openclaw.workspace / "MEMORY.md").read_text() == text

    openclaw.connect()
    openclaw.be_patient()
    openclaw.start()
    write("# Memory\n\n- The staging server is called heron.\n")
    write("# Memory\n\n- The staging server is called heron.\n- Bob plays chess.\n")
    shown = project_files(openclaw.say("Well?").request)
    if "MEMORY.md" not in shown:
        pytest.fail(f"it was not shown before either: {shown}", pytrace=False)
    openclaw.say("No, the staging server is called egret, not heron.")
    until(lambda: "egret" in openclaw.clawgit("log"))
    write("# Memory\n\n- The staging server is called egret.\n- Bob plays chess and go.\n")
    assert "MEMORY.md" in project_files(openclaw.say("Well?").request)
