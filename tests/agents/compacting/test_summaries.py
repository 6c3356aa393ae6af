"""A model's sentences sum up a day where a second call finds them in the journal."""

import json
import re
from datetime import date

from clawgit.agents.memory_compactor import Narrator
from clawgit.memory.compact import Journal

TRUE = "Ann moved the report to Monday."
DAY = Journal("memory/2026-01-05.md", date(2026, 1, 5), "# 2026-01-05\n\n- Ann moved the report to Monday.\n")


class Voice:
    """Tells two sentences, and finds one of them in the journal."""

    def answer(self, rules: str, material: str, tokens: int) -> str:
        if "Sum up" in rules:
            sentences = [TRUE, "Bob has 17 cats.", "two\nlines"]
            return json.dumps({"days": [{"day": 1, "sentences": sentences}, {"day": 9, "sentences": ["x"]}]})
        claims = re.findall(r"^(\d+) \[S1\] (.*)$", material, re.MULTILINE)
        return "\n".join(f"{number} {'wholly' if text == TRUE else 'not'}" for number, text in claims)


def test_a_sentence_lands_if_it_is_found_in_the_journal() -> None:
    narrator = Narrator(Voice(), 20_000)  # type: ignore[arg-type]
    assert narrator([DAY]) == {DAY.path: "- Ann moved the report to Monday."}
    assert narrator.notes == ["2 sentences of the model did not pass"]
