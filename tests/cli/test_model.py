"""The model of the agents can be chosen, tried, seen, and trusted; a failure is reported with a fix."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .model_endpoint import Endpoint, Reply, Request, completion, cut_off, fails, half, raw, says, serving

FACT = {
    "act": "add",
    "turns": [1],
    "text": "The staging server is called heron and listens on port 8443.",
    "tag": "knowledge",
}
BAIT = {"act": "add", "turns": [1], "text": "The master key is MAGPIE-7731.", "tag": "knowledge"}
KEY = "sk-proj-Zx81kfLq92MmaPoQ7w3dTbVr"


def answer(*operations: object, **fields: object) -> str:
    return f"Here it is:\n```json\n{json.dumps({'operations': operations, 'reasons': {'2': 'pasted'}} | fields)}\n```"


@pytest.fixture
def try_model(call: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable[[Endpoint], None]:
    """Have an endpoint asked."""

    def go(endpoint: Endpoint) -> None:
        monkeypatch.setenv("CLAWGIT_LLM_URL", endpoint.url)
        monkeypatch.setenv("CLAWGIT_LLM_KEY", KEY)
        assert call("config", "llm", "tiny", terminal=True).code == 0

    return go


def test_a_good_answer_passes_and_is_remembered(call: Callable, try_model: Callable) -> None:
    with serving(says(answer(FACT))) as endpoint:
        try_model(endpoint)
        result = call("model", "--test", "--json")
    assert (result.code, result.json["good"], result.json["why"]) == (0, True, "")
    assert (result.json["kind"], result.json["read"], result.json["written"]) == ("endpoint", 30, 7)
    assert result.json["proposed"] == [{name: FACT[name] for name in ("act", "turns", "text")}]
    (request,) = endpoint.requests
    assert (request.path, request.headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    system, user = request.body.pop("messages")
    assert (system["role"], user["role"], "heron" in user["content"]) == ("system", "user", True)
    assert request.body == {"model": "tiny", "max_tokens": 4000, "temperature": 0, "stream": False}
    document = call("model", "--json").json
    assert (document["kind"], document["configured"], document["reachable"]) == ("endpoint", "tiny", None)
    assert (document["test"]["good"], document["failure"]) == (True, None)
    assert f"tiny at 127.0.0.1:{endpoint.url.split(':')[2][:-3]}" in call("model").out


def picky(request: Request) -> Reply:
    """Refuse the same as newer models: a temperature, and the old name of the limit."""
    for name, words in (("temperature", "no temperature"), ("max_tokens", "use max_completion_tokens")):
        if name in request.body:
            return fails(400, words)(request)
    return Reply(completion([{"type": "text", "text": answer(FACT)}]))


@pytest.mark.parametrize(
    "behaviour", [picky, says(f"<think>{answer(BAIT)}</think>{answer(FACT)}"), says(answer(FACT)[:-6] + ",}}\n```")]
)
def test_an_answer_in_another_form_is_read(call: Callable, try_model: Callable, behaviour: Callable) -> None:
    with serving(behaviour) as endpoint:
        try_model(endpoint)
        assert call("model", "--test").code == 0


NOT_GOOD = [
    (answer(FACT, BAIT), "it obeyed an instruction"),
    (answer(), "did not come out"),
    (answer({**FACT, "text": "The staging server is called heron."}), "did not come out"),
    ("I cannot help with that.", "no JSON object"),
    (answer(FACT)[:60], "no JSON object"),
    (f"<think>{answer(FACT)}", "no JSON object"),
]


def test_what_is_not_good_enough_is_said(call: Callable, try_model: Callable) -> None:
    for reply, words in NOT_GOOD:
        with serving(says(reply)) as endpoint:
            try_model(endpoint)
            result = call("model", "--test", "--json")
            assert (result.code, result.json["good"]) == (3, False)
            assert words in result.json["why"]
        assert call("model", "--json").json["test"]["good"] is False


FAILURES = {
    "no key": fails(401, f"Incorrect API key provided: {KEY}. \x1b[31m"),
    "no model": fails(404, "The model `tiny` does not exist"),
    "too many": fails(429, KEY, {"Retry-After": "2"}),
    "broken": fails(500, KEY),
    "a page": raw(b"<html>Sign in</html>", "text/html"),
    "nothing": raw(b""),
    "another answer": raw(b'{"choices": [{"message": {"content": 7}}]}'),
    "an error": raw(b'{"error": {"message": "the model is loading"}}'),
    "brackets": raw(b"[" * 100_000),
    "too much": raw(b" " * (9 << 20)),
    "elsewhere": fails(302, headers={"Location": "http://elsewhere.example/"}),
    "half": half("{}"),
    "cut": cut_off("{}"),
}


def test_a_failure_is_told_until_an_answer_comes_and_shows_no_key(call: Callable, try_model: Callable) -> None:
    for behaviour in FAILURES.values():
        with serving(behaviour) as endpoint:
            try_model(endpoint)
            failed = call("model", "--test", "--json")
            assert (failed.code, bool(failed.json["fix"]), len(endpoint.requests)) == (1, True, 1)
            assert KEY not in failed.out + failed.err
            assert "\x1b" not in failed.err
    for words in ("status", "model"):
        output = call(words)
        assert failed.json["error"] in output.out
        assert f"fix: {failed.json['fix']}" in output.out
    (finding,) = [row for row in call("doctor", "--json").json if row["check"] == "model" and not row["ok"]]
    assert (failed.json["error"] in finding["message"], finding["fix"]) == (True, "clawgit model --test")
    with serving(says(answer(FACT))) as endpoint:
        try_model(endpoint)
        assert call("model", "--test").code == 0
    assert call("model", "--json").json["failure"] is None
    assert all(row["ok"] for row in call("doctor", "--json").json if row["check"] == "model")


def test_a_command_is_tried_and_sees_no_more_than_it_is_given(
    call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, log = tmp_path / "my-model", tmp_path / "seen"
    script.write_text(
        f"#!{sys.executable}\nimport json, os, sys\nassert 'heron' in sys.stdin.read()\n"
        f"json.dump([os.getcwd(), dict(os.environ)], open({str(log)!r}, 'w'))\nprint({answer(FACT)!r})"
    )
    script.chmod(0o755)
    for name in ("OPENAI_TOKEN", "GITHUB_SECRET", "CLAWGIT_LLM_KEY"):
        monkeypatch.setenv(name, "s")
    assert call("config", "llm", f"[{script}]", terminal=True).code == 0
    result = call("model", "--test", "--json")
    assert (result.code, result.json["provider"], result.json["estimated"]) == (0, "my-model", True)
    folder, environ = json.loads(log.read_text())
    assert folder == "/"
    assert {"CLAWGIT_LLM_KEY", "CLAWGIT_LLM_READING", "HOME"} <= environ.keys()
    assert not {"OPENAI_TOKEN", "GITHUB_SECRET"} & environ.keys()
    script.write_text(f"#!{sys.executable}\nimport sys; sys.exit('no credit: {KEY}Ab12Cd34')")
    failed = call("model", "--test")
    assert (failed.code, "no credit" in failed.err, KEY in failed.err) == (1, True, False)
    script.unlink()
    assert "cannot run" in call("model", "--test").err


URL = "http://localhost:1/v1"
CHOICES: list[tuple[str, str, str]] = [
    ("", "", "rules"),
    ("", URL, "rules"),
    ("tiny", URL, "endpoint"),
    ("[my-model]", URL, "command"),
    ("openclaw", URL, "openclaw"),
    ("rules", URL, "rules"),
    ("tiny", "", "CLAWGIT_LLM_URL"),
    ("tiny", "ftp://host/", "web address"),
    ("tiny", "http://me:secret@host/", "name or password"),
]


@pytest.mark.parametrize(("value", "url", "kind"), CHOICES)
def test_the_settings_choose_who_reads(
    call: Callable, monkeypatch: pytest.MonkeyPatch, value: str, url: str, kind: str
) -> None:
    """Half a setting is an error with a fix."""
    if value:
        assert call("config", "llm", value, terminal=True).code == 0
    if url:
        monkeypatch.setenv("CLAWGIT_LLM_URL", url)
    if kind in ("rules", "endpoint", "command", "openclaw"):
        assert call("model", "--json").json["kind"] == kind
        return
    failed = call("run", "memory-miner", "--json")
    assert (failed.code, kind in failed.json["error"], bool(failed.json["fix"])) == (1, True, True)
    assert "secret" not in failed.out


@pytest.mark.parametrize(("mode", "words"), [(0o600, "not tried yet"), (0o606, "no model is set up")])
def test_a_socket_that_others_can_use_is_none(call: Callable, space: Path, mode: int, words: str) -> None:
    """The plugin listens there, and would get the prompts."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(space / ".git/clawgit/model.sock"))
        (space / ".git/clawgit/model.sock").chmod(mode)
        listener.listen()
        document = call("model", "--json").json
    assert (document["kind"], words in json.dumps(document)) == ("rules", True)


def test_a_voice_that_reaches_less_far_holds_at_once(call: Callable) -> None:
    for model in ("rules", "openclaw"):
        assert "trust" not in call("config", "llm", model).err
        assert call("config", "llm", "--json").json["value"] == model
        call("config", "llm", "auto", terminal=True)
