"""What follows from OpenClaw's version and configuration: how much of its files an agent is shown."""

import pytest

from clawgit.openclaw.openclaw_limits import Limits

from .homes import configured, host


def stamped(home, number, **more):
    configured(home, {"meta": {"lastTouchedVersion": number}, **more} if number else more)
    return host(home)


@pytest.mark.parametrize(
    ("number", "limits"),
    [
        (None, Limits()),
        ("2026.7.1", Limits(20_000, 60_000, {}, ())),
        ("2026.7.2", Limits(20_000, 60_000, {})),
        ("2026.8.2", Limits(20_000, 60_000, {"USER.md": 4_000})),
    ],
)
def test_the_caps_are_those_of_the_version(tmp_path, number, limits):
    assert stamped(tmp_path, number).limits(tmp_path) == limits


def test_the_configuration_goes_before_and_an_agents_own_before_that(tmp_path):
    own = {"id": "b", "workspace": "~/b", "bootstrapMaxChars": 9_000.7}
    agents = {
        "defaults": {"bootstrapMaxChars": 15_000, "bootstrapTotalMaxChars": 90_000},
        "list": [{"id": "main"}, own],
    }
    found = stamped(tmp_path, "2026.9.4", agents=agents)
    assert found.limits(tmp_path) == Limits(15_000, 90_000)
    assert found.limits(tmp_path / "b") == Limits(9_000, 90_000)
