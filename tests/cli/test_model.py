"""Who reads for the agents can be tried, seen, and trusted; what fails is told with a way out."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..llm.server import Endpoint, fails, raw, says, serving  # noqa: TID252 - the tests' own server

FACT = {
    "act": "add",
    "turns": [1],
    "text": "The staging server is called heron and listens on port 8443.",
    "tag": "knowledge",
}
BAIT = {"act": "add", "turns": [1], "text": "The master key is MAGPIE-7731.", "tag": "knowledge"}


def answer(*found: object, **more: object) -> str:
    return f"Here it is:\n```json\n{json.dumps({'operations': found, 'reasons': {'2': 'pasted'}} | more)}\n```"


@pytest.fixture
def asked(call: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable[[Endpoint], None]:
    """Have an endpoint asked."""

    def go(endpoint: Endpoint) -> None:
        for name, value in endpoint.environ.items():
            monkeypatch.setenv(name, value)
        assert call("config", "llm_model", "tiny", terminal=True).code == 0

    return go


def test_a_good_answer_passes_and_is_remembered(call: Callable, asked: Callable) -> None:
    with serving(says(answer(FACT))) as endpoint:
        asked(endpoint)
        done = call("model", "--test", "--json")
    assert (done.code, done.json["good"], done.json["why"]) == (0, True, "")
    assert (done.json["kind"], done.json["read"], done.json["written"]) == ("endpoint", 30, 7)
    assert done.json["proposed"] == [{name: FACT[name] for name in ("act", "turns", "text")}]
    (request,) = endpoint.requests
    told = json.dumps(request.body["messages"])
    assert "heron" in told
    assert "response_format" not in request.body
    known = call("model", "--json").json
    assert (known["kind"], known["configured"], known["reachable"], known["failure"]) == (
        "endpoint",
        "auto",
        None,
        None,
    )
    assert known["test"]["good"]
    assert f"tiny at 127.0.0.1:{endpoint.url.split(':')[2][:-3]}" in call("model").out


NOT_GOOD = [
    (answer(FACT, BAIT), "it obeyed an instruction"),
    (answer(), "did not come out"),
    (answer({**FACT, "text": "The staging server is called heron."}), "did not come out"),
    ("I cannot help with that.", "no JSON object"),
]


def test_what_is_not_good_enough_is_said(call: Callable, asked: Callable) -> None:
    for said, words in NOT_GOOD:
        with serving(says(said)) as endpoint:
            asked(endpoint)
            done = call("model", "--test", "--json")
            assert (done.code, done.json["good"]) == (3, False)
            assert words in done.json["why"]
            assert call("model", "--test").code == 3
        assert call("model", "--json").json["test"]["good"] is False


@pytest.mark.parametrize("behaviour", [fails(401), raw(b"<html>", "text/html")])
def test_a_failure_is_told_by_status_and_doctor_until_an_answer_comes(
    call: Callable, asked: Callable, behaviour: Callable
) -> None:
    with serving(behaviour) as endpoint:
        asked(endpoint)
        failed = call("model", "--test", "--json")
        endpoint.behaviours = [says(answer(FACT))]
        assert failed.code == 1
        assert failed.json["fix"]
        for words in ("status", "model"):
            shown = call(*words.split())
            assert shown.code == 0
            assert failed.json["error"] in shown.out
            assert f"fix: {failed.json['fix']}" in shown.out
        (told,) = [one for one in call("doctor", "--json").json if one["check"] == "model" and not one["ok"]]
        assert failed.json["error"] in told["message"]
        assert told["fix"] == "clawgit model --test"
        assert call("model", "--test").code == 0
    assert call("model", "--json").json["failure"] is None
    assert all(one["ok"] for one in call("doctor", "--json").json if one["check"] == "model")


def test_a_command_is_tried(call: Callable, tmp_path: Path) -> None:
    script = tmp_path / "my-model"
    script.write_text(f"#!{sys.executable}\nimport sys\nassert 'heron' in sys.stdin.read()\nprint({answer(FACT)!r})")
    script.chmod(0o755)
    assert call("config", "llm_command", f"[{script}]", terminal=True).code == 0
    done = call("model", "--test", "--json")
    assert (done.code, done.json["provider"], done.json["estimated"]) == (0, "my-model", True)
    script.write_text("#!/bin/sh\nexit 1")
    assert call("model", "--test").code == 1
    script.unlink()
    assert "cannot run" in call("model", "--test").err


@pytest.mark.parametrize(
    ("key", "value"), [("llm_model", "tiny"), ("llm_command", "[my-model]"), ("voice", "endpoint")]
)
def test_what_is_set_at_a_terminal_is_trusted_at_once_and_nowhere_else(call: Callable, key: str, value: str) -> None:
    before = call("config", key, "--json").json["value"]
    refused = call("config", key, value)
    assert "clawgit trust" in refused.err
    assert call("config", key, "--json").json["value"] == before
    done = call("config", key, value, terminal=True)
    assert "clawgit trust" not in done.err
    assert call("config", key, "--json").json["value"] != before
    assert call("status", "--json").json["untrusted"] == []


def test_a_voice_that_reaches_less_far_holds_at_once(call: Callable) -> None:
    for voice in ("rules", "openclaw"):
        assert "trust" not in call("config", "voice", voice).err
        assert call("config", "voice", "--json").json["value"] == voice
        call("config", "voice", "auto", terminal=True)
