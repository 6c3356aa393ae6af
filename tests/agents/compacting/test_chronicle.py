"""A chronicle loses nothing that somebody could ask for."""

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.memory import compact
from clawgit.memory.compact import Journal
from clawgit.memory.expiry import list_sources
from clawgit.text.document import parse
from tests.amounts import amount

DAY = date(2026, 3, 5)
MONTH = compact.place_archive(DAY)
FACTS = st.sampled_from(
    (
        "Ana moved the deploy to 14:30.",
        "Chose REST over GraphQL. #decision",
        "we decided to keep Postgres",
        "Zoë's flight LH 456 leaves on 2026-03-09",
        "budget is 4,200 EUR",
        "会議は3月10日に決定した。",
        "Решили: сервер в Бонне, порт 8080",
        "https://example.org/a?b=1 is the board",
        "user: the wifi password hint is on page 12",
    )
)
NOISE = st.sampled_from(
    ("ok", "Thanks!", "how are you?", "", "---", "<b>", "<!-- x", "```", "> quoted 7", "***", "|", "1.")
)


def told(text: str) -> str:
    return compact.add_journals(None, MONTH, [Journal("memory/2026-03-05.md", DAY, text)])


@settings(max_examples=amount(100, 15))
@given(st.lists(st.one_of(FACTS, NOISE, st.text(max_size=60)), max_size=10), st.integers(1, 9))
def test_whatever_a_journal_holds_the_chronicle_can_be_read_and_grows(some: list[str], cut: int) -> None:
    """What opens a comment or a code block swallows nothing, and no line that stood there goes."""
    first, second = "\n".join(some[:cut]), "\n".join(some[cut:])
    one = told(first)
    more = Journal("memory/2026-03-06.md", date(2026, 3, 6), second)
    two = compact.add_journals(one, MONTH, [more])
    assert {line for line in one.split("\n") if line.strip()} <= set(two.split("\n"))
    assert list_sources(two) >= list_sources(one) | {(more.path, more.blob)}
    lines = parse(two).lines
    heads = [lines[block.start - 1].strip() for block in parse(two).blocks if block.kind == "heading"]
    assert "# 2026-03-06" in heads


WHOLE = """## 14:05 - Relay

It moved to port 9090. Thanks!

- [ ] Call the plumber
  - [x] Renewed the certificate

| a | b |
|---|---|
| 1 | 2 |

```
make deploy
```

> user: Flight LH 456 leaves at 14:30.
"""


def test_a_day_stands_there_unchanged_and_nothing_else_is_written() -> None:
    """An archive is no narrative, and says so."""
    text = told(WHOLE)
    assert WHOLE.strip() in text
    rest = text.replace(WHOLE.strip(), "")
    assert "An archive of the month's journals" in rest
    rows = [row for row in rest.splitlines() if row.strip()][2:]
    assert rows == ["# 2026-03-05", f"<!-- from memory/2026-03-05.md {Journal('', DAY, WHOLE).blob} -->"]


def test_headings_go_below_that_of_the_day_and_all_words_and_lines_stay() -> None:
    """Underlined words and the settings of another program stay as they are."""
    front = "---\ntags: boat\nmood: fine\n---\n"
    body = "{0} `Shop` #\n\nbought paint\nand brushes\n---\nmore words\n\nLater\n{1}\n\n{0}# Home"
    assert (front + body.format("##", "-----")).strip() in told(front + body.format("#", "====="))
