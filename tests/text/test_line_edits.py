"""One line of a file, and every other byte as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.edit import add_bullet, replace_entry
from clawgit.text.entry import entries

TEXT = "Keep answers short."


@pytest.mark.parametrize(
    ("soul", "section", "after"),
    [
        (
            "# Soul\n\n## Values\n\n- Kind.\n\n## Vibe\n\n- Calm.\n",
            "Vibe",
            "## Vibe\n\n- Calm.\n- Keep answers short.\n",
        ),
        ("# Soul\n\n## Values\n\n- Kind.\n\n## Vibe\n\n- Calm.\n", "Values", "- Kind.\n- Keep answers short.\n\n## V"),
        ("# Soul\n\n* Calm.\n  * Very.\n\n## End\n\nBye.\n", "", "* Calm.\n  * Very.\n* Keep answers short.\n\n## End"),
        ("# Soul\n\n## Tone\n\n1. Calm\n2. Plain\n", "Tone", "2. Plain\n3. Keep answers short.\n"),
        ("# Soul\n\n- A.\n\n## Vibe\n\nCalm.\n", "Vibe", "- A.\n\n## Vibe\n\nCalm.\n\n- Keep answers short.\n"),
        ("# Soul\r\n\r\n- Be kind.\r\n", "", "- Be kind.\r\n- Keep answers short.\r\n"),
        ("# Soul\n\n- Be kind.", "", "- Be kind.\n- Keep answers short."),
    ],
)
def test_a_line_goes_where_it_belongs_in_the_form_of_its_neighbours(soul: str, section: str, after: str) -> None:
    assert after in add_bullet(soul, section, TEXT)


_LINES = st.lists(
    st.sampled_from(
        ["# Soul", "## Vibe", "## Grenzen", "- Be kind.", "* Be calm.", "  - Deep.", "", "Prose.", "1. One"]
    ),
    max_size=12,
)


@given(_LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "Vibe"]))
def test_adding_only_adds_and_replacing_only_replaces(rows: list[str], ending: str, section: str) -> None:
    soul = ending.join(rows)
    old, new = soul.splitlines(), add_bullet(soul, section, TEXT).splitlines()
    assert [row for row in new if TEXT not in row and row.strip()] == [row for row in old if row.strip()]
    assert sum(TEXT in row for row in new) == 1
    for entry in entries(soul):
        changed = replace_entry(soul, entry, TEXT).splitlines()
        assert [row for row in changed if TEXT not in row] == [*old[: entry.start - 1], *old[entry.end :]]
