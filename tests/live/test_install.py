"""Connecting a real OpenClaw, and its cost."""

import contextlib

import pytest
from openclaw import until

KETTLE = "The kettle is blue."


def picture(folder) -> dict[str, bytes]:
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in folder.rglob("*") if place.is_file()}


def outside(openclaw):
    """Return the files that installing may touch."""
    folders = [picture(openclaw.state / name) for name in ("hooks", "extensions", "skills")]
    return openclaw.config.read_bytes(), *folders


def test_openclaw_takes_it_up_and_uninstalling_gives_back_every_byte(openclaw, hooks):
    """Every hook is loaded as before, BOOTSTRAP.md stays; it is taken away while OpenClaw runs."""
    openclaw.clawgit("adopt", openclaw.workspace)
    openclaw.config.write_text(f"// mine\n{openclaw.config.read_text()}")
    before = outside(openclaw)
    openclaw.clawgit("connect", "--yes")
    assert openclaw.config.read_text().startswith("// mine")
    assert openclaw.answered("status")["openclaw"]["state"] == "installed"
    openclaw.start()
    openclaw.say("Hello.")
    openclaw.say("And hello again.")
    assert openclaw.handlers() == hooks
    assert (openclaw.workspace / "BOOTSTRAP.md").exists()

    openclaw.keeps("memory/kitchen.md", f"# Kitchen\n\n- {KETTLE}\n")

    def ask_for_kettle():
        request = openclaw.say("Which colour has the kettle?").request
        return request if KETTLE in request.text() else None

    request_seen = until(ask_for_kettle)  # two seconds may be too little on a busy machine
    assert request_seen.text().count(KETTLE) == 1
    assert "clawgit_search" in request_seen.tools
    assert openclaw.answered("status")["openclaw"]["state"] == "connected"
    linked = [place.parent for place in (openclaw.home / ".local").rglob("clawgit-main/openclaw.plugin.json")]
    assert len(linked) == 1
    assert all(str(folder) in openclaw.config.read_text() for folder in linked)
    openclaw.openclaw("config", "set", "tools.profile", "coding")
    openclaw.openclaw("config", "set", "tools.profile", "full")
    assert not openclaw.config.read_text().startswith("// mine")  # OpenClaw writes its configuration anew

    openclaw.clawgit("disconnect")
    until(lambda: "config change detected" in openclaw.log.read_text())

    def is_answered():
        with contextlib.suppress(AssertionError):  # while OpenClaw takes in its configuration, a turn fails
            return openclaw.say("Are you there?")

    reply = until(is_answered)
    assert reply.text == "Noted."
    assert "clawgit_search" not in reply.request.tools
    openclaw.stop()
    assert outside(openclaw) == before
    assert '"clawgit-main"' not in openclaw.openclaw("plugins", "list", "--json")
    assert not any((openclaw.home / ".local").rglob("clawgit-main"))
    assert openclaw.processes() == {}


@pytest.mark.usefixtures("older_version")
def test_a_running_openclaw_takes_it_up_without_a_restart(openclaw):
    openclaw.clawgit("adopt", openclaw.workspace)
    before = openclaw.config.read_bytes()
    openclaw.start()
    openclaw.clawgit("connect", "--yes")
    until(lambda: openclaw.answered("status")["openclaw"]["state"] == "connected")
    assert "clawgit_search" in openclaw.say("Which colour has the kettle?").request.tools
    openclaw.clawgit("disconnect")
    assert openclaw.config.read_bytes() == before
