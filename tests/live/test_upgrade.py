"""OpenClaw becomes a newer one: memories from before stay."""

import pytest
from installation import OLDER
from openclaw import until

HERON = "The staging server is called heron."
SAID = "Remember that the blue door leads to the archive."


@pytest.mark.parametrize("installed", [OLDER], indirect=True, scope="session")
def test_what_was_said_and_kept_before_an_upgrade_is_there_after_it_once(openclaw, newest):
    """Conversations go from files into OpenClaw's database."""
    openclaw.clawgit("adopt", openclaw.workspace)
    openclaw.keeps("memory/servers.md", f"# Servers\n\n- {HERON}\n")
    openclaw.start()
    openclaw.say(SAID)
    openclaw.clawgit("session", "import")
    openclaw.stop()

    openclaw.use(newest)
    openclaw.openclaw("doctor", "--fix", "--non-interactive")
    openclaw.openclaw("config", "set", "tools.profile", "full")
    openclaw.clawgit("connect", "--yes")
    openclaw.start()

    def ask_for_heron():
        request = openclaw.say("What is the staging server called?").request
        return request if HERON in openclaw.recalled(request) else None

    request = until(ask_for_heron)  # two seconds may be too little on a busy machine
    assert "clawgit_search" in request.tools
    assert SAID in request.text("user")
    openclaw.clawgit("session", "import")
    (name,) = [row.split()[0] for row in openclaw.clawgit("session", "list").splitlines() if row]
    assert openclaw.clawgit("session", "show", name).count(SAID) == 1
    openclaw.clawgit("run", "memory-miner", "--apply")
    assert "blue door" in openclaw.clawgit("search", "archive")

    openclaw.clawgit("disconnect")
    assert "clawgit" not in openclaw.config.read_text()
    assert not (openclaw.state / "extensions/clawgit-main").exists()
