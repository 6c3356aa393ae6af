"""Records of corrections are read off the text, for any names of the fields."""

import pytest

from clawgit.text.conflict import corrections, format_record


@pytest.mark.parametrize(
    "text",
    [
        "- Said: Monday\n- True: Tuesday\n",
        "* **What the agent said**: Monday\n* **Correct information**: Tuesday\n",
        "- **Said:** Monday\n\n- Trigger: no, I said\n- **Is:** Tuesday\n- Said: later\n",
    ],
)
def test_both_sides_of_a_record(text):
    (record,) = corrections(f"# Corrections\n\n- Said: nothing\n\n## 2026-02-14 kkkkkkkkkk\n\n{text}")
    assert (record.id, record.said, record.true) == ("kkkkkkkkkk", "Monday", "Tuesday")


def test_of_several_entries_each_is_read_with_its_own_words():
    fields = [("Entry was", "Ana on Monday"), ("Entry is", "Ana on Friday"), ("True", "Friday")]
    fields += [("Entry was", "Bo on Monday"), ("Entry is", "Bo on Friday")]
    (record,) = corrections(format_record("kkkkkkkkkk", "2026-02-14", fields))
    assert (record.said, record.true, record.others) == (
        "Ana on Monday",
        "Ana on Friday",
        (("Bo on Monday", "Bo on Friday"),),
    )


def test_what_is_written_is_read():
    text = "# Corrections\n\n" + format_record(
        "kkkkkkkkkk", "2026-02-14 09:30", {"Said": "a\n## b", "True": "x --> <!-- y"}.items()
    )
    (record,) = corrections(text)
    assert (record.id, record.at, record.values, record.embedded) == (
        "kkkkkkkkkk",
        "2026-02-14 09:30",
        ("a ## b", "x --\\> <\\!-- y"),
        False,
    )
