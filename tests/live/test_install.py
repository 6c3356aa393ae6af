"""Connecting a real OpenClaw, and what it costs it."""

import contextlib

import pytest
from installation import OLDER, OPENCLAW
from openclaw import until

KETTLE = "The kettle is blue."


def picture(folder) -> dict[str, bytes]:
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in folder.rglob("*") if place.is_file()}


def outside(openclaw):
    """What installing may touch."""
    folders = [picture(openclaw.state / name) for name in ("hooks", "extensions", "skills")]
    return openclaw.config.read_bytes(), *folders


@pytest.mark.parametrize(
    ("installed", "way"), [(OPENCLAW, "plugin"), (OPENCLAW, "hook"), (OLDER, "hook")], indirect=["installed"]
)
def test_openclaw_takes_it_up_and_uninstalling_gives_back_every_byte(installed, request, way):
    """Every other hook is loaded as before, BOOTSTRAP.md stays; it is taken away while OpenClaw runs."""
    if way == "hook":
        request.getfixturevalue("at_length")
    openclaw, hooks = request.getfixturevalue("openclaw"), request.getfixturevalue("hooks")
    openclaw.clawgit("adopt", openclaw.workspace)
    before = outside(openclaw)
    openclaw.clawgit("openclaw", "install", "--with", way)
    openclaw.openclaw("config", "validate")
    openclaw.start()
    openclaw.say("Hello.")
    openclaw.say("And hello again.")
    assert openclaw.handlers() == hooks + (way == "hook")
    assert (openclaw.workspace / "BOOTSTRAP.md").exists()

    openclaw.keeps("memory/kitchen.md", f"# Kitchen\n\n- {KETTLE}\n")

    def asked():
        said = openclaw.say("Which colour has the kettle?").request
        return said if KETTLE in said.text() else None

    seen = until(asked)  # two seconds may be too little on a busy machine
    assert seen.text().count(KETTLE) == 1
    assert ("CLAWGIT.md" in seen.text()) == (way == "hook")
    assert ("clawgit_search" in seen.tools) == (way == "plugin")

    openclaw.clawgit("openclaw", "uninstall")
    until(lambda: "config change detected" in openclaw.log.read_text())

    def answered():
        with contextlib.suppress(AssertionError):  # while OpenClaw takes in its configuration, a turn fails
            return openclaw.say("Are you there?")

    reply = until(answered)
    assert reply.text == "Noted."
    assert "clawgit_search" not in reply.request.tools
    openclaw.stop()
    assert outside(openclaw) == before
    assert openclaw.processes() == {}
