"""An item of a correction asks once, and a table keeps its form."""

import pytest

TABLE = "| What | Who | When |\n|---|---|---|\n| Tax return | Ada | 2026-12-31 |\n| Insurance | Tom | 2027-01-15 |\n"
SAID = "the tax return is due 2027-07-31, not 2027-01-31"
OWNER = "the owner of the tax return is Miriam, not Ada"


def write(call, space, text, path="MEMORY.md"):
    (space / path).parent.mkdir(exist_ok=True)
    (space / path).write_text(text)
    call("capture")


def ask(call, words):
    """Say a correction that is not sure; return its item with its choices."""
    assert call("correct", words).code == 1
    (item,) = call("inbox", "--kind", "correction", "--json").json
    return call("show", item["id"], "--json").json


@pytest.mark.parametrize("outer", ["| {} |", "{}"])
def test_a_row_keeps_its_bars(call, space, outer):
    write(call, space, f"# Memory\n\n{TABLE}")
    item = ask(call, SAID)
    assert item["choices"][0]["text"] == "| Tax return | Ada | 2026-12-31 |"
    call("accept", item["id"], "--only", "1", "--text", outer.format("Tax return | Ada | 2027-07-31"))
    assert "---|\n| Tax return | Ada | 2027-07-31 |\n| Ins" in (space / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    "text", ["The tax return is due 2027-07-31.", "Tax return | 2027-07-31", "Tax return | Ada | a | 2027"]
)
def test_a_text_that_is_no_row_is_refused(call, space, text):
    write(call, space, f"# Memory\n\n{TABLE}")
    item = ask(call, SAID)
    refusal = call("accept", item["id"], "--only", "1", "--text", text, "--json")
    assert (refusal.code, refusal.json["key"]) == (1, "memory-shape")
    about = call("correct", text, "--about", item["choices"][0]["id"], "--json")
    assert (about.code, about.json["key"]) == (1, "memory-shape")
    assert TABLE in (space / "MEMORY.md").read_text()


def write_household(call, space):
    bullets = ("Tax return: hand in with Elster, says Ada.", "Tax return of Ada: sign it.", "Ada likes tea.")
    rows = "".join(f"- {row}\n" for row in (*bullets, "Miriam keeps the tax return in her drawer."))
    write(call, space, f"# Memory\n\n{rows}\n## Deadlines\n\n{TABLE}")
    write(call, space, "# 2026-01-19\n\n- Asked about the tax return: Ada.\n- Ada slept.\n", "memory/2026-01-19.md")


def test_what_was_not_chosen_is_not_asked_again(call, space):
    write_household(call, space)
    item = ask(call, OWNER)
    assert len(item["choices"]) > 1
    call("accept", item["id"], "--only", "1")
    assert call("inbox", "--kind", "correction", "--json").json == []
    call("undo")
    assert [row["id"] for row in call("inbox", "--json").json] == [item["id"]]


def test_a_question_of_a_correction_asks_no_further_one(call, space):
    write_household(call, space)
    write(call, space, "# House\n\n- The owner of the tax return is Ada.\n", "memory/house.md")
    answer = call("correct", OWNER)
    (item,) = call("inbox", "--kind", "correction", "--json").json
    choices = call("show", item["id"], "--json").json["choices"]
    assert len(choices) > 1
    assert all(choice["at"] in answer.err for choice in choices)
    command = f"accept {item['id']} --only {','.join(str(choice['number']) for choice in choices)}"
    assert command.partition(",")[0] in answer.err
    assert call(*command.split()).code == 0
    assert call("inbox", "--kind", "correction", "--json").json == []
    call("undo")
    (item_later,) = call("inbox", "--kind", "correction", "--json").json
    assert item_later["id"] == item["id"]


def test_a_line_that_says_it_already_is_not_offered(call, space):
    write_household(call, space)
    assert not any("Miriam" in choice["text"] for choice in ask(call, OWNER)["choices"])
