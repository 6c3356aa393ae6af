// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// What a conversation asks to be kept, before OpenClaw compacts or leaves it. A process of its own sees to it, which
// outlives the gateway: nobody waits for it, and no model has to obey.
import { spawn } from "node:child_process";
import { kind } from "./conversation.js";

const REASONS = ["new", "reset", "idle", "daily", "compaction", "shutdown", "restart"]; // what is deleted is not kept
const MOST_AT_ONCE = 16;
const LONGEST = 120_000; // milliseconds, with a model that names a file

let running = 0;

/** Have a session flushed that is compacted or left, for the reason that OpenClaw gives. */
export function flush(settings, ctx, reason) {
  const who = kind({ sessionKey: ctx.sessionKey }); // whatever brought the last turn about
  if (!["main", "group"].includes(who) || !REASONS.includes(reason) || !/^\w[\w.-]*$/.test(ctx.sessionId ?? "") || running >= MOST_AT_ONCE) return;
  const direct = who === "main" ? ["--direct"] : [];
  const ended = ["--ended", new Date().toISOString()]; // the session may go on under the same name
  const words = ["-C", settings.workspace, "session", "flush", ctx.sessionId, "--left", reason, ...direct, ...ended];
  const child = spawn(settings.program, words, { detached: true, stdio: "ignore", windowsHide: true });
  const timer = setTimeout(() => stop(child), LONGEST).unref();
  const gone = new Promise((resolve) => child.once("error", resolve).once("close", resolve));
  running += 1;
  void gone.then(() => {
    clearTimeout(timer);
    running -= 1;
  });
  child.unref();
}

function stop(child) {
  try {
    process.kill(-child.pid, "SIGKILL"); // it leads a group of its own
  } catch {
    // gone already
  }
}
