"""What follows from OpenClaw's version and configuration: caps and dreaming."""

import pytest

from clawgit.workspace.openclaw_limits import Limits

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
    found = stamped(tmp_path, number).caps(tmp_path)
    assert (found.limits, found.found) == (limits, f"version {number}" if number else "")


def test_the_configuration_goes_before_and_an_agents_own_before_that(tmp_path):
    own = {"id": "b", "workspace": "~/b", "bootstrapMaxChars": 9_000.7}
    agents = {
        "defaults": {"bootstrapMaxChars": 15_000, "bootstrapTotalMaxChars": 90_000},
        "list": [{"id": "main"}, own],
    }
    found = stamped(tmp_path, "2026.9.4", agents=agents)
    assert found.caps(tmp_path).limits == Limits(15_000, 90_000)
    assert found.caps(tmp_path / "b").limits == Limits(9_000, 90_000)
    assert found.caps(tmp_path).found == str(tmp_path / ".openclaw/openclaw.json")


def dreams(**said):
    return {"plugins": {"entries": {"memory-core": {"config": {"dreaming": said}}}}}


@pytest.mark.parametrize(
    ("number", "config", "on"),
    [
        (None, {}, None),
        ("2026.5.1", dreams(enabled=True), True),
        ("2026.9.4", {}, True),
        ("2026.9.4", dreams(enabled=False), False),
        ("2026.9.4", {"plugins": {"slots": {"memory": "none"}}}, False),
    ],
)
def test_dreaming_is_as_configured_else_as_the_version_has_it(tmp_path, number, config, on):
    assert stamped(tmp_path, number, **config).dreaming.on is on
