"""An endpoint is asked in the way it likes, and its failures are told without its secrets."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.llm.asking import Asked, LimitedError, LostError, Said, ask_within_budget
from clawgit.llm.model import Budget, BudgetError, ModelError
from clawgit.llm.model_clients import Chat

from .server import Endpoint, cut_off, dripping, fails, half, raw, says, serving, slow

RULES, MATERIAL = "# Miner\n\nKeep what lasts.", "The team chose Rust."
GOOD = '{"operations": [{"act": "add", "text": "The team chose Rust."}]}'


def voice(endpoint: Endpoint, **more: str) -> Chat:
    return Chat("tiny", endpoint.environ | more)


def ask(chat: Chat, budget: Budget | None = None, seconds: float = 20) -> Said:
    budget = budget or Budget()
    return ask_within_budget(chat, budget, Asked(RULES, MATERIAL, 500, min(seconds, budget.left)))


def asked(endpoint: Endpoint, budget: Budget | None = None, seconds: float = 20, **more: str) -> Said:
    return ask(voice(endpoint, **more), budget, seconds)


def test_an_answer_comes_with_its_usage():
    budget = Budget()
    with serving(says(GOOD)) as endpoint:
        said = asked(endpoint, budget)
    assert said == Said(GOOD, 30, 7)
    assert (budget.used.calls, budget.used.read, budget.used.written, budget.used.estimated) == (1, 30, 7, False)
    assert budget.used.seconds > 0


def test_the_wire_format_is_that_of_chat_completions():
    with serving(says(GOOD)) as endpoint:
        asked(endpoint)
    (request,) = endpoint.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == "Bearer sk-loopback-0001"
    assert request.body == {
        "model": "tiny",
        "max_tokens": 500,
        "temperature": 0,
        "stream": False,
        "messages": [{"role": "system", "content": RULES}, {"role": "user", "content": MATERIAL}],
    }


def test_an_answer_that_was_cut_off_is_not_taken_for_a_short_one():
    with serving(says("A sentence that", ended="length")) as endpoint:
        assert asked(endpoint).cut


def test_a_busy_endpoint_says_how_long_it_wants_to_be_left_alone():
    with serving(fails(429, headers={"Retry-After": "2"})) as endpoint, pytest.raises(LimitedError) as caught:
        asked(endpoint)
    assert caught.value.wait == 2


@pytest.mark.parametrize("broken", [half, cut_off])
def test_half_a_body_is_a_lost_answer_that_is_paid_for(broken):
    budget = Budget()
    with serving(broken(GOOD)) as endpoint, pytest.raises(LostError, match="half an answer"):
        asked(endpoint, budget)
    assert budget.used.read > 0


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (raw(b"<html>Sign in</html>", "text/html"), "no JSON"),
        (raw(b"OK", "text/plain"), "no JSON"),
        (raw(b'{"object": "list", "data": []}'), "sent no chat"),
        (raw(b"[]"), "sent no chat"),
        (raw(b'{"choices": []}'), "sent no chat"),
        (raw(b'{"choices": [{"message": {"content": 7}}]}'), "sent no chat"),
        (raw(b'{"error": {"message": "the model is loading"}}'), "the model is loading"),
        (raw(b"[" * 100_000), "no JSON"),
        (fails(404, "The model `tiny` does not exist"), "The model `tiny` does not exist"),
        (raw(b""), "no JSON"),
        (raw(b" " * (9 << 20)), "gave more than"),
        (fails(302, headers={"Location": "http://elsewhere.example/"}), "sends us elsewhere"),
    ],
)
def test_what_is_no_answer_is_told_with_a_way_out(behaviour, words):
    with serving(behaviour) as endpoint, pytest.raises(ModelError) as caught:
        asked(endpoint)
    assert words in caught.value.message
    assert "CLAWGIT_LLM_URL" in str(caught.value.fix)


@pytest.mark.parametrize("behave", [slow, dripping])
def test_a_slow_endpoint_is_left_in_time(behave):
    pace = 0.15 if behave is dripping else 3
    with serving(behave(GOOD, pace)) as endpoint, pytest.raises(ModelError, match=r"did not answer within 0\.5 s"):
        asked(endpoint, seconds=0.5)


KEY = "sk-proj-Zx81kfLq92MmaPoQ7w3dTbVr"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_key_never_shows_also_when_the_server_repeats_it(status):
    with serving(fails(status, f"Incorrect API key provided: {KEY}. \x1b[31m")) as endpoint:
        with pytest.raises(ClawgitError) as caught:
            asked(endpoint, CLAWGIT_LLM_KEY=KEY)
        shown = f"{caught.value!r} {caught.value.message} {caught.value.fix!s} {caught.value.__cause__!r}"
    assert KEY not in shown
    assert "\x1b" not in shown
    assert ("CLAWGIT_LLM_KEY" in str(caught.value.fix)) == (status in (401, 403))


def test_a_run_asks_for_no_more_tokens_than_it_has():
    budget = Budget(tokens=540)
    with serving(says(GOOD)) as endpoint:
        asked(endpoint, budget)
        with pytest.raises(BudgetError, match="540 tokens"):
            asked(endpoint, budget)
        with pytest.raises(BudgetError):
            asked(endpoint, Budget(tokens=400))
    assert len(endpoint.requests) == 1


def test_a_run_waits_no_longer_than_it_may_and_half_answers_are_paid_for():
    budget = Budget(seconds=0.8)
    with serving(slow(GOOD, 2)) as endpoint:
        with pytest.raises(ModelError, match="did not answer"):
            asked(endpoint, budget)
        with pytest.raises(BudgetError, match=r"0\.8 seconds"):
            asked(endpoint, budget)
    assert len(endpoint.requests) == 1
    assert budget.used.read > 0
    assert budget.used.estimated
