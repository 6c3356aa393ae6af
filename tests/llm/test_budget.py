"""A run never uses more than it may, whatever a model does."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.llm.asking import Asked, Asker, LostError, Said
from clawgit.llm.budget import Budget, BudgetError
from clawgit.llm.model import ModelError, Prompt, UnfitError, Usage

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
                raise LostError("lost")
            case "refuses":
                raise ModelError("refused")
        return Said("", 1, 0)


@given(st.lists(acts, min_size=1, max_size=6), st.integers(0, 12), st.integers(0, 4000), st.integers(0, 30))
def test_requests_tokens_and_seconds_stay_within_the_budget(todo, calls, tokens, seconds):
    voice, budget = Fickle(todo), Budget(tokens, seconds, calls)
    model = Asker(voice, budget, clock=lambda: voice.now)
    total, finished = Usage(), False
    for _ in range(40):
        before = budget.used
        try:
            answer = model.ask(Prompt("Rules.", "Some material to read.", 100))
            assert answer.usage.calls == budget.used.calls - before.calls
        except BudgetError:
            finished = True
            break
        except (UnfitError, ModelError):
            continue
        total += answer.usage
    assert finished
    assert budget.used.calls == voice.requests <= calls
    assert budget.used.tokens <= tokens
    assert budget.used.seconds < seconds + 2
    assert total.tokens <= budget.used.tokens


def test_usage_adds_up():
    total = Usage(1, 2, 3, 0.5) + Usage(1, 1, 1, 0.5, estimated=True)
    assert total == Usage(2, 3, 4, 1.0, estimated=True)
    assert total.tokens == 7
