"""A run never uses more than it may, whatever a model does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.llm.asking import Asked, LostError, Said, answer, heard
from clawgit.llm.model import Budget, BudgetError, ModelError, Usage

acts = st.sampled_from(["answers", "says nothing", "is cut", "is lost", "refuses", "counts nothing"])


class Fickle:
    """Does one thing after another; each takes two seconds by its own clock."""

    name = "fickle"

    def __init__(self, todo: list[str]) -> None:
        self.todo, self.now, self.requests = todo, 0.0, 0

    def say(self, asked: Asked) -> Said:
        asked.admit()
        self.requests += 1
        self.now += 2
        match self.todo[(self.requests - 1) % len(self.todo)]:
            case "answers":
                return Said("Yes.", asked.estimate, asked.answer_tokens)
            case "counts nothing":
                return Said("Yes.")
            case "is cut":
                return Said("Y", asked.estimate, asked.answer_tokens, cut=True)
            case "is lost":
                raise LostError("test", "lost")
            case "refuses":
                raise ModelError("test", "refused")
        return Said("", 1, 0)


@given(st.lists(acts, min_size=1, max_size=6), st.integers(0, 12), st.integers(0, 4000), st.integers(0, 30))
def test_requests_tokens_and_seconds_stay_within_the_budget(todo, calls, tokens, seconds):
    voice, budget = Fickle(todo), Budget(tokens, seconds, calls)
    total, finished = Usage(), False
    for _ in range(40):
        before = budget.used
        try:
            asked = Asked("Rules.", "Some material to read.", 100, 20, budget.admit)
            heard(voice, budget, asked, lambda: voice.now)
            assert budget.used.calls == before.calls + 1
        except BudgetError:
            finished = True
            break
        except ModelError:
            continue
        total += Usage(read=budget.used.read - before.read, written=budget.used.written - before.written)
    assert finished
    assert budget.used.calls == voice.requests <= calls
    assert budget.used.tokens <= tokens
    assert budget.used.seconds < seconds + 2
    assert total.tokens <= budget.used.tokens


def test_usage_adds_up():
    total = Usage(1, 2, 3, 0.5) + Usage(1, 1, 1, 0.5, estimated=True)
    assert total == Usage(2, 3, 4, 1.0, estimated=True)
    assert total.tokens == 7


def said(*todo: str) -> str:
    return answer(Fickle([*todo]), Budget(), "Rules.", "Some material to read.", 100)


def test_an_answer_that_is_empty_or_was_cut_off_is_none():
    assert said("answers") == "Yes."
    for todo, words in (("says nothing", "it is empty"), ("is cut", "it was cut off at the limit")):
        with pytest.raises(ModelError, match=f"fickle: {words}") as caught:
            said(todo)
        assert str(caught.value.fix)
