// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// The agent's own model for clawgit: a Unix socket that its owner alone can use; a line of JSON asks, a line answers.
import { openSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { basename, dirname } from "node:path";
import { bounded } from "./connection.js";

const LARGEST_REQUEST = 4 << 20; // characters
const MOST_AT_ONCE = 4;
const LONGEST_REQUEST = 10_000; // milliseconds until a request is whole
const LONGEST_ANSWER = 600; // seconds
const LONGEST_NAME = 100; // bytes that a socket may be called by
const LONGEST_PROBLEM = 300;
const NOT_PREPARED = /^Plugin LLM completion failed:/; // nothing was asked yet
const NOT_ALLOWED = "LLM_COMPLETION_NOT_AUTHORIZED";

export class Voice {
  #place;
  #complete;
  #agent;
  #fix;
  #server = null;

  /** Listen at `place`; `complete` is OpenClaw's, asked for the model of `agent`, or of its own choice for none. */
  constructor(place, complete, agent, name) {
    [this.#place, this.#complete, this.#agent] = [place, complete, agent];
    this.#fix = `openclaw config set plugins.entries.${name}.llm.allowAgentIdOverride true --strict-json && openclaw gateway restart`;
  }

  open() {
    try {
      this.#listen(this.#name(), true);
    } catch {
      // there is no such folder, or no such name: clawgit does without
    }
  }

  close() {
    this.#server?.close(); // takes the socket away
  }

  /** Name the socket; a path that is too long goes by the folder's descriptor. */
  #name() {
    if (Buffer.byteLength(this.#place) <= LONGEST_NAME) return this.#place;
    return `/proc/self/fd/${openSync(dirname(this.#place), "r")}/${basename(this.#place)}`;
  }

  #listen(name, again) {
    const server = createServer((asker) => this.#serve(asker)).unref();
    server.maxConnections = MOST_AT_ONCE;
    server.on("error", (problem) => {
      if (!again || problem.code !== "EADDRINUSE") return;
      const other = connect(name, () => other.destroy()); // another gateway has it
      other.on("error", () => {
        try {
          unlinkSync(name); // one that was killed left it
          this.#listen(name, false);
        } catch {
          // somebody else did
        }
      });
    });
    const before = process.umask(0o177); // the socket comes to be with mode 0600
    try {
      server.listen(name);
    } finally {
      process.umask(before);
    }
    this.#server = server;
  }

  #serve(asker) {
    const gone = new AbortController();
    const late = setTimeout(() => asker.destroy(), LONGEST_REQUEST).unref();
    let text = "";
    let asked = false;
    asker.unref();
    asker.on("error", () => {});
    asker.on("close", () => {
      clearTimeout(late);
      gone.abort();
    });
    asker.setEncoding("utf8").on("data", async (part) => {
      text += part;
      if (asked || text.length > LARGEST_REQUEST) return asker.destroy();
      if (!part.endsWith("\n")) return;
      asked = true;
      clearTimeout(late);
      const answer = await this.#answer(text, gone);
      asker.end(JSON.stringify(answer) + "\n");
    });
  }

  async #answer(text, gone) {
    let timer;
    try {
      const { rules, turns, tokens, seconds } = JSON.parse(text);
      const wait = Math.min(Math.max(Number(seconds) || 0, 0.1), LONGEST_ANSWER) * 1000;
      timer = setTimeout(() => gone.abort(), wait);
      const messages = turns.map(({ who, text: content }) => ({ role: who === "assistant" ? who : "user", content: String(content) }));
      const asked = { systemPrompt: String(rules), messages, maxTokens: tokens, purpose: "clawgit", signal: gone.signal };
      if (this.#agent) asked.agentId = this.#agent;
      const said = await bounded(this.#asked(asked, wait), wait);
      return said ? answered(said) : { error: "it took too long", lost: true };
    } catch (problem) {
      const error = String(problem?.message ?? problem).slice(0, LONGEST_PROBLEM);
      if (problem?.code === NOT_ALLOWED) return { error, fix: this.#agent ? this.#fix : undefined };
      return { error, lost: gone.signal.aborted };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ask the provider; where OpenClaw reaches its model by another program alone, ask that, without tools. */
  async #asked(asked, timeoutMs) {
    try {
      return await this.#complete(asked);
    } catch (problem) {
      if (!NOT_PREPARED.test(problem?.message) || asked.messages.length > 1 || asked.signal.aborted) throw problem;
      return await this.#complete({ ...asked, execution: { mode: "isolated-agent-runtime", timeoutMs: Math.ceil(timeoutMs) } }).catch(() => {
        throw problem;
      });
    }
  }
}

function answered({ text, usage = {}, provider, model, stopReason }) {
  if (stopReason === "error" || stopReason === "aborted") return { error: `${provider} failed`, lost: true };
  const { inputTokens: read, outputTokens: written, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const counted = Number.isFinite(read) && Number.isFinite(written);
  const tokens = counted ? { read: read + cacheReadTokens + cacheWriteTokens, written } : {};
  return { text: String(text), ...tokens, cut: stopReason === "length", provider, model };
}
