"""What nobody expects in a workspace costs nothing but itself."""

import pytest

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked
from clawgit.errors import ClawgitError, UsageError

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


def test_what_search_does_not_serve_yet_comes_before_what_is_newer_and_verified(ground) -> None:
    known = [record(number, embedded=True) for number in range(1000, 1300)]
    ground.write("CORRECTIONS.md", "# Corrections\n\n" + "\n".join([*known, record(7)]))
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The garden has {n} trees in it.\n" for n in range(2000)))
    found = assemble(ground.ws, Asked(budget=600))
    assert "shop 7 opens at noon" in found.text
    ground.config("correction_overflow_strategy: newest")
    assert "shop 7 opens at noon" not in assemble(ground.ws, Asked(budget=600)).text


def test_a_strategy_that_there_is_not_is_told_of(ground) -> None:
    ground.write("CORRECTIONS.md", record(1))
    ground.config("correction_overflow_strategy: loudest")
    found = assemble(ground.ws, Asked())
    assert any("loudest" in words for words in found.warnings)
    assert "noon" in found.text


def test_what_is_undecided_is_flagged(ground) -> None:
    sides = "- A: The deploy is on Tuesday.\n- B: The deploy is on Wednesday.\n- Status: open\n"
    ground.write("CONFLICTS.md", f"# Conflicts\n\n## kxqmwrtzvn 2026-11-19\n\n{sides}")
    found = assemble(ground.ws, Asked("when is the deploy?"))
    assert "Undecided (kxqmwrtzvn)" in found.text
    assert any("clawgit inbox" in words for words in found.warnings)


def test_what_a_line_of_sixty_thousand_letters_has_no_room_for_is_said(ground) -> None:
    words = " ".join(f"word{at}" for at in range(7_000))
    ground.write("MEMORY.md", f"# Memory\n\n- {words}\n- Ana likes pears.\n")
    found = assemble(ground.ws, Asked("what does Ana like?"))
    assert "- Ana likes pears." in found.text
    assert any(cut.what == "MEMORY.md#L3" and cut.why == "no room" for cut in slot(found, "longterm").cut)


def test_text_without_spaces_is_found_and_counted(ground) -> None:
    ground.write(
        "memory/2026-01-05.md", "# 2026-01-05\n\n" + "- 部署改到星期三了,因为数据库在维护。\n- 安娜对花生过敏。\n" * 3
    )
    found = assemble(ground.ws, Asked("安娜对什么过敏", budget=120))
    assert found.text.count("安娜对花生过敏") == 1
    assert found.tokens <= 120


@pytest.mark.parametrize("budget", [1, 7, 40, 10_000_000])
def test_any_budget_will_do(ground, budget) -> None:
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The garden has {n} trees in it.\n" for n in range(400)))
    found = assemble(ground.ws, Asked("how many trees?", budget=budget))
    assert found.tokens <= budget
    assert budget < 100 or found.text.count("trees") == 400


def test_a_budget_below_nothing_and_a_kind_that_there_is_not_are_refused(ground) -> None:
    with pytest.raises(UsageError):
        assemble(ground.ws, Asked(budget=-1))
    with pytest.raises(UsageError):
        assemble(ground.ws, Asked(session_kind="party"))
    with pytest.raises(ClawgitError, match="no session"):
        assemble(ground.ws, Asked(session="5b0f3c1e"))


def test_slots_that_come_to_more_than_the_whole_are_cut_from_the_lowest(ground) -> None:
    ground.config("context_budget_tokens: 300", "identity_tokens: 200", "user_profile_tokens: 5000")
    ground.write("SOUL.md", "- Have a view.\n")
    ground.write("USER.md", "- Name: Mira\n")
    found = assemble(ground.ws, Asked())
    assert found.tokens <= 300
    assert "Mira" in found.text


def test_an_empty_workspace_has_an_empty_context(ground) -> None:
    found = assemble(ground.ws, Asked("anything?"))
    assert (found.text, found.tokens, found.cut_identity, found.warnings) == ("", 0, False, ())


def test_a_soul_that_cannot_be_read_is_told_of(ground, tmp_path) -> None:
    (tmp_path / "elsewhere.md").write_text("- Be somebody else.\n")
    (ground.root / "SOUL.md").symlink_to(tmp_path / "elsewhere.md")
    found = assemble(ground.ws, Asked())
    assert found.cut_identity
    assert any("SOUL.md" in words for words in found.warnings)


def test_bytes_that_are_no_text_and_secrets_do_no_harm(ground) -> None:
    ground.write(
        "memory/2026-11-20.md", b"# 2026-11-20\r\n\r\n- caf\xe9 \x00 by the river\r\n- key AKIA" + b"Z7Q2X4WNB3RTY5KP\n"
    )
    found = assemble(ground.ws, Asked("where is the cafe by the river?"))
    assert "by the river" in found.text
    assert "Z7Q2X4WNB3RTY5KP" not in found.text


def test_a_question_of_a_megabyte_is_a_question(ground) -> None:
    ground.write("memory/2026-01-05.md", "# 2026-01-05\n\n- Ana likes pears.\n")
    assert "pears" in assemble(ground.ws, Asked("noise and more noise " * 50_000 + "\nuser: what does Ana like?")).text


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


def test_of_a_line_of_sixty_thousand_letters_the_sentences_that_answer_are_given(ground) -> None:
    said = " ".join(f"Guest {at} sat at table {at % 97}." for at in range(2_300))
    assert 60_000 < len(said) < 1 << 16
    ground.write("memory/guests.md", f"# Guests\n\n{said}\n")
    found = assemble(ground.ws, Asked("at which table sat guest 1765?", budget=1000))
    assert "Guest 1765 sat at table 19." in found.text
    assert found.tokens <= 1000


def test_a_context_has_neither_side_of_a_merge_and_no_marker(ground) -> None:
    day = "memory/2026-11-20.md"
    ground.write(day, "# Day\n\n- The kettle is blue.\n")
    ground.commit()
    ground.write(day, "# Day\n\n<<<<<<< HEAD\n- The kettle is red.\n=======\n- The kettle is green.\n>>>>>>> side\n")
    found = assemble(ground.ws, Asked("which colour has the kettle?"))
    assert "- The kettle is blue." in found.text
    assert not any(word in found.text for word in ("<<<", ">>>", "red", "green"))
    assert any("conflict markers" in words for words in found.warnings)
