"""Who is asked follows from CONFIG.md, the environment, and how OpenClaw's model did."""

import socket
from datetime import UTC, datetime

import pytest

from clawgit.llm import voice_record, voices
from clawgit.llm.model import ModelError
from clawgit.llm.voice_record import Tried
from clawgit.store.database import StateStore
from clawgit.workspace.settings import KEYS

URL = {"CLAWGIT_LLM_URL": "http://localhost:1/v1"}
COMMAND = ["my-model"]
WHEN = datetime(2026, 3, 2, 9, 14, tzinfo=UTC)
GOOD = Tried("openclaw", "lab", "large", WHEN.isoformat(), True, "", 1.5, 900, 60, False)
BAD = Tried("openclaw", "lab", "small", WHEN.isoformat(), False, "it obeyed", 1.5, 900, 60, False)


@pytest.fixture
def store(tmp_path):
    return StateStore(tmp_path / "clawgit")


@pytest.fixture
def plugin(store):
    """A socket as the plugin has it; nobody answers."""
    store.folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(store.folder / "model.sock"))
        (store.folder / "model.sock").chmod(0o600)
        listener.listen()
        yield listener


def chosen(store, environ=None, **keys):
    values = {"voice": "auto", "llm_model": "", "llm_command": ""} | keys
    return voices.choose(values.__getitem__, environ or {}, store)


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
def test_what_is_set_up_is_asked(store, keys, environ, kind):
    found = chosen(store, environ, **keys)
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
def test_half_a_configuration_is_a_problem_with_a_way_out(store, keys, environ, words):
    found = chosen(store, environ, **keys)
    assert words in found.problem.message
    assert "secret" not in found.problem.message
    assert found.problem.fix
    values = {"voice": "auto", "llm_model": "", "llm_command": ""} | keys
    with pytest.raises(ModelError, match=words):
        voices.find(values.__getitem__, environ, store)


@pytest.mark.usefixtures("plugin")
def test_the_agents_own_model_is_asked_once_it_has_passed(store):
    assert chosen(store).why.startswith("OpenClaw's model was not tried yet")
    assert chosen(store, URL, llm_model="tiny").kind == "endpoint"
    voice_record.tested(store, "openclaw", BAD)
    assert chosen(store).kind == "rules"
    assert "did not pass its test on 2026-03-02" in chosen(store, URL, llm_model="tiny").why
    voice_record.tested(store, "openclaw", GOOD)
    found = chosen(store, URL, llm_model="tiny", llm_command=COMMAND)
    assert (found.kind, found.voice.provider) == ("openclaw", "lab")


def test_what_a_killed_gateway_left_behind_is_nobody(store, plugin):
    """Its socket stands there, and nobody takes a connection."""
    voice_record.tested(store, "openclaw", GOOD)
    assert chosen(store).kind == "openclaw"
    plugin.close()
    found = chosen(store)
    assert (found.kind, found.why) == ("rules", "OpenClaw's gateway is gone: openclaw gateway restart")
    assert chosen(store, {}, llm_command=COMMAND).kind == "command"


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("mode", [0o666, 0o660, 0o606])
def test_a_socket_that_others_can_use_is_none(store, mode):
    voice_record.tested(store, "openclaw", GOOD)
    (store.folder / "model.sock").chmod(mode)
    assert chosen(store).kind == "rules"


def test_a_voice_that_reaches_farther_than_the_trusted_one_needs_trust():
    looser = KEYS["voice"].looser
    assert looser is not None
    order = ("rules", "openclaw", "auto", "endpoint", "command")
    assert all(looser(one, other) == (order.index(other) > order.index(one)) for one in order for other in order)
    assert KEYS["llm_model"].looser is not None
