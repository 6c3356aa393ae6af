// A chat client of OpenClaw's gateway. It reads one JSON object and prints one:
// {port, token, folder, patience, say?, session?, guest?, method?, params?}. A guest is not taken for the owner. `say` is a message of the user, and the end of its turn is waited for; `method` any other call.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const wish = JSON.parse(readFileSync(0, "utf8"));
const WebSocket = createRequire(wish.folder + "/")("ws");

const until = Date.now() + wish.patience * 1000;
const CLIENT = { id: "gateway-client", version: "1.0.0", platform: process.platform, mode: "backend" };
const SCOPES = [...(wish.guest ? [] : ["operator.admin"]), "operator.read", "operator.write", "operator.approvals"];

function end(answer, code = 0) {
  process.stdout.write(JSON.stringify(answer) + "\n", () => process.exit(code));
}

/** Open a connection; `over` is called with each event, and the promise is kept once the gateway has taken us in. */
function connected(over) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${wish.port}`, { maxPayload: 5e7 });
    const waiting = new Map();
    let last = 0;
    let taken = false;
    const call = (method, params) =>
      new Promise((kept, broken) => {
        waiting.set(String(++last), { kept, broken });
        socket.send(JSON.stringify({ type: "req", id: String(last), method, params }));
      });
    const failed = (problem) => {
      socket.removeAllListeners();
      socket.on("error", () => {});
      socket.terminate();
      for (const { broken } of waiting.values()) broken(problem);
      if (taken) end({ error: String(problem) }, 1); // nobody is left to wait for
      reject(problem);
    };
    socket.on("error", failed);
    socket.on("close", (code) => failed(new Error(`the gateway closed the connection: ${code}`)));
    socket.on("message", (data) => {
      const message = JSON.parse(data);
      if (message.type === "res") {
        const { kept, broken } = waiting.get(message.id) ?? {};
        waiting.delete(message.id);
        if (message.ok) kept?.(message.payload);
        else broken?.(new Error(JSON.stringify(message.error)));
      } else if (message.event === "connect.challenge") {
        const wanted = { minProtocol: 4, maxProtocol: 4, role: "operator", caps: [], client: CLIENT, scopes: SCOPES };
        call("connect", { ...wanted, auth: { token: wish.token } }).then(() => {
          taken = true;
          resolve(call);
        }, failed);
      } else over(message);
    });
  });
}

function words(message) {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

async function main() {
  setTimeout(() => end({ error: `no answer within ${wish.patience} s` }, 1), until - Date.now());
  let turn = "";
  let turned;
  const over = new Promise((resolve) => (turned = resolve));
  const heard = ({ event, payload }) => {
    if (event === "chat" && payload.runId === turn && ["final", "error", "aborted"].includes(payload.state)) turned(payload);
  };
  let call;
  while (!call) {
    try {
      call = await connected(heard);
    } catch (problem) {
      // It takes a moment from the first open port to "ready".
      if (!/starting|ECONNREFUSED/.test(String(problem))) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  if (wish.method) return end({ answer: await call(wish.method, wish.params ?? {}) });
  turn = `say-${process.pid}-${Date.now()}`;
  const begun = Date.now();
  await call("chat.send", { sessionKey: wish.session, message: wish.say, idempotencyKey: turn });
  const final = await over;
  end({ state: final.state, reply: words(final.message), error: final.errorMessage, begun: begun / 1000, took: (Date.now() - begun) / 1000 });
}

main().catch((problem) => end({ error: String(problem) }, 1));
