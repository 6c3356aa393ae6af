"""A model behind the wire format of OpenAI's chat completions."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.llm.asking import Asked, LimitedError, LostError, Said
from clawgit.llm.model import KEY, URL, ModelError
from clawgit.llm.words import plain
from clawgit.outside.address import address
from clawgit.outside.error import BrokenError, OutsideError, RefusedError, UnreachedError
from clawgit.outside.post import Events, letter, post
from clawgit.outside.retry import AGAIN, Patience

_SHOWN = 160
_KEYLESS = (401, 403)
_UNLIKED = (400, 422)
_LIMITED = 429
_TEST = "clawgit model test"


class Manner(Struct, frozen=True):
    """How an endpoint wants to be asked: the name of its cap, whether it may be cool, whether it streams.

    A stream is understood whether or not it was asked for.
    """

    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    cool: bool = True
    stream: bool = False

    def easier(self, words: str) -> "Manner | None":
        """Return what to try after a refusal in these words, None when nothing is left."""
        if self.cool and "temperature" in words:
            return replace(self, cool=False)
        if self.cap == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, cap="max_completion_tokens")
        if not self.stream and "stream" in words:
            return replace(self, stream=True)
        return None


class Chat:
    """A voice behind `/v1/chat/completions`. How the endpoint wants to be asked is found out once and remembered."""

    def __init__(
        self, model: str, environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep, pause: float = 1.0
    ) -> None:
        self._model, self._sleep, self._pause = model, sleep, pause
        self._key = environ.get(KEY, "").strip()
        try:
            self._to = address(URL, environ.get(URL, "").strip(), "chat/completions")
        except OutsideError as exc:
            raise ModelError(exc.message, fix=exc.fix) from None
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

    def say(self, asked: Asked) -> Said:
        """Return what the endpoint says, asked in the manner that it likes."""
        until = time.monotonic() + asked.seconds
        manner = self.manner
        while True:
            try:
                said = self._read(self._posted(asked, manner, until - time.monotonic()))
            except RefusedError as exc:
                easier = manner.easier(_said(exc.words)) if exc.status in _UNLIKED else None
                if easier is None:
                    raise self._refused(exc) from None
                manner = easier
            except (BrokenError, UnreachedError) as exc:
                raise LostError(exc.message, fix=exc.fix, worked_on=isinstance(exc, BrokenError)) from None
            except OutsideError as exc:
                raise ModelError(exc.message, fix=exc.fix) from None
            else:
                self.manner = manner
                return said

    def _posted(self, asked: Asked, manner: Manner, seconds: float) -> Any:
        sent = letter(self._to, self._whose, _body(self._model, asked, manner), self._key)
        patience = Patience(seconds, pause=self._pause, longest=seconds)
        return post(sent, patience, admit=asked.admit, lost=asked.lost, sleep=self._sleep)

    def _read(self, data: Any) -> Said:
        try:
            data = _joined(data) if isinstance(data, Events) else data
            if data is None:
                raise LostError(f"{self._whose} gave half an answer", fix=_TEST)
            choice = data["choices"][0]
            ended, text = choice.get("finish_reason"), _text(choice["message"])
            read, written = (_count(data.get("usage"), name) for name in ("prompt_tokens", "completion_tokens"))
        except (KeyError, IndexError, TypeError, AttributeError):
            words = plain(_said(json.dumps(data).encode()), _SHOWN, self._key) if isinstance(data, dict) else ""
            more = f": {words}" if words and "error" in data else ""
            raise ModelError(f"{self._whose} gave no answer of a chat{more}", fix=f"check {URL}") from None
        return Said(text, read, written, cut=ended == "length")

    def _refused(self, exc: RefusedError) -> ModelError:
        if exc.status in _KEYLESS:
            return ModelError(f"{exc.message}: it refuses the key", fix=f"export {KEY}=…")
        if exc.status == _LIMITED:
            return LimitedError(exc.message, fix=_TEST, wait=exc.wait)
        if exc.status in AGAIN:
            return LostError(exc.message, fix=_TEST)
        words = plain(_said(exc.words), _SHOWN, self._key)
        more = f" ({words})" if words else ""
        return ModelError(
            f"{exc.message}, asked for {self._model}{more}", fix=f"check {URL}, and llm_model in CONFIG.md"
        )


def _body(model: str, asked: Asked, manner: Manner) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": asked.rules}, {"role": "user", "content": asked.material}],
        "stream": manner.stream,
        manner.cap: asked.answer_tokens,
    }
    if manner.stream:
        body["stream_options"] = {"include_usage": True}
    if manner.cool:
        body["temperature"] = 0
    return body


def _joined(events: Events) -> dict[str, Any] | None:
    """Return the answer that a stream of `chat.completion.chunk` comes to, None for one that breaks off."""
    said, ended, usage = "", None, None
    for event in (one for one in events if isinstance(one, dict)):
        if "error" in event:
            return {"error": event["error"]}
        usage = event.get("usage") or usage
        for choice in (event.get("choices") or [])[:1]:
            said += _text(choice.get("delta") or {})
            ended = choice.get("finish_reason") or ended
    if ended is None:
        return None
    return {"choices": [{"message": {"content": said}, "finish_reason": ended}], "usage": usage}


def _text(message: Any) -> str:
    """Return what a message says: text, or parts of which some are text; nothing is nothing."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content)
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError
    return content


def _count(usage: object, name: str) -> int | None:
    said = usage.get(name) if isinstance(usage, dict) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else None


def _said(words: bytes) -> str:
    """Return the message in the body of a refusal, or else its beginning."""
    text = words.decode("utf-8", "replace")
    try:
        said = json.loads(text)
        said = said.get("error", said)
        said = said.get("message", said) if isinstance(said, dict) else said
    except (ValueError, AttributeError, RecursionError):
        return text
    return said if isinstance(said, str) else json.dumps(said)
