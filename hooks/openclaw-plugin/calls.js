// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// The agent's tool calls: what a file held before and after, and whose turn it was. Nothing waits for clawgit, and a
// handler that throws would keep the agent from writing: `index.js` calls these within one `try`.
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { running } from "./conversation.js";

const MAX_FILE_BYTES = 2 << 20;
const MAX_CALLS = 500; // that have not ended
const WRITING = new Set(["write", "edit", "apply_patch"]);
const TOLD = new Set(["edit", "apply_patch", "exec", "process", "bash"]); // whose arguments say what is new
const COMMANDS = new Set(["exec", "process", "bash"]);
const MAX_PARAMS_CHARS = 200_000;
const MAX_RESULT_CHARS = 20_000;
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

const calls = (globalThis[Symbol.for("clawgit: calls")] ??= new Map()); // OpenClaw loads this file more than once

/** Note a call that begins: its requester, and the bytes of the files that it names; of a command return its report. */
export function begins(event, ctx, workspace) {
  const files = WRITING.has(event.toolName) ? named(event).map((path) => place(path, workspace)) : [];
  const before = files.map((path) => ({ path, before: read(path) }));
  calls.set(event.toolCallId ?? ctx.toolCallId, { started: Date.now(), requester: ctx.requester, files: before });
  if (calls.size > MAX_CALLS) calls.delete(calls.keys().next().value);
  if (!COMMANDS.has(event.toolName)) return undefined;
  return { ...report(event, ctx, { started: Date.now(), requester: ctx.requester }), ended: undefined, files: [] };
}

/** Return what is reported of a call that has ended. */
export function ends(event, ctx, workspace) {
  const id = event.toolCallId ?? ctx.toolCallId ?? "";
  const begun = calls.get(id) ?? { started: Date.now() - (event.durationMs ?? 0), files: [] };
  calls.delete(id);
  const details = event.result?.details ?? {};
  return {
    ...report(event, ctx, begun),
    ended: details.status === "running" ? undefined : Date.now() / 1000,
    failed: Boolean(event.error),
    untrusted: JSON.stringify(event.result?.content ?? "").slice(0, MAX_RESULT_CHARS).includes("EXTERNAL_UNTRUSTED_CONTENT"),
    reads: event.toolName === "read" ? place(named(event)[0] ?? "", workspace) : undefined,
    files: begun.files.map(({ path, before }) => ({ path, before, after: read(path) })),
  };
}

/** Return what is known of a call from its beginning on. */
function report(event, ctx, begun) {
  const { channel, senderId: sender, senderIsOwner: owner } = begun.requester ?? {};
  const turn = running(ctx) ?? { session: ctx.sessionKey };
  return {
    call: event.toolCallId ?? ctx.toolCallId ?? "",
    tool: event.toolName,
    session: ctx.sessionId ?? "",
    run: event.runId ?? ctx.runId ?? "",
    started: begun.started / 1000,
    params: TOLD.has(event.toolName) && size(event.params) <= MAX_PARAMS_CHARS ? event.params : undefined,
    requester: begun.requester ? { ...turn, channel, sender, owner } : turn,
  };
}

/** Return the paths that a call names. */
function named({ toolName, params = {}, derivedPaths = [] }) {
  const path = params.path ?? params.file_path ?? params.filePath;
  const patch = toolName === "apply_patch" ? String(params.input ?? params.patch ?? "") : "";
  const patched = [...patch.matchAll(PATCHED)].map((found) => found[1].trim());
  return [...new Set([path, ...derivedPaths, ...patched].filter((one) => typeof one === "string" && one))];
}

function size(params) {
  return JSON.stringify(params ?? {}).length;
}

function place(path, workspace) {
  return isAbsolute(path) ? path : resolve(workspace, path);
}

/** Return the text of a file, null where there is none, undefined where it is too long or cannot be read. */
function read(path) {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch (problem) {
    return problem.code === "ENOENT" ? null : undefined;
  }
}
