"""A run ends when its voice fails, goes on at the next, and costs what it may."""

import pytest

from clawgit.errors import Advice
from clawgit.llm.asking import Asked, LimitedError, LostError, Said, Speaker, StoppedError
from clawgit.llm.model import Budget, ModelError
from clawgit.llm.model_clients import Chat

from .server import fails, half, raw, says, serving

READY, FINE = Said("ready", 20, 1), Said("{}", 300, 40)


class Scripted:
    """A voice that says what it was told to; errors are raised."""

    name, provider = "scripted", "nobody"

    def __init__(self, *said: Said | Exception) -> None:
        self.said, self.asked = list(said), list[Asked]()

    def say(self, asked: Asked) -> Said:
        self.asked.append(asked)
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def lost(**more: bool) -> LostError:
    return LostError("test", "it went away", fix=Advice("true"), **more)


def limited(wait: float = 0.0) -> LimitedError:
    return LimitedError("test", "it is busy", fix=Advice("true"), wait=wait)


class Run:
    def __init__(self, *said: Said | Exception, **budget: float) -> None:
        self.voice, self.budget = Scripted(*said), Budget(**budget)
        self.slept, self.noted = list[float](), list[ModelError | None]()
        self.speaker = Speaker(self.voice, self.budget, noted=self.noted.append, sleep=self.slept.append)

    def say(self, material: str = "Read this.", tokens: int = 500) -> Said:
        return self.speaker.say("The rules.", material, tokens)


@pytest.mark.parametrize(
    ("error", "tries"),
    [(lost(), 2), (lost(worked_on=False), 2), (ModelError("test", "it refuses the key", fix=Advice("true")), 1)],
)
def test_a_probe_that_fails_ends_the_run_before_any_material_is_shown(error, tries):
    run = Run(*[error] * tries)
    for _ in range(2):
        with pytest.raises(StoppedError, match="goes on at the next run") as caught:
            run.say("private")
    assert len(run.voice.asked) == tries
    assert not any("private" in asked.material for asked in run.voice.asked)
    assert (str(caught.value.fix), run.noted) == ("true", [error])


def test_one_failure_is_tried_again_and_two_in_a_row_end_the_run():
    run = Run(READY, lost(), FINE, lost(), FINE, lost(), lost())
    assert run.say() == run.say() == FINE
    with pytest.raises(StoppedError, match="it went away; the run goes on at the next run"):
        run.say()
    with pytest.raises(StoppedError):
        run.say()
    assert len(run.voice.asked) == 7
    assert run.slept == [2.0] * 3


def test_a_limit_is_waited_for_as_long_as_the_job_has_time():
    run = Run(READY, limited(90), FINE, limited(200), FINE, limited(400), seconds=600)
    assert run.say() == run.say() == FINE
    assert run.slept == [90, 200]
    with pytest.raises(StoppedError):
        run.say()
    assert run.slept == [90, 200]
    assert 290 <= run.speaker.used.seconds < 600


def test_a_failing_voice_never_costs_more_than_the_run_has():
    run = Run(*[READY, *[lost(), FINE] * 100], tokens=3_000)

    def go_on():
        for _ in range(100):
            run.say("word " * 400)

    with pytest.raises(StoppedError):
        go_on()
    assert run.budget.used.tokens <= 3_000
    assert run.noted == [None]


def chat(endpoint, **more):
    return Chat("tiny", endpoint.environ | more)


def speaking(voice, **bounds):
    slept = []
    seconds = bounds.pop("answer", 20)
    return Speaker(voice, Budget(**bounds), seconds=seconds, sleep=slept.append), slept


@pytest.mark.parametrize(
    ("behaviours", "requests"),
    [
        ([fails(500)], 2),
        ([says("ready"), fails(500)], 3),
        ([says("ready"), half("{}")], 3),
        ([fails(401)], 1),
        ([raw(b"<html>Sign in</html>", "text/html")], 1),
        ([raw(b"OK", "text/plain")], 1),
        ([raw(b"")], 1),
        ([says("x" * (9 << 20))], 1),
        ([fails(429, headers={"Retry-After": "86400"})], 1),
        ([fails(429)], 1),
    ],
)
def test_a_run_over_a_bad_endpoint_ends_soon_and_cheaply(behaviours, requests):
    with serving(*behaviours) as endpoint:
        speaker, _ = speaking(chat(endpoint))
        with pytest.raises(StoppedError) as caught:
            speaker.say("The rules.", "word " * 1_000, 500)
        with pytest.raises(StoppedError):
            speaker.say("The rules.", "more", 500)
    assert str(caught.value.fix)
    assert "sk-loopback" not in caught.value.message
    assert len(endpoint.requests) == requests
    assert speaker.used.tokens < 12_000
