// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// What the agent itself may ask, and what the operator may from the chat.
import { execFile } from "node:child_process";

const PATIENCE = 15_000;
const LONGEST_ANSWER = 1_500;
const text = (description, rest = {}) => ({ type: "string", description, ...rest });
const shape = (properties, required) => ({ type: "object", properties, required, additionalProperties: false });
const waits = (said) => `Not done yet: ${said.reason ?? "it waits for the operator"}${said.proposal ? `, who can look at it with ${said.proposal.review}` : ""}. Say so in your answer.`;

const TOOLS = [
  {
    name: "clawgit_search",
    tool: "recall",
    description:
      "Search everything this workspace ever remembered, kept in git: notes, journals, corrections, and with deleted or asOf what was removed or what a file said on an earlier day. Each hit comes with its place, whose words it is and since when. Call it before answering about earlier work, decisions, dates, people or preferences; memory_search knows neither corrections nor history.",
    parameters: shape(
      { query: text("What to look for, in plain words."), asOf: text("As the files were on this day, such as 2026-03-01."), deleted: { type: "boolean", description: "Among lines that are gone." } },
      ["query"],
    ),
  },
  {
    name: "clawgit_read",
    tool: "memory_get",
    description: "Read lines of a file that clawgit_search names, such as MEMORY.md from line 12.",
    parameters: shape({ path: text("Path in the workspace."), from: { type: "integer", minimum: 1 }, lines: { type: "integer", minimum: 1, maximum: 40 } }, ["path"]),
    given: (given) => ({ lines: 12, ...given }),
  },
  {
    name: "clawgit_remember",
    tool: "memory_add",
    description: "Keep one fact for good, as one commit that the operator can undo: one sentence, names and dates written out. No secrets.",
    parameters: shape({ text: text("The fact."), tag: text("What it is.", { enum: ["event", "knowledge", "skill", "decision"] }) }, ["text"]),
    answer: (said) => {
      if (said.commit) return `Kept as ${said.id} (to take it back: ${said.undo}).`;
      return said.merged_into ? `Known already, as ${said.merged_into}.` : waits(said);
    },
  },
  {
    name: "clawgit_propose",
    tool: "soul_propose",
    description: "Propose a change of SOUL.md or another identity file, with the reason; the operator decides. Never edit these files with other tools.",
    parameters: shape(
      { act: text("What to do.", { enum: ["add", "replace", "remove"] }), text: text("The line."), old: text("The line that replace takes the place of."), section: text("The heading that add puts it under."), file: text("SOUL.md unless given."), why: text("The reason."), evidence: { type: "array", items: { type: "string" }, description: "Such as memory/2026-03-01.md#L12." } },
      ["act", "text", "why"],
    ),
    answer: (said) => (said.commit ? `Done (to take it back: ${said.undo}).` : waits(said)),
  },
];

/** Return the tools for a turn, in whose name `call` asks. */
export function tools(call) {
  return TOOLS.map(({ tool, given, answer, ...rest }) => ({
    ...rest,
    label: rest.name.replace("_", ": "),
    catalogMode: "direct-only",
    async execute(_, asked) {
      let said = await call(tool, given?.(asked) ?? asked, PATIENCE);
      said ??= { error: "clawgit does not answer just now; go on without it, and say so." };
      const words = said.error ?? answer?.(said) ?? said.text;
      const short = words.length > LONGEST_ANSWER ? words.slice(0, LONGEST_ANSWER - 1) + "…" : words;
      return { content: [{ type: "text", text: short }], details: {} };
    },
  }));
}

/** Return the slash command: what it prints is clawgit's own; no shell is run. */
export function command(settings, call) {
  const usage = "/clawgit status · why [FILE:LINE] · undo CHANGE · inbox · show ID · accept ID · reject ID";
  const places = { status: [0, 0], why: [0, 1], undo: [1, 1], inbox: [0, 0], show: [1, 1], accept: [1, 1], reject: [1, 1] };
  return {
    name: "clawgit",
    description: `What is remembered, and why: ${usage}`,
    acceptsArgs: true,
    requiredScopes: ["operator.admin"], // else OpenClaw does not say who the owner is
    async handler(ctx) {
      const [verb, ...rest] = (ctx.args ?? "").trim().split(/\s+/);
      const owner = ctx.senderIsOwner === true || ctx.gatewayClientScopes?.includes("operator.admin");
      if (!owner) return { text: "Only the operator may ask that." };
      const [fewest, most] = Object.hasOwn(places, verb) ? places[verb] : [1, 0];
      if (rest.length < fewest || rest.length > most || rest.some((word) => word.startsWith("-"))) return { text: usage };
      const requester = { session: ctx.sessionKey, channel: ctx.channel, to: ctx.from, sender: ctx.senderId, owner: true };
      const listens = await call("listens", { requester }, PATIENCE);
      if (!listens?.alone) return { text: listens ? "I answer that in private only." : "clawgit does not answer just now." };
      ctx.assertOwnerCurrent?.();
      const words = ["-C", settings.workspace, "--color", "never", verb, ...(verb === "why" && !rest.length ? ["--last"] : rest)];
      const bounds = { timeout: PATIENCE, maxBuffer: 1 << 20, killSignal: "SIGKILL", windowsHide: true };
      return new Promise((resolve) => {
        const child = execFile(settings.program, words, bounds, (problem, out, errors) =>
          resolve({ text: ("```\n" + (out || errors || problem?.message || "")).slice(0, 3_500).trimEnd() + "\n```" }),
        );
        child.stdin?.end();
      });
    },
  };
}
