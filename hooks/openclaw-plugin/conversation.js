// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// Whose words reach a turn, and what OpenClaw says of it: who asks, who hears the answer, what brought it about. Whether
// the operator listens alone is decided by clawgit.
const MOST_SESSIONS = 100;
const MOST_MESSAGES = 16; // that wait for their turn, in one session
const LARGEST_MESSAGE = 2 << 20; // characters; half a message could say something else, so a longer one is passed over
const LONGEST_QUESTION = 4_000;
const LONGEST_CONVERSATION = 20_000;
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
  const found = sessions.get(key) ?? { waiting: [], turns: [], lookups: [], cause: {}, files: [], parent: undefined };
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

/** Return the turn that tools are made for: OpenClaw says anew for each whose message it is. */
export function made(ctx) {
  const known = session(ctx.sessionKey ?? "");
  const { messageChannel: channel, requesterSenderId: sender, senderIsOwner: owner, deliveryContext } = ctx;
  const turn = { session: ctx.sessionKey, channel, to: deliveryContext?.to, sender, owner, ...known.cause, parent: known.parent };
  return put(known.turns, turn);
}

/** Return the turn that begins, with what brought it about; where no tools were made for it nobody says whose it is. */
export function begun(ctx) {
  const known = session(ctx.sessionKey ?? "");
  const same = (one) => !one.run && one.sender === ctx.senderId && (!one.channel || !ctx.channel || one.channel === ctx.channel);
  const turn = (ctx.runId && running(ctx)) || known.turns.findLast(same) || put(known.turns, { session: ctx.sessionKey, sender: ctx.senderId, parent: known.parent });
  const from = ctx.inputProvenance ?? {};
  known.cause = { trigger: ctx.trigger, cause: from.kind, source: from.sourceSessionKey, tool: from.sourceTool };
  turn.channel ??= ctx.channel;
  turn.to ??= ctx.chatId;
  return Object.assign(turn, known.cause, { run: ctx.runId, id: ctx.sessionId });
}

/** Forget a turn that is over. */
export function ended(ctx) {
  const known = session(ctx.sessionKey ?? "");
  const turn = running(ctx);
  known.turns = known.turns.filter((one) => one !== turn);
  known.lookups = known.lookups.filter((one) => one.turn !== turn);
  known.cause = {};
}

/** Note in which turn OpenClaw's own memory is asked, which tells a corpus no more than the session. */
export function looksUp(event, ctx) {
  const words = event.params?.query ?? event.params?.path;
  if (!/^memory_(?:search|get)$/.test(event.toolName) || typeof words !== "string") return;
  const { channel, senderId: sender, senderIsOwner: owner } = ctx.requester ?? {};
  const turn = running(ctx) ?? { session: ctx.sessionKey, channel, sender, owner };
  put(session(ctx.sessionKey ?? "").lookups, { words: words.trim(), turn });
}

/** Return the turn that asked a corpus, nobody's where two did. */
export function asker(key, words) {
  const turns = new Set(session(key ?? "").lookups.filter((one) => one.words === words?.trim()).map((one) => one.turn));
  return turns.size === 1 ? [...turns][0] : {};
}

/** Note which turn a sub-agent was started in; nobody's where turns of different people run at the same time. */
export function spawned(event, ctx) {
  const { channel, to } = event.requester ?? {};
  const turns = session(ctx.requesterSessionKey ?? "").turns.filter((turn) => turn.run && turn.channel === channel && turn.to === to);
  const same = (turn) => ["owner", "sender", "trigger", "cause", "source", "tool"].every((name) => turn[name] === turns[0][name]);
  session(event.childSessionKey ?? "").parent = turns.every(same) ? turns[0] : undefined;
}

/** Return the turn that runs, by its run where that is told. */
export function running(ctx) {
  const { turns } = session(ctx.sessionKey ?? "");
  return ctx.runId ? turns.find((one) => one.run === ctx.runId) : turns.at(-1);
}

function put(list, one) {
  list.push(one);
  if (list.length > MOST_MESSAGES) list.shift();
  return one;
}

/** Take a message that has arrived: whether it is for the agent, the turn tells. */
export function received(event, ctx) {
  const text = event.content;
  if (typeof text !== "string" || !text.trim() || text.length > LARGEST_MESSAGE) return;
  const about = { ...event.metadata, ...event };
  const forwarded = Object.keys(about).some((name) => /forward/i.test(name) && about[name]);
  put(session(event.sessionKey ?? ctx.sessionKey ?? "").waiting, { text, sender: event.senderId ?? ctx.senderId, forwarded });
}

/** Return what the operator said of a turn's prompt, and the question that the turn is about. */
export function said(event, ctx, turn) {
  const known = session(ctx.sessionKey ?? "");
  const prompt = String(event.currentUserMessage ?? event.prompt ?? "");
  const mine = known.waiting.filter((one) => prompt.includes(one.text));
  known.waiting = known.waiting.filter((one) => !mine.includes(one));
  const words = mine.length || ctx.channel || ctx.messageProvider ? mine : [{ text: prompt, sender: ctx.senderId }];
  const theirs = talks(ctx) && ctx.trigger === "user" && (ctx.inputProvenance?.kind ?? "external_user") === "external_user";
  const heard = theirs ? words.filter((one) => operators(one, turn)).map((one) => one.text) : [];
  const question = mine.length ? mine.map((one) => one.text).join("\n") : job(prompt);
  return { heard, question: question.slice(-LONGEST_QUESTION) };
}

/** Return what the operator said while a turn of his was running, which had no prompt of its own; commands are OpenClaw's. */
export function leftOver(ctx) {
  const known = session(ctx.sessionKey ?? "");
  const turn = running(ctx);
  if (turn?.owner !== true) return { texts: [] }; // OpenClaw's own turn, after a restart, or another's: what waits has its turn to come
  const left = known.waiting.filter((one) => talks(ctx) && operators(one, turn));
  known.waiting = known.waiting.filter((one) => !left.includes(one));
  return { texts: left.map((one) => one.text).filter((text) => !text.trimStart().startsWith("/")), turn };
}

/** Return the end of the conversation that the prompt shows. */
export function conversation(event) {
  const words = (content) => (Array.isArray(content) ? content.map((part) => part?.text ?? "").join(" ") : String(content ?? ""));
  const turns = (event.messages ?? []).filter((one) => ["user", "assistant"].includes(one?.role));
  return turns.map((one) => `${one.role}: ${words(one.content)}`).join("\n").slice(-LONGEST_CONVERSATION);
}

/** Tell whether it is a conversation with people: what a sub-agent or a timer is told is nobody's own words. */
function talks(ctx) {
  return ["main", "group"].includes(kind(ctx));
}

function operators(one, turn) {
  return turn.owner === true && !one.forwarded && one.sender === turn.sender && one.text.length <= LARGEST_MESSAGE;
}

/** Return what a timer's prompt asks for, without what OpenClaw puts around it. */
function job(prompt) {
  return prompt.replace(/^\[cron:[^\]\n]*\]\s*/, "").split("\nCurrent time: ")[0];
}
