"""A model of our own on the loopback: it answers what it was told to, and keeps what it was asked.

It speaks OpenAI's chat completions, streaming and not. A step is an answer:

    {"text": "Fine."}                                             what it says
    {"calls": [{"name": "read", "arguments": {"path": "a.md"}}]}  tools that it calls
    {"when": "deploy", …}                                         only for a request whose last words hold that
    {"keep": True, …}                                             not used up
    {"pause": 5, …}                                               thinks for so long first
    {"by": f, …}                                                  says f(rules, words): what the system and the user say

The first step that fits is taken; where none does, the answer is "Noted.".
"""

import json
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
NAME = "scripted"


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the model, and the step that answered it; `at` is seconds of the epoch."""

    at: float
    body: Json
    step: Json

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    def text(self, *roles: str) -> str:
        return "\n".join(words(message) for message in self.body["messages"] if not roles or message["role"] in roles)


def words(message: Json) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


class Model:
    """The server; `address` is its place for OpenClaw."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: list[Json] = []
        self._requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True  # one that still thinks must not hold up the end
        self._server.block_on_close = False
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def answers(self, *steps: Json) -> None:
        """Forget the steps that are left, and go on with these."""
        with self._lock:
            self._steps[:] = steps

    def forget(self) -> None:
        with self._lock:
            self._steps.clear()
            self._requests.clear()

    def requests(self) -> list[Request]:
        with self._lock:
            return list(self._requests)

    def taken(self, body: Json) -> tuple[int, Json]:
        """Keep a request; return its number and the step that answers it."""
        # OpenClaw puts a note of its own behind the user's words.
        last = "\n".join(words(message) for message in body["messages"] if message["role"] in {"user", "tool"})[
            -20_000:
        ]
        with self._lock:
            step = next((step for step in self._steps if step.get("when", "") in last), {"text": "Noted."})
            if step in self._steps and not step.get("keep"):
                self._steps.remove(step)
            if "by" in step:
                rules = "\n".join(words(message) for message in body["messages"] if message["role"] == "system")
                step = {"text": step["by"](rules, last)}
            self._requests.append(Request(time.time(), body, step))
            return len(self._requests), step

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            listing = {"object": "list", "data": [{"id": NAME, "object": "model"}]}
            self.send("application/json", json.dumps(listing).encode())

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number, step = model.taken(body)
            time.sleep(step.get("pause", 0))
            kind, data = _streamed(number, body, step) if body.get("stream") else _whole(number, body, step)
            try:
                self.send(kind, data)
            except ConnectionError:
                self.close_connection = True  # who asked has gone

    return Handler


def _common(number: int, body: Json) -> Json:
    return {"id": f"completion-{number}", "created": int(time.time()), "model": body.get("model", NAME)}


def _calls(number: int, step: Json) -> list[Json]:
    return [
        {
            "id": f"call_{number}_{index}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call.get("arguments", {}))},
        }
        for index, call in enumerate(step.get("calls", []))
    ]


def _usage(body: Json) -> Json:
    prompt_tokens = len(json.dumps(body)) // 4
    return {"prompt_tokens": prompt_tokens, "completion_tokens": 5, "total_tokens": prompt_tokens + 5}


def _whole(number: int, body: Json, step: Json) -> tuple[str, bytes]:
    calls = _calls(number, step)
    message = {"role": "assistant", "content": step.get("text")} | ({"tool_calls": calls} if calls else {})
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    answer = _common(number, body) | {"object": "chat.completion", "usage": _usage(body), "choices": [choice]}
    return "application/json", json.dumps(answer).encode()


def _streamed(number: int, body: Json, step: Json) -> tuple[str, bytes]:
    calls = _calls(number, step)
    text = step.get("text") or ""
    half = len(text) // 2
    deltas: list[Json] = [{"role": "assistant", "content": text[:half]}, {"content": text[half:]}]
    deltas += [{"tool_calls": [{"index": index} | call]} for index, call in enumerate(calls)]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"})
    common = _common(number, body) | {"object": "chat.completion.chunk"}
    chunks = [common | {"choices": [choice]} for choice in choices] + [common | {"choices": [], "usage": _usage(body)}]
    events = [json.dumps(chunk) for chunk in chunks] + ["[DONE]"]
    return "text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode()
