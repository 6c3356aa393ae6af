"""How long each hook of the plugin holds up OpenClaw's gateway, in a real Node, beside a hook that does nothing.

    python benchmarks/writes/gateway_hooks.py                 needs node and the extra `mcp`
    python benchmarks/writes/gateway_hooks.py --rounds 200 --json

The plugin lies where `clawgit connect` puts it, in a home of its own, with a clawgit that answers. `held` is
the time until a hook gives control back, `busy` all the time for which Node's loop did not wait, until what the hook
began has settled and a tenth of a second on, `processor` what the gateway took of a processor meanwhile, and `waits`
the time until its promise is settled: for the context, which OpenClaw waits for, the time that clawgit needs. Wanted:
at most 50 ms of the gateway's time.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep

PROGRAM = Path(sys.executable).with_name("clawgit")
SESSION = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
GATEWAY = """
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
const { default: plugin } = await import(pathToFileURL(process.argv[2]).href);
const rounds = Number(process.argv[3]);
const on = { nothing: async () => {} }, made = {};
const add = (name, act) => (on[name] = act);
plugin.register({
  on: add,
  registerHook: add,
  registerService: (one) => (made.service = one),
  registerTool: () => {},
  registerCommand: () => {},
  registerMemoryCorpusSupplement: () => {},
});
made.service.start();
const key = "agent:main:main", id = process.argv[4];
const turn = { agentId: "main", sessionKey: key, sessionId: id, trigger: "user", channel: "telegram", senderId: "ada" };
const asked = "What is the staging server called?";
const events = {
  nothing: {},
  message_received: { content: asked, sessionKey: key, senderId: "ada" },
  "agent:bootstrap": { context: { sessionKey: key, bootstrapFiles: [{ name: "SOUL.md", content: "x" }] } },
  before_prompt_build: { prompt: asked },
  before_tool_call: { toolName: "write", toolCallId: "call_1", params: { path: "memory/note.md", content: "- A." } },
  after_tool_call: { toolName: "write", toolCallId: "call_1", params: { path: "memory/note.md", content: "- A." } },
  agent_end: {},
  before_compaction: {},
  before_reset: {},
  session_end: { sessionId: id, sessionKey: key, reason: "new" },
};
const flushes = ["before_compaction", "session_end"];
const ready = () => on.before_prompt_build(events.before_prompt_build, turn);
for (let tries = 0; tries < 600 && !(await ready()); tries++) await pause(100);
const found = {};
for (let round = 0; round < rounds; round++)
  for (const name of Object.keys(events)) {
    const [loop, used] = [performance.eventLoopUtilization(), process.cpuUsage()];
    const begun = performance.now();
    const answer = on[name](events[name], turn);
    const held = performance.now() - begun;
    await answer;
    const waits = performance.now() - begun;
    await pause(flushes.includes(name) ? 2000 : 100); // a flush is a process that would hold up the next hook
    const busy = performance.eventLoopUtilization(loop).active;
    const { user, system } = process.cpuUsage(used);
    (found[name] ??= []).push({ held, busy, processor: (user + system) / 1000, waits });
  }
await made.service.stop();
console.log(JSON.stringify(found));
"""


def spread(values: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return {"p50": round(statistics.median(values), 2), "p95": round(cuts[18], 2), "most": round(max(values), 2)}


def measured(folder: Path, rounds: int) -> dict[str, Any]:
    """Return what each hook took, in milliseconds."""
    state, workspace = folder / ".openclaw", folder / ".openclaw/workspace"
    environ = os.environ | {"HOME": str(folder), "XDG_STATE_HOME": str(folder / ".state")}
    workspace.mkdir(parents=True)
    (state / "openclaw.json").write_text('{"meta": {"lastTouchedVersion": "2026.9.6"}}')
    sessions = state / "agents/main/sessions"
    sessions.mkdir(parents=True)
    text = {"role": "user", "content": "We decided to use PostgreSQL.", "timestamp": 1_777_881_600_000}
    head = {"type": "session", "version": 3, "id": SESSION, "timestamp": "2026-05-04T08:00:00Z"}
    row = {"type": "message", "id": "a1", "parentId": None, "timestamp": "2026-05-04T08:00:00Z", "message": text}
    (sessions / f"{SESSION}.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(row)}\n")

    def clawgit(*words: str) -> None:
        subprocess.run([PROGRAM, *words], env=environ, capture_output=True, check=True)

    clawgit("init", str(workspace))
    clawgit("-C", str(workspace), "memory", "add", "The staging server is called heron.")
    clawgit("-C", str(workspace), "connect", "--yes")
    script = folder / "gateway.mjs"
    script.write_text(GATEWAY)
    command = ["node", str(script), str(state / "extensions/clawgit-main/index.js"), str(rounds), SESSION]
    result = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    rows = json.loads(result.stdout)
    return {name: {key: spread([item[key] for item in group]) for key in group[0]} for name, group in rows.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-gateway-") as folder:
        results = measured(Path(folder), options.rounds)
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
        return
    parts = ("held", "busy", "processor", "waits")
    print(f"{f'milliseconds, n = {options.rounds}':<24}" + "".join(f"{f'{part} p50 / p95':>22}" for part in parts))
    for name, item in results.items():
        print(f"{name:<24}" + "".join(f"{item[part]['p50']:>14} / {item[part]['p95']:<5}" for part in parts))


if __name__ == "__main__":
    main()
