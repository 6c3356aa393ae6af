"""OpenClaw's model is reached over a socket, a line each way, and never waited for longer than it should."""

import contextlib
import json
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from clawgit.llm.asking import Asked, LostError
from clawgit.llm.model import ModelError
from clawgit.llm.model_clients import OpenClaw

SAID = {"text": "Fine.", "read": 30, "written": 7, "cut": False, "provider": "lab", "model": "large"}


@contextmanager
def listening(place, *answers):
    """A plugin that gives these answers in turn; a callable has the connection for itself."""
    heard = []
    place.parent.mkdir(parents=True, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    short = place.parent.parent / "s" if len(str(place)) > 100 else place
    listener.bind(str(short))
    short.rename(place)
    place.chmod(0o600)
    listener.listen()

    def serve():
        for answer in answers:
            try:
                talk, _ = listener.accept()
            except OSError:
                return  # the test is over
            with contextlib.suppress(OSError), talk, talk.makefile("rb") as lines:
                heard.append(lines.readline())
                answer(talk) if callable(answer) else talk.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield heard
    finally:
        listener.shutdown(socket.SHUT_RDWR)  # wakes who still listens
        thread.join(5)
        listener.close()


def line(**more):
    return json.dumps(SAID | more).encode() + b"\n"


def asked(seconds=5.0, admit=lambda: None):
    return Asked("The rules.", "Read\nthis.", 500, seconds, admit)


def test_a_request_is_one_line_and_so_is_the_answer(tmp_path):
    place, admitted = tmp_path / "model.sock", []
    with listening(place, line()) as heard:
        voice = OpenClaw(place)
        said = voice.say(asked(admit=lambda: admitted.append(1)))
    assert (said.text, said.read, said.written, said.cut, said.model) == ("Fine.", 30, 7, False, "large")
    assert (voice.name, voice.provider, admitted) == ("openclaw", "lab", [1])
    turns = [{"who": "user", "text": "Read\nthis."}]
    assert json.loads(heard[0]) == {"rules": "The rules.", "turns": turns, "tokens": 500, "seconds": 5.0}


def dripping(talk):
    for _ in range(100):
        talk.sendall(b" ")
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "half an answer"),
        (line()[:-5], "half an answer"),
        (b"nonsense\n", "not the plugin"),
        (b"[" * 90_000 + b"\n", "not the plugin"),
        (b"{}\n", "not the plugin"),
        (b'{"text": 7}\n', "not the plugin"),
        (b"x" * (5 << 20), "half an answer"),
        (b'{"error": "it took too long", "lost": true}\n', "it took too long"),
        (lambda _: time.sleep(2), "0.5 s"),
        (dripping, "0.5 s"),
    ],
)
def test_what_is_no_answer_is_lost(tmp_path, answer, words):
    begun = time.monotonic()
    with listening(tmp_path / "model.sock", answer):
        with pytest.raises(LostError) as caught:
            OpenClaw(tmp_path / "model.sock").say(asked(seconds=0.5))
        assert time.monotonic() - begun < 20
    assert words in caught.value.message
    assert caught.value.worked_on
    assert str(caught.value.fix)


def test_what_openclaw_refuses_is_told_with_its_way_out(tmp_path):
    error = {
        "error": "cannot override the target agent.\x1b[31m sk-proj-Zx81kfLq92MmaPoQ7w3dTbVrAb12Cd34",
        "fix": "true",
    }
    with listening(tmp_path / "model.sock", json.dumps(error).encode() + b"\n"), pytest.raises(ModelError) as caught:
        OpenClaw(tmp_path / "model.sock").say(asked())
    assert not isinstance(caught.value, LostError)
    assert "cannot override the target agent" in caught.value.message
    assert "\x1b" not in caught.value.message
    assert "sk-proj" not in caught.value.message
    assert str(caught.value.fix) == "true"
