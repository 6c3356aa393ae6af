// Written by clawgit: `clawgit disconnect` takes it away.
// digest: @DIGEST@
// What OpenClaw's own memory_search finds of ours where it is asked for every corpus: corrections, and lines that are gone.
import { asker } from "./conversation.js";

const PATIENCE = 5_000;
const THEIRS = /^(?:MEMORY\.md$|memory\/)/; // OpenClaw searches these itself

/** Return the corpus; `ours` tells whether a session belongs to this workspace. */
export function corpus(call, ours) {
  const allowed = ({ agentId, agentSessionKey, sandboxed }) => !sandboxed && ours({ agentId, sessionKey: agentSessionKey });
  const found = async (given) => (await call("memory_search", given, PATIENCE))?.results ?? [];
  return {
    async search(asked) {
      if (!allowed(asked)) return [];
      const requester = asker(asked.agentSessionKey, asked.query);
      const given = { query: asked.query, maxResults: Math.min(asked.maxResults ?? 10, 50), requester };
      const [stands, gone] = await Promise.all([found(given), found({ ...given, deleted: true })]);
      const told = (one, label) => ({ corpus: "clawgit", provenanceLabel: label, ...one });
      return [
        ...stands.filter((one) => !THEIRS.test(one.path)).map((one) => told(one, "clawgit")),
        ...gone.map((one) => told(one, "clawgit: this line is gone")),
      ].slice(0, given.maxResults);
    },
    async get(asked) {
      if (!allowed(asked)) return null;
      const [fromLine, lineCount] = [asked.fromLine ?? 1, asked.lineCount ?? 40];
      const requester = asker(asked.agentSessionKey, asked.lookup);
      const said = await call("memory_get", { path: asked.lookup, from: fromLine, lines: lineCount, requester }, PATIENCE);
      if (!said || said.error || said.status === "not_found") return null;
      return { corpus: "clawgit", path: asked.lookup, content: said.text, fromLine, lineCount: said.lines ?? lineCount, provenanceLabel: "clawgit" };
    },
  };
}
