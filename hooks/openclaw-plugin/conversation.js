// Written by clawgit: `clawgit openclaw uninstall` takes it away.
// digest: @DIGEST@
// Whose words reach a turn, and what kind of a turn it is: by what OpenClaw says of both, and by the key of the
// session only where it says nothing.
const MOST_SESSIONS = 100;
const MOST_MESSAGES = 16; // that wait for their turn, in one session
const LARGEST_MESSAGE = 2 << 20; // characters; half a message could say something else, so a longer one is passed over
const LONGEST_QUESTION = 4_000;
const OUTSIDE_MAIN = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"]; // what OpenClaw shows in other sessions
const KEYS = [
  [/(?:^|:)clawgit(?:[:-]|$)|^(?:agent:[^:]+:)?explicit:model-run-|(?:^|:)dreaming-|:dashboard:incognito-/, "none"],
  [/(?:^|:)(?:subagent:|active-memory(?::|$))/, "subagent"],
  [/(?:^|:)cron:/, "cron"],
  [/:heartbeat$/, "heartbeat"],
  [/(?:^|:)hook:|:(?:group|channel|room):/, "group"],
  [/:(?:direct|dm):|^agent:[^:]+:(?:main(?::thread:|$)|dashboard:)|^main$/, "main"],
];

const sessions = (globalThis[Symbol.for("clawgit: sessions")] ??= new Map()); // OpenClaw loads this file more than once

/** Return what is known of a session; the one that was used last stays the longest. */
export function session(key) {
  const found = sessions.get(key) ?? { waiting: [], owner: null, sender: undefined, files: [], turn: {} };
  sessions.delete(key);
  sessions.set(key, found);
  if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value);
  return found;
}

/** Tell what kind of a turn it is; one that nothing is known of is shown as little as a group. */
export function kind(ctx) {
  const byKey = KEYS.find(([sign]) => sign.test(ctx.sessionKey ?? ""))?.[1] ?? "group";
  if (byKey === "none" || byKey === "subagent") return byKey;
  if (ctx.trigger === "cron" || ctx.trigger === "heartbeat") return ctx.trigger;
  return byKey;
}

/** Tell in whose turn a tool is called: OpenClaw shows a tool the sender, and what brought the turn about only before. */
export function caller(ctx) {
  const { trigger, inputProvenance } = session(ctx.sessionKey ?? "").turn;
  const who = kind({ ...ctx, trigger });
  if (who === "none") return "machine";
  if (["subagent", "cron", "heartbeat"].includes(who)) return who;
  if (/(?:^|:)hook:/.test(ctx.sessionKey ?? "")) return "hook";
  const from = inputProvenance?.kind ?? "external_user";
  if (from !== "external_user") return from === "inter_session" ? "subagent" : "machine";
  return ctx.senderIsOwner === true ? "operator" : "others";
}

/** Take a message that has arrived: whether it is for the agent, the turn tells. */
export function received(event, ctx) {
  const text = event.content;
  if (typeof text !== "string" || !text.trim() || text.length > LARGEST_MESSAGE) return;
  const about = { ...event.metadata, ...event };
  const forwarded = Object.keys(about).some((name) => /forward/i.test(name) && about[name]);
  const waiting = session(event.sessionKey ?? ctx.sessionKey ?? "").waiting;
  waiting.push({ text, sender: event.senderId ?? ctx.senderId, forwarded });
  if (waiting.length > MOST_MESSAGES) waiting.shift();
}

/** Return what the operator said of a turn's prompt, and the question that the turn is about. */
export function said(event, ctx) {
  const known = session(ctx.sessionKey ?? "");
  const prompt = String(event.currentUserMessage ?? event.prompt ?? "");
  const mine = known.waiting.filter((one) => prompt.includes(one.text));
  known.waiting = known.waiting.filter((one) => !mine.includes(one));
  const words = mine.length || ctx.channel || ctx.messageProvider ? mine : [{ text: prompt, sender: ctx.senderId }];
  const theirs = talks(ctx) && ctx.trigger === "user" && (ctx.inputProvenance?.kind ?? "external_user") === "external_user";
  const heard = theirs ? words.filter((one) => operators(one, known)).map((one) => one.text) : [];
  const question = mine.length ? mine.map((one) => one.text).join("\n") : job(prompt);
  return { heard, question: question.slice(-LONGEST_QUESTION) };
}

/** Return what the operator said while a turn of his was running, which had no prompt of its own; commands are OpenClaw's. */
export function leftOver(ctx) {
  const known = session(ctx.sessionKey ?? "");
  if (known.owner !== true) return []; // OpenClaw's own turn, after a restart, or another's: what waits has its turn to come
  const left = known.waiting.filter((one) => talks(ctx) && operators(one, known) && !one.text.trimStart().startsWith("/"));
  known.waiting = [];
  return left.map((one) => one.text);
}

/** Name the files that OpenClaw shows whole in a turn of this kind. */
export function shown(ctx, who) {
  const names = session(ctx.sessionKey ?? "").files;
  return who === "main" ? names : names.filter((name) => OUTSIDE_MAIN.includes(name));
}

/** Tell whether it is a conversation with people: what a sub-agent or a timer is told is nobody's own words. */
function talks(ctx) {
  return ["main", "group"].includes(kind(ctx));
}

function operators(one, known) {
  return known.owner === true && !one.forwarded && one.sender === known.sender && one.text.length <= LARGEST_MESSAGE;
}

/** Return what a timer's prompt asks for, without what OpenClaw puts around it. */
function job(prompt) {
  return prompt.replace(/^\[cron:[^\]\n]*\]\s*/, "").split("\nCurrent time: ")[0];
}
