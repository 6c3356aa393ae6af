"""An endpoint on the loopback that speaks the wire format of chat completions, well or badly."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}


@dataclass(frozen=True)
class Reply:
    """The bytes of an answer: `half` promises more of them than it sends."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    half: bool = False


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


Behaviour = Callable[[Request], Reply]


def completion(content: object, *, usage: object = USAGE, ended: str = "stop", **fields: object) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **fields}, "finish_reason": ended}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps(body | ({"usage": usage} if usage else {})).encode()


def says(content: object, **fields: Any) -> Behaviour:
    return lambda _: Reply(completion(content, **fields))


def fails(
    status: int, message: str = "no", headers: Mapping[str, str] = {"Content-Type": "application/json"}
) -> Behaviour:
    body = json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": None}}).encode()
    return lambda _: Reply(body, status, headers)


def half(content: object) -> Behaviour:
    return lambda _: Reply(completion(content), half=True)


def cut_off(content: object) -> Behaviour:
    """Half a body with the length of a whole one."""
    return lambda _: Reply(completion(content)[:-20])


def raw(body: bytes, kind: str = "application/json") -> Behaviour:
    return lambda _: Reply(body, headers={"Content-Type": kind})


class Endpoint:
    """The behaviours are shown in turn, the last one for good; the requests are kept."""

    def __init__(self, *behaviours: Behaviour) -> None:
        self.behaviours = list(behaviours)
        self.requests: list[Request] = []
        self.url = ""

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        behaviour = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        return behaviour(request)

    @property
    def environ(self) -> dict[str, str]:
        return {"CLAWGIT_LLM_URL": self.url, "CLAWGIT_LLM_KEY": "sk-loopback-0001"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint: Endpoint

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        reply = self.endpoint.answer(Request(self.path, dict(self.headers), json.loads(data)))
        try:
            self._send(reply)
        except OSError:  # whoever asked has gone
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in ({"Content-Type": "application/json"} | dict(reply.headers)).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(reply.body[: len(reply.body) // 2] if reply.half else reply.body)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(*behaviours: Behaviour) -> Iterator[Endpoint]:
    """Listen for as long as the block runs."""
    endpoint = Endpoint(*behaviours)
    handler = type("Handler", (_Handler,), {"endpoint": endpoint})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
