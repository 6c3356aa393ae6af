"""The plugin lends clawgit the agent's model: over a socket of its owner's, one completion a request, within bounds."""

import json

import pytest

from clawgit.llm.asking import Asked, LostError
from clawgit.llm.model import ModelError
from clawgit.llm.model_clients import OpenClaw

from .conftest import PATIENCE, Gateway

GATEWAY = """
import { pathToFileURL } from "node:url";
const { default: plugin } = await import(pathToFileURL(process.argv[2]).href);
const made = [];
const failing = (message, code) => Promise.reject(Object.assign(new Error(message), { code }));
const said = (text, more = {}) => ({
  text, provider: "lab", model: "large", stopReason: "stop",
  usage: { inputTokens: 20, outputTokens: 7, cacheReadTokens: 10 }, ...more,
});
async function complete({ signal, ...asked }) {
  const last = asked.messages.at(-1).content;
  const answers = {
    aborted: () => said("", { stopReason: "error" }),
    long: () => said("half", { stopReason: "length" }),
    uncounted: () => said("x", { usage: {} }),
    refused: () => failing("Plugin LLM completion cannot override the target agent.", "LLM_COMPLETION_NOT_AUTHORIZED"),
    keyless: () => asked.execution ? failing("unsupported") : failing("Plugin LLM completion failed: no key"),
    hangs: () => new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(new Error("stopped")))),
    deaf: () => new Promise(() => {}),
  };
  return (answers[last] ?? (() => said(JSON.stringify(asked))))();
}
const nothing = () => {};
plugin.register({
  on: nothing, registerTool: nothing, registerCommand: nothing, registerHook: nothing,
  registerService: (one) => made.push(one),
  runtime: { llm: { complete } },
});
for (const one of made) one.start();
process.stdout.write(`${made.length}\\n`);
process.stdin.resume();
process.stdin.on("end", async () => { for (const one of made) await one.stop(); });
"""


class Model(Gateway):
    """Has a model that gives the answer which its last message asks for."""

    SCRIPT = GATEWAY

    def __init__(self, home, folder):
        super().__init__(home, folder)
        self.socket = home.workspace / ".git/clawgit/model.sock"
        self.process.stdout.readline()  # it listens

    def say(self, text, seconds=PATIENCE):
        return OpenClaw(self.socket).say(Asked("The rules.", text, 500, seconds))


def test_a_request_is_one_completion_without_tools(start):
    gateway = start(Model)
    assert gateway.socket.stat().st_mode & 0o777 == 0o600
    answer = gateway.say("Read this.")
    assert json.loads(answer.text) == {
        "systemPrompt": "The rules.",
        "messages": [{"role": "user", "content": "Read this."}],
        "maxTokens": 500,
        "purpose": "clawgit",
    }
    assert (answer.read, answer.written, answer.cut, answer.model) == (30, 7, False, "large")
    assert gateway.say("long").cut
    assert gateway.say("uncounted").read is None
    gateway.close()
    assert not gateway.socket.exists()


def test_what_goes_wrong_is_told(start):
    gateway = start(Model)
    with pytest.raises(LostError, match="lab failed"):
        gateway.say("aborted")
    with pytest.raises(ModelError, match="cannot override the target agent"):
        gateway.say("refused")
    with pytest.raises(ModelError, match="no key") as caught:
        gateway.say("keyless")
    assert not isinstance(caught.value, LostError)
    for fault in ("hangs", "deaf"):  # nobody waits longer than was asked for
        with pytest.raises(LostError):
            gateway.say(fault, seconds=0.5)
    assert gateway.say("Still there?").read == 30
