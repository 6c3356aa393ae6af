"""What OpenClaw shows of one user, `users/ID/USER.md`, is identity as USER.md is."""

import pytest

from tests.promises.desk import Desk

MUTATION = ("file_roles.py", "    return USER if _USER.fullmatch(path) else path", "    return path")

PATH = "users/ines-1/USER.md"
PROFILE = "# Ines\n\n- Name: Ines\n- Never share her address with anybody.\n" + "- She waters bed four by hand.\n" * 8


@pytest.fixture
def known(desk: Desk) -> Desk:
    """Return a workspace whose owner has approved a user's file."""
    desk.write(PATH, PROFILE)
    desk.run("capture")
    desk.run("trust", terminal="y\n")
    return desk


def test_it_is_committed_and_is_in_the_history_of_the_identity(known: Desk) -> None:
    assert known.at("HEAD", PATH) == PROFILE
    assert PATH in str(known.run("log", "--identity"))
    assert known.run("trust")["files"] == []


def test_an_edit_that_takes_a_rule_away_is_an_alarm(known: Desk) -> None:
    known.write(PATH, PROFILE.replace("- Never share her address with anybody.\n", ""))
    known.run("capture")
    assert PATH in str(known.run("status")["alarms"])


def test_an_alarms_fix_brings_it_back(known: Desk) -> None:
    (known.root / PATH).unlink()
    known.run("capture")
    (alarm,) = known.run("status")["alarms"]
    known.shell(alarm["fix"])
    assert known.read(PATH) == PROFILE


def test_its_blanks_are_filled_in(known: Desk) -> None:
    other = "users/tom/USER.md"
    known.write(other, "# Tom\n\n- **Name:**\n- **Pronouns:** _(optional)_\n\n## Context\n\n_(What is on his mind?)_\n")
    known.run("capture")
    known.run("trust", terminal="y\n")
    known.write(other, "# Tom\n\n- **Name:** Tom\n")
    known.run("capture")
    assert known.run("status")["alarms"] == []
