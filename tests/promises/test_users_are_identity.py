"""The file that OpenClaw shows of one user, `users/ID/USER.md`, is identity as USER.md is."""

import pytest

from tests.promises.desk import Desk

MUTATION = ("file_roles.py", "    return USER if _USER.fullmatch(path) else path", "    return path")

PATH = "users/ines-1/USER.md"
PROFILE = "# Ines\n\n- Name: Ines\n- Never share her address with anybody.\n" + "- She waters bed four by hand.\n" * 8


@pytest.fixture
def desk_with_user(desk: Desk) -> Desk:
    """Return a workspace with an approved file of a user."""
    desk.write(PATH, PROFILE)
    desk.run("capture")
    desk.run("trust", terminal="y\n")
    return desk


def test_it_is_committed_and_is_in_the_history_of_the_identity(desk_with_user: Desk) -> None:
    assert desk_with_user.at("HEAD", PATH) == PROFILE
    assert PATH in str(desk_with_user.run("log", "--identity"))
    assert desk_with_user.run("trust")["files"] == []


def test_an_edit_that_takes_a_rule_away_is_an_alarm(desk_with_user: Desk) -> None:
    desk_with_user.write(PATH, PROFILE.replace("- Never share her address with anybody.\n", ""))
    desk_with_user.run("capture")
    assert PATH in str(desk_with_user.run("status")["alarms"])


def test_an_alarms_fix_brings_it_back(desk_with_user: Desk) -> None:
    (desk_with_user.root / PATH).unlink()
    desk_with_user.run("capture")
    (alarm,) = desk_with_user.run("status")["alarms"]
    desk_with_user.shell(alarm["fix"])
    assert desk_with_user.read(PATH) == PROFILE


def test_its_blanks_are_filled_in(desk_with_user: Desk) -> None:
    other = "users/tom/USER.md"
    desk_with_user.write(
        other, "# Tom\n\n- **Name:**\n- **Pronouns:** _(optional)_\n\n## Context\n\n_(What is on his mind?)_\n"
    )
    desk_with_user.run("capture")
    desk_with_user.run("trust", terminal="y\n")
    desk_with_user.write(other, "# Tom\n\n- **Name:** Tom\n")
    desk_with_user.run("capture")
    assert desk_with_user.run("status")["alarms"] == []
