"""One line of a soul, and every other byte as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.keeping import editing, standing
from clawgit.agents.keeping.aspects import Aim
from clawgit.agents.keeping.wording import principle, tidied, voice

SHORT = Aim("length", -1)
TEXT = "Keep answers short."


@pytest.mark.parametrize(
    ("soul", "after"),
    [
        ("# Soul\n\n## Values\n\n- Be kind.\n\n## Vibe\n\n- Calm.\n", "## Vibe\n\n- Calm.\n- Keep answers short.\n"),
        (
            "# Soul\n\n## Vibe\n\n* Calm.\n  * Very.\n\n## End\n\nBye.\n",
            "* Calm.\n  * Very.\n* Keep answers short.\n\n## End",
        ),
        ("# Soul\n\n## Tone\n\n1. Calm\n2. Plain\n", "2. Plain\n3. Keep answers short\n"),
        ("# 灵魂\n\n## 语气\n\n- 冷静。\n", "- 冷静。\n- Keep answers short.\n"),
        ("# Soul\n\n## Vibe\n\nCalm and plain.\n", "Calm and plain.\n\nKeep answers short.\n"),
        ("Be kind.\n", "Be kind.\n\nKeep answers short.\n"),
        ("- Be kind.\n- Be calm.\n", "- Be calm.\n- Keep answers short.\n"),
        ("# Soul\r\n\r\n- Be kind.\r\n", "- Be kind.\r\n- Keep answers short.\r\n"),
        ("# Soul\n\n- Be kind.", "- Be kind.\n- Keep answers short."),
    ],
)
def test_a_line_goes_where_it_belongs_in_the_form_of_its_neighbours(soul: str, after: str) -> None:
    assert after in editing.added(soul, TEXT, SHORT)


_LINES = st.lists(
    st.sampled_from(
        ["# Soul", "## Vibe", "## Grenzen", "- Be kind.", "* Be calm.", "  - Deep.", "", "Prose.", "1. One"]
    ),
    max_size=12,
)


@given(_LINES, st.sampled_from(["\n", "\r\n"]))
def test_adding_only_adds_and_replacing_only_replaces(rows: list[str], ending: str) -> None:
    soul = ending.join(rows)
    after = editing.added(soul, TEXT, SHORT)
    old, new = soul.splitlines(), after.splitlines()
    assert [row for row in new if TEXT.rstrip(".") not in row and row.strip()] == [row for row in old if row.strip()]
    assert sum(TEXT.rstrip(".") in row for row in new) == 1
    for line in standing.lines(soul):
        changed = editing.replaced(soul, line.entry, TEXT).splitlines()
        outside = (*old[: line.entry.start - 1], *old[line.entry.end :])
        assert [row for row in changed if TEXT not in row] == list(outside)


@pytest.mark.parametrize(
    ("soul", "said", "line"),
    [
        ("- I have a view.\n- I look first.\n", "From now on keep your answers short.", "I keep answers short."),
        ("- Have a view.\n", "From now on keep your answers short.", TEXT),
        (
            "- Ich habe eine Meinung.\n- Ich frage nicht.\n",
            "From now on keep your answers short.",
            "Ich antworte kurz.",
        ),
        ("- 有自己的看法。\n", "From now on keep your answers short.", "回答要简短。"),
        (
            "- Have a view.\n",
            "From now on keep your answers under 5 sentences.",
            "Keep your answers under 5 sentences.",
        ),
        (
            "- My human is busy.\n- I help.\n",
            "Always keep your answers under 5 lines.",
            "I always keep my answers under 5 lines.",
        ),
    ],
)
def test_a_wish_is_worded_as_the_file_speaks(soul: str, said: str, line: str) -> None:
    from clawgit.agents.keeping import SPOKEN  # noqa: PLC0415
    from clawgit.language.detect import language  # noqa: PLC0415

    assert principle(SHORT, said, "en", soul, language(soul, SPOKEN)) == line


def test_a_file_speaks_in_the_first_person_where_a_third_of_it_does() -> None:
    assert voice("- I am calm.\n- Be kind.\n", "en") == "first"
    assert voice("- Be calm.\n- Be kind.\n", "en") == "plain"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Ok, from now on please answer in French, thanks!", "Answer in French!"),
        ("Also, never use tables because I can't read them", "Never use tables."),
        ("以后请用英文回答。", "用英文回答。"),
    ],
)
def test_what_only_leads_a_wish_is_left_out(said: str, left: str) -> None:
    assert tidied(said) in (left, left.replace("!", "."))
