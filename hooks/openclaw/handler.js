// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// Has clawgit look at messages as they arrive and at conversations that end, and adds what is remembered when the agent
// wakes up. OpenClaw waits for the last alone, `contextWait` milliseconds at most; whatever goes wrong with clawgit goes unnoticed here.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SETTINGS = JSON.parse(readFileSync(new URL("./settings.json", import.meta.url), "utf8"));
const LARGEST_MESSAGE = 2 << 20; // bytes; half a message could say something else, so a longer one is passed over
const LARGEST_CONTEXT = 1 << 20;
const MOST_WAITING = 16;
const MOST_SESSIONS = 100;
const LONGEST_FLUSH = 120_000; // milliseconds, with a model that names a file
const LONGEST_QUERY = 4_000; // characters of a message that the context is looked up for

const KINDS = [
  [/(?:^|:)clawgit(?:[:-]|$)|^(?:agent:[^:]+:)?explicit:model-run-|(?:^|:)dreaming-|:dashboard:incognito-/, "none"],
  [/(?:^|:)(?:subagent:|active-memory(?::|$))/, "subagent"],
  [/(?:^|:)cron:/, "cron"],
  [/:heartbeat$/, "heartbeat"],
  [/(?:^|:)hook:|:(?:group|channel|room):/, "group"],
  [/:(?:direct|dm):|^agent:[^:]+:(?:main(?::thread:|$)|dashboard:)|^main$/, "main"],
];
const GROUP_ADDRESS = /(?:^|:)(?:group|channel|room|guild|space|team):|@g\.us$/i;

const heard = new Map(); // the last message of a session, whose words it is, and whether anybody may write there
let waiting = 0;
let working = Promise.resolve();

/** Tell what kind of session a key names; one that nothing is known of is shown as little as a group. */
function kind(key) {
  return (KINDS.find(([sign]) => sign.test(key)) ?? [null, "group"])[1];
}

/** Tell whether this hook is installed for the agent of a session. */
function ours(key, agent) {
  const named = agent || /^agent:([^:]+):/.exec(key)?.[1];
  return named ? SETTINGS.agents.includes(named.toLowerCase()) : SETTINGS.first;
}

/** Tell whose words a message holds: the operator's are those of a private chat that not everybody may write to. */
function origin(key, context) {
  const about = context.metadata ?? {};
  const places = [context.from, context.conversationId, about.to].filter((one) => typeof one === "string");
  const group =
    [context.isGroup, context.groupId, about.isGroup, about.groupId, about.guildId, about.channelName].some(Boolean) ||
    places.some((one) => GROUP_ADDRESS.test(one));
  const forwarded = [...Object.keys(context), ...Object.keys(about)].some(
    (name) => /forward/i.test(name) && (context[name] || about[name]),
  );
  return kind(key) === "main" && !group && !forwarded && !anybody(context) ? "operator" : "untrusted";
}

/** Tell whether a message came on a channel on which anybody may write in private. */
function anybody(context) {
  const channels = [context.channelId, context.metadata?.provider, context.metadata?.surface];
  return channels.some((one) => typeof one === "string" && SETTINGS.open.includes(one.toLowerCase()));
}

/** Run clawgit with `text` on stdin; the answer is what it prints, or null if it fails, is slow, or prints too much. */
function run(words, text, wait, listen) {
  return new Promise((resolve) => {
    let child;
    let done = false;
    const parts = [];
    let size = 0;
    const end = (answer) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const stop = () => {
      end(null);
      try {
        process.kill(-child.pid, "SIGKILL"); // it leads a group of its own
      } catch {
        // gone already
      }
    };
    const timer = setTimeout(() => stop(), wait);
    timer.unref();
    try {
      child = spawn(SETTINGS.program, ["-C", SETTINGS.workspace, ...words], {
        detached: true,
        stdio: ["pipe", listen ? "pipe" : "ignore", "ignore"],
        windowsHide: true,
      });
    } catch {
      end(null);
      return;
    }
    child.on("error", () => end(null));
    child.on("close", (code) => end(code === 0 || code === 3 ? Buffer.concat(parts).toString("utf8") : null));
    child.stdin?.on("error", () => {});
    child.stdin?.end(text);
    child.stdout?.on("error", () => {});
    child.stdout?.on("data", (part) => {
      size += part.length;
      if (size > LARGEST_CONTEXT) stop();
      else parts.push(part);
    });
    if (!listen) child.unref();
  });
}

/** Have a message looked at, one after the other, in the background. */
function received(event) {
  const context = event.context ?? {};
  const key = String(event.sessionKey ?? "");
  const text = context.content;
  if (!ours(key, context.agentId) || typeof text !== "string" || !text.trim()) return;
  const whose = origin(key, context);
  const guests = heard.get(key)?.guests || anybody(context); // no turn tells whose message it is: from now on it may be a guest's
  heard.delete(key);
  heard.set(key, { text: text.slice(-LONGEST_QUERY), whose, guests });
  if (heard.size > MOST_SESSIONS) heard.delete(heard.keys().next().value);
  if (waiting >= MOST_WAITING || Buffer.byteLength(text) > LARGEST_MESSAGE) return;
  const words = ["triage", "-", "--act", "--origin", whose];
  waiting += 1;
  working = working.then(() => run(words, text, SETTINGS.messageWait, false)).finally(() => (waiting -= 1));
}

/** Name the files that OpenClaw shows whole, as clawgit names them; of a file that was cut, memories are worth a place. */
function shown(files) {
  const whole = files.filter((one) => !one?.missing && (one?.content?.length ?? Infinity) <= SETTINGS.longest);
  return whole.map((one) => one.name).filter((name) => /^[A-Z]+\.md$/.test(name));
}

/** Cut a text between lines into parts that OpenClaw shows whole. */
function parts(text) {
  const found = [""];
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (found.at(-1).length + line.length > SETTINGS.longest && found.at(-1)) found.push("");
    found[found.length - 1] += line;
  }
  return found.filter((one) => one.trim());
}

/** Add what is remembered to what the agent is shown, once the messages before are dealt with. */
async function bootstrap(event) {
  const context = event.context ?? {};
  const key = String(context.sessionKey ?? event.sessionKey ?? "");
  const who = kind(key);
  const last = heard.get(key) ?? { text: "", whose: "operator" };
  if (!ours(key, context.agentId) || who !== "main" || last.whose !== "operator" || last.guests) return; // others may listen
  if (!Array.isArray(context.bootstrapFiles) || !context.bootstrapFiles.length) return; // nothing is wanted
  const until = Date.now() + SETTINGS.contextWait;
  let timer;
  const patience = new Promise((resolve) => (timer = setTimeout(resolve, SETTINGS.contextWait / 2)));
  await Promise.race([working, patience]);
  clearTimeout(timer);
  const names = shown(context.bootstrapFiles);
  const words = ["context", "-", "--session-kind", who, ...names.flatMap((name) => ["--shown", name])];
  const text = await run(words, last.text, Math.max(until - Date.now(), 0), true);
  if (!text?.trim()) return;
  const folder = String(context.workspaceDir ?? SETTINGS.workspace);
  const added = parts(text).map((content, at) => {
    const name = at ? `CLAWGIT-${at + 1}.md` : "CLAWGIT.md";
    return { name, path: join(folder, name), content, missing: false };
  });
  context.bootstrapFiles = [...context.bootstrapFiles, ...added];
}

/** Have a session flushed that is compacted or left; nobody waits for it. */
function left(event, reason, id) {
  const key = String(event.sessionKey ?? "");
  const talk = ["main", "group"].includes(kind(key)) && ours(key, event.context?.agentId);
  const direct = kind(key) === "main" ? ["--direct"] : [];
  if (!talk || !/^\w[\w.-]*$/.test(id ?? "")) return;
  void run(["session", "flush", id, "--left", reason, ...direct], "", LONGEST_FLUSH, false);
}

export default async function clawgit(event) {
  if (process.env.CLAWGIT_LLM_READING) return; // what clawgit asks is no conversation
  try {
    if (event?.type === "message" && event.action === "received") received(event);
    else if (event?.type === "agent" && event.action === "bootstrap") await bootstrap(event);
    else if (event?.type === "session" && event.action === "compact:before") left(event, "compaction", event.context?.sessionId);
    else if (event?.type === "command" && ["new", "reset"].includes(event.action))
      left(event, event.action, event.context?.previousSessionEntry?.sessionId);
  } catch {
    // the agent goes on without
  }
}
