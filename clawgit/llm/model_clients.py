"""Models behind an endpoint, a command, and OpenClaw."""

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from clawgit.errors import Advice, Command, Fix
from clawgit.llm.asking import Asked, LostError, Said
from clawgit.llm.model import KEY_VARIABLE, URL, ModelError, is_listening
from clawgit.outside.http_client import AGAIN, Patience, address, make_request, post
from clawgit.outside.subprocess_runner import Bounds, BrokenError, OutsideError, RefusedError, run_program
from clawgit.safety.redaction import redact

READING = "CLAWGIT_LLM_READING"
"""Set for what is asked: an OpenClaw in there gives its turn no context of ours, and hears nothing."""
_VARIABLES = ("CLAWGIT_LLM_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")  # some of these programs read whatever lies where they are started
_MAX_SCAN_CHARS, _MAX_SHOWN_CHARS = 4096, 300
_COMMAND_FIX = Command("clawgit config {}", "llm")
_TEST = Command("clawgit model --test")


def _quote(text: str, *secret: str) -> str:
    """Return a model's words on one line, short, without unprintable characters and without secrets."""
    for phrase in filter(None, secret):
        text = text.replace(phrase, "…")
    # Only the beginning is searched for secrets, as the rest is cut off.
    line = " ".join(redact(text[:_MAX_SCAN_CHARS]).split())
    return "".join(letter for letter in line if letter.isprintable())[:_MAX_SHOWN_CHARS]


def _convert(exc: OutsideError, fix: Fix | None = None) -> ModelError:
    """Return the same error as one of a model; an answer that may come at another try is lost."""
    error = LostError if exc.passing or isinstance(exc, BrokenError) else ModelError
    return error(exc.key, exc.message, fix=fix or exc.fix)


class CommandClient:
    """A voice that is an argument list: the prompt on stdin, the answer on stdout."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str]) -> None:
        self._words, self._environ = tuple(words), environ
        # The hash distinguishes two commands of one program.
        mark = sha256(json.dumps(self._words).encode()).hexdigest()[:8]
        self.provider = Path(self._words[0]).name
        self.name = f"{self.provider} ({mark})"

    def say(self, request: Asked) -> Said:
        """Return the command's output."""
        bounds, environ = Bounds(request.seconds, passed=_VARIABLES), {**self._environ, READING: "1"}
        try:
            ran = run_program(self._words, write_request(request), bounds, environ, _NEUTRAL)
        except OutsideError as exc:
            raise _convert(exc, _COMMAND_FIX) from None
        if ran.code:
            lines = (ran.said.strip() or ran.output.strip()).splitlines()
            detail = f": {_quote(lines[-1])}" if lines else ""
            words = f"{self._words[0]} ended with exit code {ran.code}{detail}"
            raise ModelError("program-failed", words, fix=_COMMAND_FIX)
        return Said(ran.output)


def write_request(request: Asked) -> str:
    """Return all that is asked as one text."""
    return f"{request.rules}\n\n{request.material}\n"


_KEYLESS = (401, 403)
_UNLIKED = (400, 422)
_LATER_WORDS = ("temperature", "max_completion_tokens")
"""Words in the refusal of a model that takes no temperature, and the later name of the limit."""


class Chat:
    """A voice behind `/v1/chat/completions`; `is_later`: it has refused the wire format of earlier models."""

    def __init__(self, model: str, environ: Mapping[str, str]) -> None:
        self._model, self._key = model, environ.get(KEY_VARIABLE, "").strip()
        try:
            self._to = address(URL, environ.get(URL, "").strip(), "chat/completions")
        except OutsideError as exc:
            raise _convert(exc) from None
        self.provider = self._to.host
        self.name = f"{model} at {self.provider}"
        self._whose = f"the model endpoint at {self.provider}"
        self.is_later = False

    def say(self, request: Asked) -> Said:
        """Return the endpoint's answer, asked in the form that it accepts."""
        limits = {"max_completion_tokens" if self.is_later else "max_tokens": request.answer_tokens}
        limits |= {} if self.is_later else {"temperature": 0}
        messages = [{"role": "system", "content": request.rules}, {"role": "user", "content": request.material}]
        body, start = {"model": self._model, "messages": messages, "stream": False, **limits}, time.monotonic()
        try:
            data = post(make_request(self._to, self._whose, body, self._key), Patience(request.seconds, tries=1))
        except RefusedError as exc:
            message = _read_message(exc.words.decode("utf-8", "replace"))
            if not self.is_later and exc.status in _UNLIKED and any(word in message for word in _LATER_WORDS):
                self.is_later = True
                seconds = request.seconds - (time.monotonic() - start)
                return self.say(Asked(request.rules, request.material, request.answer_tokens, seconds))
            raise self._explain(exc, message) from None
        except OutsideError as exc:
            raise _convert(exc) from None
        return self._read(data)

    def _read(self, data: Any) -> Said:
        try:
            choice, usage = data["choices"][0], data.get("usage")
            content = choice["message"].get("content") or ""
            if isinstance(content, list):
                content = "".join(str(part.get("text") or "") for part in content)
            read, output_tokens = (_get_int(usage, name) for name in ("prompt_tokens", "completion_tokens"))
            # The reason `length` means that the answer had no room for its end.
            return Said(content + "", read, output_tokens, cut=choice.get("finish_reason") == "length")
        except (KeyError, IndexError, TypeError, AttributeError):
            is_error = isinstance(data, dict) and "error" in data
            detail = f": {_quote(_read_message(json.dumps(data)), self._key)}" if is_error else ""
            words = f"{self._whose} sent no chat{detail}"
            raise ModelError("model-answer", words, fix=Advice(f"check {URL}")) from None

    def _explain(self, exc: RefusedError, message: str) -> ModelError:
        if exc.status in _KEYLESS:
            return ModelError(
                "model-refused", f"{exc.message}: it refuses the key", fix=Advice(f"export {KEY_VARIABLE}=…")
            )
        if exc.status in AGAIN:
            return LostError(exc.key, exc.message, fix=_TEST, wait=exc.wait)
        detail = f" ({_quote(message, self._key)})" if message.strip() else ""
        words = f"{exc.message}, asked for {self._model}{detail}"
        return ModelError("model-refused", words, fix=Advice(f"check {URL}, and llm in CONFIG.md"))


def _get_int(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    # In Python `True` is an int.
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _read_message(text: str) -> str:
    """Return the message in the body of a refusal, or else the body."""
    try:
        message = json.loads(text)
        message = message.get("error", message)
        message = message.get("message", message) if isinstance(message, dict) else message
    except (ValueError, AttributeError, RecursionError):
        return text
    return message if isinstance(message, str) else json.dumps(message)


_MAX_NAME_BYTES = 100
"""sun_path of unix(7) has 108 bytes, of other systems 104."""
_MAX_REPLY_BYTES = 4 << 20
_PIECE_BYTES = 1 << 16
_RESTART = Command("openclaw gateway restart")
CONNECT = Command("clawgit connect && openclaw gateway restart")
"""What brings the plugin to a gateway that runs."""


class OpenClaw:
    """A voice behind a Unix socket: a line of JSON is asked, a line of JSON answers, and the connection ends.

    `provider` is the provider of OpenClaw's that answered last.
    """

    name = "openclaw"

    def __init__(self, place: Path, provider: str = "") -> None:
        self._place, self.provider = place, provider

    def say(self, request: Asked) -> Said:
        """Return the model's answer."""
        turns = [{"who": "user", "text": request.material}]
        wish = {"rules": request.rules, "turns": turns, "tokens": request.answer_tokens, "seconds": request.seconds}
        reply = self._exchange(json.dumps(wish).encode() + b"\n", request.seconds)
        if error := reply.get("error"):
            words = f"OpenClaw's model gave no answer: {_quote(str(error))}"
            fix = Advice(_quote(str(reply["fix"]))) if reply.get("fix") else _TEST
            if reply.get("lost"):
                raise LostError("model-unreachable", words, fix=fix)
            raise ModelError("model-refused", words, fix=fix)
        self.provider = str(reply.get("provider") or "")
        read, output_tokens = (_get_int(reply, name) for name in ("read", "written"))
        return Said(
            reply["text"], read, output_tokens, cut=reply.get("cut") is True, model=str(reply.get("model") or "")
        )

    def _exchange(self, line: bytes, seconds: float) -> dict[str, Any]:
        """Send a line and return the object that comes back, within `seconds`."""
        until, data = time.monotonic() + seconds, bytearray()
        try:
            # One request, one line, one connection: the plugin needs no session, and a hang costs this request alone.
            with _connect(self._place, seconds) as talk:
                talk.sendall(line)
                while not data.endswith(b"\n"):
                    talk.settimeout(max(until - time.monotonic(), 0.001))
                    piece = talk.recv(_PIECE_BYTES)
                    data += piece
                    if not piece or len(data) > _MAX_REPLY_BYTES:
                        raise LostError("model-answer", "OpenClaw gave half an answer", fix=_TEST)
        except TimeoutError:
            raise LostError("model-unreachable", f"OpenClaw timed out ({round(seconds, 1):g} s)", fix=_TEST) from None
        except OSError as exc:
            raise LostError("model-unreachable", f"OpenClaw is down ({exc.strerror})", fix=_RESTART) from None
        reply = None
        with contextlib.suppress(ValueError, RecursionError):
            reply = json.loads(data)
        if isinstance(reply, dict) and (isinstance(reply.get("text"), str) or reply.get("error")):
            return reply
        raise LostError("openclaw-version", "the listener for OpenClaw's model is not the plugin", fix=_RESTART)


def reachable(place: Path) -> bool:
    """Return whether somebody takes a connection there."""
    with contextlib.suppress(ModelError, OSError), _connect(place, 1.0):
        return True
    return False


@contextlib.contextmanager
def _connect(place: Path, seconds: float) -> Iterator[socket.socket]:
    """Open a connection to the plugin. Raises OSError, or LostError if there is no plugin."""
    if not is_listening(place):
        words = "OpenClaw's gateway does not run, or has no plugin of clawgit for this workspace"
        raise LostError("model-unreachable", words, fix=CONNECT)
    with contextlib.ExitStack() as stack:
        talk = stack.enter_context(socket.socket(socket.AF_UNIX))
        talk.settimeout(max(seconds, 0.001))
        name = str(place)
        if len(os.fsencode(place)) > _MAX_NAME_BYTES:  # a long path goes by its folder's descriptor
            folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
            stack.callback(os.close, folder)
            name = f"/proc/self/fd/{folder}/{place.name}"
        talk.connect(name)
        yield talk
