"""Who is asked follows from CONFIG.md, the environment, and how OpenClaw's model did."""

import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.llm import voice_record, voices
from clawgit.llm.model import ModelError
from clawgit.llm.voice_record import Tried
from clawgit.workspace.settings import KEYS

URL = {"CLAWGIT_LLM_URL": "http://localhost:1/v1"}
COMMAND = ["my-model"]
WHEN = datetime(2026, 3, 2, 9, 14, tzinfo=UTC)
GOOD = Tried("openclaw", "lab", "large", WHEN.isoformat(), True, "", 1.5, 900, 60, False)
BAD = Tried("openclaw", "lab", "small", WHEN.isoformat(), False, "it obeyed", 1.5, 900, 60, False)


@pytest.fixture
def state(tmp_path):
    place = tmp_path / "clawgit/state"
    place.mkdir(parents=True)
    return place


@pytest.fixture
def plugin(state):
    """A socket as the plugin has it; nobody answers."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(state.parent / "model.sock"))
        (state.parent / "model.sock").chmod(0o600)
        listener.listen()
        yield listener


def chosen(state, environ=None, **keys):
    values = {"voice": "auto", "llm_model": "", "llm_command": ""} | keys
    return voices.choose(values.__getitem__, environ or {}, state)


@pytest.mark.parametrize(
    ("keys", "environ", "kind"),
    [
        ({}, {}, "rules"),
        ({}, URL, "rules"),
        ({"llm_model": "tiny"}, URL, "endpoint"),
        ({"llm_command": COMMAND}, {}, "command"),
        ({"llm_model": "tiny", "llm_command": COMMAND}, URL, "endpoint"),
        ({"llm_model": "tiny", "llm_command": COMMAND}, {}, "command"),
        ({"llm_command": "openclaw"}, URL, "openclaw"),
        ({"voice": "openclaw", "llm_model": "tiny"}, URL, "openclaw"),
        ({"voice": "command", "llm_model": "tiny", "llm_command": COMMAND}, URL, "command"),
        ({"voice": "endpoint", "llm_model": "tiny", "llm_command": COMMAND}, URL, "endpoint"),
        ({"voice": "rules", "llm_model": "tiny", "llm_command": COMMAND}, URL, "rules"),
    ],
)
def test_what_is_set_up_is_asked(state, keys, environ, kind):
    found = chosen(state, environ, **keys)
    assert (found.kind, found.problem) == (kind, None)
    assert (found.voice is None) == (kind == "rules")


@pytest.mark.parametrize(
    ("keys", "environ", "words"),
    [
        ({"llm_model": "tiny"}, {}, "CLAWGIT_LLM_URL"),
        ({"voice": "endpoint"}, URL, "llm_model names no model"),
        ({"voice": "endpoint", "llm_model": "tiny"}, {}, "CLAWGIT_LLM_URL"),
        ({"voice": "command"}, {}, "no argument list"),
        ({"voice": "command", "llm_command": "openclaw"}, {}, "no argument list"),
        ({"llm_command": "rm -rf /"}, {}, "no argument list"),
        ({"llm_model": "tiny"}, {"CLAWGIT_LLM_URL": "ftp://host/"}, "no web address"),
        ({"llm_model": "tiny"}, {"CLAWGIT_LLM_URL": "http://me:secret@host/"}, "name or password"),
        ({"llm_model": "tiny"}, {"CLAWGIT_LLM_URL": "http://host:99999/"}, "no web address"),
    ],
)
def test_half_a_configuration_is_a_problem_with_a_way_out(state, keys, environ, words):
    found = chosen(state, environ, **keys)
    assert words in found.problem.message
    assert "secret" not in found.problem.message
    assert found.problem.fix
    values = {"voice": "auto", "llm_model": "", "llm_command": ""} | keys
    with pytest.raises(ModelError, match=words):
        voices.find(values.__getitem__, environ, state)


@pytest.mark.usefixtures("plugin")
def test_the_agents_own_model_is_asked_once_it_has_passed(state):
    assert chosen(state).why.startswith("OpenClaw's model was not tried yet")
    assert chosen(state, URL, llm_model="tiny").kind == "endpoint"
    voice_record.tested(state, "openclaw", BAD)
    assert chosen(state).kind == "rules"
    assert "did not pass its test on 2026-03-02" in chosen(state, URL, llm_model="tiny").why
    voice_record.tested(state, "openclaw", GOOD)
    found = chosen(state, URL, llm_model="tiny", llm_command=COMMAND)
    assert (found.kind, found.voice.provider) == ("openclaw", "lab")


def test_without_the_plugin_what_was_tried_is_of_no_use(state):
    voice_record.tested(state, "openclaw", GOOD)
    assert chosen(state).kind == "rules"
    assert chosen(state, llm_command=COMMAND).kind == "command"


def test_what_a_killed_gateway_left_behind_is_nobody(state, plugin):
    """Its socket stands there, and nobody takes a connection."""
    voice_record.tested(state, "openclaw", GOOD)
    assert chosen(state).kind == "openclaw"
    plugin.close()
    found = chosen(state)
    assert (found.kind, found.why) == ("rules", "OpenClaw's gateway is gone: openclaw gateway restart")
    assert chosen(state, {}, llm_command=COMMAND).kind == "command"


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("mode", [0o666, 0o660, 0o606])
def test_a_socket_that_others_can_use_is_none(state, mode):
    voice_record.tested(state, "openclaw", GOOD)
    (state.parent / "model.sock").chmod(mode)
    assert chosen(state).kind == "rules"


def test_a_link_or_a_file_is_no_socket(state, tmp_path):
    voice_record.tested(state, "openclaw", GOOD)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "other"))
        (tmp_path / "other").chmod(0o600)
        (state.parent / "model.sock").symlink_to(tmp_path / "other")
        assert chosen(state).kind == "rules"
    (state.parent / "model.sock").unlink()
    (state.parent / "model.sock").write_text("")
    (state.parent / "model.sock").chmod(0o600)
    assert chosen(state).kind == "rules"


@pytest.mark.usefixtures("plugin")
def test_a_test_is_about_openclaws_model_first(state):
    values = {"voice": "auto", "llm_model": "tiny", "llm_command": ""}
    assert voices.candidate(values.__getitem__, URL, state).kind == "openclaw"
    assert voices.candidate((values | {"voice": "endpoint"}).__getitem__, URL, state).kind == "endpoint"


def test_a_record_is_private_keeps_every_kind_and_forgets_a_failure_that_is_over(state):
    assert voice_record.load(state) == voice_record.Record()
    note = voice_record.noting(state, "openclaw", lambda: WHEN)
    note(ModelError("test", "it went away", fix=Advice("true")))
    assert voice_record.load(state).failure.message == "it went away"
    assert (state / "model.json").stat().st_mode & 0o777 == 0o600
    note(None)
    assert voice_record.load(state).failure is None
    voice_record.tested(state, "openclaw", GOOD)
    note(ModelError("test", "again", fix=Advice("true")))
    voice_record.tested(state, "command", BAD)
    known = voice_record.load(state)
    assert (known.tests, known.failure) == ({"openclaw": GOOD, "command": BAD}, None)
    assert [place.name for place in state.iterdir()] == ["model.json"]


@pytest.mark.parametrize(
    "damaged", ["", "[]", "{", '{"tests": {"openclaw": {}}, "failure": null}', '{"tests": {"openclaw": 7}}']
)
def test_a_damaged_record_is_none(state, damaged):
    (state / "model.json").write_text(damaged)
    assert voice_record.load(state) == voice_record.Record()
    voice_record.tested(state, "openclaw", GOOD)
    assert voice_record.load(state).passed("openclaw")


def test_a_record_with_other_types_is_none(state):
    voice_record.tested(state, "openclaw", GOOD)
    place = state / "model.json"
    place.write_text(place.read_text().replace("true", '"yes"'))
    assert not voice_record.load(state).passed("openclaw")


def test_a_record_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "state").write_text("")
    with pytest.raises(ClawgitError, match="cannot be noted"):
        voice_record.tested(tmp_path / "state", "openclaw", GOOD)
    voice_record.noting(tmp_path / "state", "openclaw", lambda: WHEN)(
        ModelError("test", "it went away", fix=Advice("true"))
    )


def test_a_voice_that_reaches_farther_than_the_trusted_one_needs_trust():
    looser = KEYS["voice"].looser
    assert looser is not None
    order = ("rules", "openclaw", "auto", "endpoint", "command")
    assert all(looser(one, other) == (order.index(other) > order.index(one)) for one in order for other in order)
    assert KEYS["llm_model"].looser is not None


def test_nobody_is_looked_for_in_a_folder_that_is_not_there():
    assert chosen(Path("/nonexistent/clawgit/state")).kind == "rules"
