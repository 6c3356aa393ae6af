"""What nobody expects in a workspace costs nothing but itself."""

import pytest

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked

from .conftest import slot


def record(number, *, embedded=False):
    day = f"2026-{number // 1000 + 1:02}-{number % 28 + 1:02} 0{number % 10}:00"
    name = "".join("klmnopqrst"[int(digit)] for digit in f"{number:010}")
    rows = [
        f"## {name} {day}",
        "",
        f"- Said: the shop number {number} opens late",
        f"- True: shop {number} opens at noon",
    ]
    return "\n".join([*rows, *(["- Re-embedded: true"] if embedded else []), ""])


def test_ten_thousand_corrections_leave_half_of_the_other_slots(ground) -> None:
    ground.write("CORRECTIONS.md", "# Corrections\n\n" + "\n".join(map(record, range(10_000))))
    ground.write("memory/2026-11-20.md", "# 2026-11-20\n\n" + "".join(f"- Note {n} of the day.\n" for n in range(200)))
    found = assemble(ground.ws, Asked())
    assert found.tokens <= 6000
    assert slot(found, "recent").kept >= 550
    shown = [int(row.split()[2]) for row in found.text.split("\n") if row.startswith("- shop")]
    assert len(shown) > 20
    assert shown[0] == 9939  # of the last hour of the last day


def test_what_is_undecided_is_flagged(ground) -> None:
    sides = "- A: The deploy is on Tuesday.\n- B: The deploy is on Wednesday.\n- Status: open\n"
    ground.write("CONFLICTS.md", f"# Conflicts\n\n## kxqmwrtzvn 2026-11-19\n\n{sides}")
    found = assemble(ground.ws, Asked("when is the deploy?"))
    assert "Undecided (kxqmwrtzvn)" in found.text
    assert any("clawgit inbox" in words for words in found.warnings)


@pytest.mark.parametrize("budget", [1, 7, 40, 10_000_000])
def test_any_budget_will_do(ground, budget) -> None:
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The garden has {n} trees in it.\n" for n in range(400)))
    found = assemble(ground.ws, Asked("how many trees?", budget=budget))
    assert found.tokens <= budget
    assert budget < 100 or found.text.count("trees") == 400


def test_bytes_that_are_no_text_and_secrets_do_no_harm(ground) -> None:
    ground.write(
        "memory/2026-11-20.md", b"# 2026-11-20\r\n\r\n- caf\xe9 \x00 by the river\r\n- key AKIA" + b"Z7Q2X4WNB3RTY5KP\n"
    )
    found = assemble(ground.ws, Asked("where is the cafe by the river?"))
    assert "by the river" in found.text
    assert "Z7Q2X4WNB3RTY5KP" not in found.text


QUESTIONS = {
    "nothing": "",
    "blanks": " \n\t ",
    "ten thousand letters": "where does the tapir sleep " * 370,
    "one word of ten thousand letters": "x" * 10_000,
    "emoji": "\U0001f600",
    "stop words": "what is it that the of and to",
    "another script": "\u0433\u0434\u0435 \u0441\u043f\u0438\u0442 \u0442\u0430\u043f\u0438\u0440",
    "quotation marks": '"where" \u201cdoes\u201d \u00abthe\u00bb \'tapir',
    "operators": "tapir AND NOT (sleep OR NEAR(hut, 3)) ^body:x* -- ;",
    "halves of letters": "tapir \udcff\ud800",
    "zeros": "tapir\0\0",
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("field", ["text", "query"])
def test_any_question_gets_a_context_that_fits_and_says_who_the_agent_is(ground, field: str, question: str) -> None:
    ground.write("SOUL.md", "- Have a view.\n")
    ground.write("memory/2026-01-05.md", "# 2026-01-05\n\n- The tapir sleeps in hut 7. \U0001f600\n")
    found = assemble(ground.ws, Asked(budget=400, **{field: question}))
    assert found.tokens <= 400
    assert "- Have a view." in found.text
    assert "hut 7" in found.text or not ("tapir" in question or "\U0001f600" in question)
    assert found.text.encode("utf-8")
