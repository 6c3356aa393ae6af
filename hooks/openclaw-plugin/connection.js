// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// One `clawgit mcp` that stays open: JSON-RPC 2.0, a message a line. Whatever becomes of it, a call ends in time.
import { spawn } from "node:child_process";

const LARGEST_LINE = 1 << 20; // characters; what is longer, or is never answered, is no server of ours any more
const MOST_WAITING = 32;
const MOST_UNREAD = 16 << 20; // bytes
const LONGEST_CALL = 20_000; // milliseconds after which a server that says nothing is taken for hung
const SOONEST = 250; // milliseconds before it is started again, doubled each time until it has answered
const LATEST = 60_000;
const LAST_MOMENT = 1_500;
const PROTOCOL = "2025-06-18";

export class Connection {
  #program;
  #words;
  #child = null;
  #waiting = new Map(); // by id: { end, timer }
  #notes = []; // not sent yet
  #last = 0;
  #unasked = 0; // characters of notes since the last answer
  #pause = SOONEST;
  #restart = null;
  #ready = null;
  #open = false;

  constructor(program, words) {
    this.#program = program;
    this.#words = words;
  }

  /** Start the server, and again whenever it ends, until `close`. */
  open() {
    this.#open = true;
    this.#start();
  }

  /** Let the server finish what it was asked, for a moment: it ends with its stdin. */
  async close() {
    this.#open = false;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child) return;
    this.#sendNotes();
    child.stdin.end();
    await bounded(new Promise((resolve) => child.on("close", resolve)), LAST_MOMENT);
    this.#kill(child);
  }

  /** Return what a tool answers within `wait` milliseconds, else null; `{ error }` where it answers with one. */
  async call(tool, given, wait) {
    const until = Date.now() + wait;
    if (!this.#child) return null;
    const ready = this.#ready;
    if (!(await bounded(ready, wait))) return null;
    const answer = await this.#ask("tools/call", { name: tool, arguments: given }, until - Date.now());
    const text = answer?.content?.[0]?.text ?? answer?.message ?? "";
    return answer ? (answer.content && !answer.isError ? { text, ...answer.structuredContent } : { error: text }) : null;
  }

  /** Tell the server something, and wait for no answer; without a server, or when it does not read, it is lost. */
  note(tool, given) {
    if (!this.#child || this.#child.stdin.writableLength > MOST_UNREAD) return;
    // Not within the hook: the server wakes at once, and takes the processor from it.
    if (this.#notes.push({ id: ++this.#last, method: "tools/call", params: { name: tool, arguments: given } }) === 1)
      setImmediate(() => this.#sendNotes());
  }

  #sendNotes() {
    for (const note of this.#notes.splice(0)) this.#send(note);
  }

  #start() {
    if (!this.#open) return;
    let child;
    try {
      child = spawn(this.#program, this.#words, { detached: true, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    } catch {
      return this.#again();
    }
    let rest = "";
    this.#child = child;
    this.#unasked = 0;
    [child, child.stdin, child.stdout].forEach((one) => one?.unref?.()); // it keeps nobody from ending
    child.on("error", () => this.#lost(child));
    child.on("close", () => this.#lost(child));
    child.stdin.on("error", () => {});
    child.stdout.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (part) => {
      if (this.#child !== child) return;
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      if (rest.length > LARGEST_LINE || lines.some((line) => !this.#heard(line))) this.#kill(child);
    });
    const client = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "openclaw-plugin", version: "1" } };
    this.#ready = this.#ask("initialize", client, LONGEST_CALL).then((answer) => {
      if (answer) this.#send({ method: "notifications/initialized" });
      return Boolean(answer);
    });
  }

  /** Take a line of the server's; false for one that nobody asked for. */
  #heard(line) {
    let said;
    try {
      said = JSON.parse(line);
    } catch {
      return false;
    }
    if (said?.method) return (this.#unasked += line.length) < LARGEST_LINE; // a note, such as progress
    const asked = this.#waiting.get(said?.id);
    if (asked) [this.#pause, this.#unasked] = [SOONEST, 0];
    asked?.end(said.result ?? said.error ?? null);
    return said?.id <= this.#last; // one that came too late is fine
  }

  #ask(method, params, wait) {
    this.#sendNotes();
    const child = this.#child;
    if (!child || this.#waiting.size >= MOST_WAITING || wait <= 0) return Promise.resolve(null);
    const id = ++this.#last;
    return new Promise((resolve) => {
      const hung = setTimeout(() => this.#kill(child), LONGEST_CALL).unref();
      const timer = setTimeout(() => resolve(null), Math.min(wait, LONGEST_CALL));
      const end = (answer) => {
        [timer, hung].forEach(clearTimeout);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, { end });
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#child?.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  #kill(child) {
    try {
      process.kill(-child.pid, "SIGKILL"); // it leads a group of its own
    } catch {
      // gone already
    }
    this.#lost(child);
  }

  #lost(child) {
    if (this.#child !== child) return;
    this.#child = null;
    this.#forget();
    this.#again();
  }

  #forget() {
    this.#notes = [];
    for (const { end } of [...this.#waiting.values()]) end(null);
  }

  #again() {
    if (!this.#open) return;
    this.#restart = setTimeout(() => this.#start(), this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, LATEST);
  }
}

/** Return what a promise comes to, null after `wait` milliseconds. */
export function bounded(promise, wait) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(null), Math.max(wait, 0))));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
