"""Models behind an endpoint, a command, and OpenClaw."""

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Advice, Command
from clawgit.llm import voice_record
from clawgit.llm.asking import Asked, LimitedError, LostError, Said
from clawgit.llm.model import KEY, URL, ModelError, plain
from clawgit.outside.http_client import AGAIN, Patience, address, letter, post
from clawgit.outside.subprocess_runner import Bounds, BrokenError, OutsideError, RefusedError, UnreachedError, run

READING = "CLAWGIT_LLM_READING"
"""Set for what is asked: an OpenClaw in there gives its turn no context of ours, and hears nothing."""
_VARIABLES = ("CLAWGIT_LLM_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")  # some of these programs read whatever lies where they are started
_WIDTH = 160
_FIX = Command("clawgit config {}", "llm")


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
            ran = run(self._words, text(request), bounds, environ, _NEUTRAL)
        except BrokenError as exc:
            raise LostError(exc.key, exc.message, fix=_FIX) from None
        except OutsideError as exc:
            raise ModelError(exc.key, exc.message, fix=_FIX) from None
        if ran.code:
            lines = (ran.said.strip() or ran.output.strip()).splitlines()
            detail = f": {plain(lines[-1], _WIDTH)}" if lines else ""
            words = f"{self._words[0]} ended with exit code {ran.code}{detail}"
            raise ModelError("program-failed", words, fix=_FIX)
        return Said(ran.output)


def text(request: Asked) -> str:
    """Return all that is asked as one text."""
    return f"{request.rules}\n\n{request.material}\n"


_KEYLESS = (401, 403)
_UNLIKED = (400, 422)
_LIMITED = 429
_TEST = Command("clawgit model --test")


class Manner(Struct, frozen=True):
    """How an endpoint wants to be asked: the name of its cap, and whether it may be cool."""

    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    cool: bool = True

    def easier(self, words: str) -> "Manner | None":
        """Return the next manner to try after a refusal in these words, None when nothing is left."""
        if self.cool and "temperature" in words:
            return replace(self, cool=False)
        if self.cap == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, cap="max_completion_tokens")
        return None


class Chat:
    """A voice behind `/v1/chat/completions`. How the endpoint wants to be asked is found out once and remembered."""

    def __init__(self, model: str, environ: Mapping[str, str]) -> None:
        self._model = model
        self._key = environ.get(KEY, "").strip()
        try:
            self._to = address(URL, environ.get(URL, "").strip(), "chat/completions")
        except OutsideError as exc:
            raise ModelError(exc.key, exc.message, fix=exc.fix) from None
        self._whose = f"the model endpoint at {self._to.host}"
        self.manner = Manner()

    @property
    def name(self) -> str:
        """The model and its host."""
        return f"{self._model} at {self._to.host}"

    @property
    def provider(self) -> str:
        """The host."""
        return self._to.host

    def say(self, request: Asked) -> Said:
        """Return the endpoint's answer, asked in the manner that it accepts."""
        until = time.monotonic() + request.seconds
        manner = self.manner
        while True:
            try:
                sent = letter(self._to, self._whose, _body(self._model, request, manner), self._key)
                reply = self._read(post(sent, Patience(until - time.monotonic(), tries=1)))
            except RefusedError as exc:
                # Some models refuse `temperature` or `max_tokens`; the refusal names it.
                easier = manner.easier(_read_message(exc.words)) if exc.status in _UNLIKED else None
                if easier is None:
                    raise self._refused(exc) from None
                manner = easier
            except (BrokenError, UnreachedError) as exc:
                raise LostError(exc.key, exc.message, fix=exc.fix, worked_on=isinstance(exc, BrokenError)) from None
            except OutsideError as exc:
                raise ModelError(exc.key, exc.message, fix=exc.fix) from None
            else:
                self.manner = manner
                return reply

    def _read(self, data: Any) -> Said:
        try:
            choice = data["choices"][0]
            ended, text = choice.get("finish_reason"), _read_content(choice["message"])
            read, output_tokens = (_get_int(data.get("usage"), name) for name in ("prompt_tokens", "completion_tokens"))
        except (KeyError, IndexError, TypeError, AttributeError):
            words = plain(_read_message(json.dumps(data).encode()), _WIDTH, self._key) if isinstance(data, dict) else ""
            detail = f": {words}" if words and "error" in data else ""
            raise ModelError(
                "model-answer", f"{self._whose} sent no chat{detail}", fix=Advice(f"check {URL}")
            ) from None
        # The reason `length` means that the answer had no room for its end.
        return Said(text, read, output_tokens, cut=ended == "length")

    def _refused(self, exc: RefusedError) -> ModelError:
        if exc.status in _KEYLESS:
            return ModelError("model-refused", f"{exc.message}: it refuses the key", fix=Advice(f"export {KEY}=…"))
        if exc.status == _LIMITED:
            return LimitedError("model-limited", exc.message, fix=_TEST, wait=exc.wait)
        if exc.status in AGAIN:
            return LostError(exc.key, exc.message, fix=_TEST)
        words = plain(_read_message(exc.words), _WIDTH, self._key)
        detail = f" ({words})" if words else ""
        return ModelError(
            "model-refused",
            f"{exc.message}, asked for {self._model}{detail}",
            fix=Advice(f"check {URL}, and llm in CONFIG.md"),
        )


def _body(model: str, request: Asked, manner: Manner) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": request.rules}, {"role": "user", "content": request.material}],
        "stream": False,
        manner.cap: request.answer_tokens,
    }
    if manner.cool:
        body["temperature"] = 0
    return body


def _read_content(message: Any) -> str:
    """Return the text of a message: text, or parts of which some are text; "" for none."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content)
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError
    return content


def _get_int(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    # In Python `True` is an int.
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _read_message(words: bytes) -> str:
    """Return the message in the body of a refusal, or else its beginning."""
    text = words.decode("utf-8", "replace")
    try:
        message = json.loads(text)
        message = message.get("error", message)
        message = message.get("message", message) if isinstance(message, dict) else message
    except (ValueError, AttributeError, RecursionError):
        return text
    return message if isinstance(message, str) else json.dumps(message)


_LONGEST_NAME = 100  # bytes: sun_path of unix(7) has 108, of other systems 104
_LARGEST = 4 << 20
_PIECE = 1 << 16
_SHOWN_OPENCLAW_MODEL = 300
_RESTART = Command("openclaw gateway restart")
CONNECT = Command("clawgit connect && openclaw gateway restart")
"""What brings the plugin to a gateway that runs."""


class OpenClaw:
    """A voice behind a Unix socket: a line of JSON is asked, a line of JSON answers, and the connection ends."""

    name = "openclaw"

    def __init__(self, place: Path, provider: str = "") -> None:
        self._place, self._provider = place, provider

    @property
    def provider(self) -> str:
        """The provider of OpenClaw's that answered last."""
        return self._provider

    def say(self, request: Asked) -> Said:
        """Return the model's answer."""
        turns = [{"who": "user", "text": request.material}]
        wish = {"rules": request.rules, "turns": turns, "tokens": request.answer_tokens, "seconds": request.seconds}
        reply = _parse_reply(self._exchanged(json.dumps(wish).encode() + b"\n", request.seconds))
        if error := reply.get("error"):
            words = f"OpenClaw's model gave no answer: {plain(str(error), _SHOWN_OPENCLAW_MODEL)}"
            fix = Advice(plain(str(reply["fix"]), _SHOWN_OPENCLAW_MODEL)) if reply.get("fix") else _TEST
            if reply.get("lost"):
                raise LostError("model-unreachable", words, fix=fix)
            raise ModelError("model-refused", words, fix=fix)
        text, self._provider = str(reply["text"]), str(reply.get("provider") or "")
        read, output_tokens = (_get_int(reply, name) for name in ("read", "written"))
        return Said(text, read, output_tokens, cut=reply.get("cut") is True, model=str(reply.get("model") or ""))

    def _exchanged(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the one that comes back, within `seconds`."""
        until = time.monotonic() + seconds
        data = bytearray()
        try:
            # One request, one line, one connection: the plugin needs no session, and a hang costs this request alone.
            with connection(self._place, until) as talk:
                talk.sendall(line)
                while not data.endswith(b"\n"):
                    talk.settimeout(max(until - time.monotonic(), 0.001))
                    piece = talk.recv(_PIECE)
                    data += piece
                    if not piece or len(data) > _LARGEST:
                        raise LostError("model-answer", "OpenClaw gave half an answer", fix=_TEST)
        except TimeoutError:
            raise LostError("model-unreachable", f"OpenClaw timed out ({round(seconds, 1):g} s)", fix=_TEST) from None
        except OSError as exc:
            raise LostError("model-unreachable", f"OpenClaw went away: {exc.strerror}", fix=_RESTART) from None
        return bytes(data)


def reachable(place: Path) -> bool:
    """Return whether somebody takes a connection there."""
    with contextlib.suppress(ModelError, OSError), connection(place, time.monotonic() + 1):
        return True
    return False


@contextmanager
def connection(place: Path, until: float) -> Iterator[socket.socket]:
    """Open a connection to the plugin. Raises LostError, at no cost, if there is none."""
    if not voice_record.listening(place):
        words = "OpenClaw's gateway does not run, or has no plugin of clawgit for this workspace"
        raise LostError("model-unreachable", words, fix=CONNECT, worked_on=False)
    with socket.socket(socket.AF_UNIX) as talk, _shorten_socket_name(place) as name:
        talk.settimeout(max(until - time.monotonic(), 0.001))
        try:
            talk.connect(name)
        except OSError as exc:
            reason = exc.strerror or exc
            raise LostError(
                "model-unreachable", f"OpenClaw is down ({reason})", fix=_RESTART, worked_on=False
            ) from None
        yield talk


@contextmanager
def _shorten_socket_name(place: Path) -> Iterator[str]:
    """Give a socket a name that fits: a long path goes by its folder's descriptor, if the system has that."""
    if len(os.fsencode(place)) <= _LONGEST_NAME:
        yield str(place)
        return
    folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{place.name}"
    finally:
        os.close(folder)


def _parse_reply(data: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict) or not (isinstance(reply.get("text"), str) or reply.get("error")):
        raise LostError("openclaw-version", "the listener for OpenClaw's model is not the plugin", fix=_RESTART)
    return reply
