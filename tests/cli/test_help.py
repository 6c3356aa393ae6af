"""What the help shows, and in which order."""

from collections.abc import Callable

from clawgit.cli.lazy_commands import EVERYDAY


def headings(text: str) -> dict[str, list[str]]:
    """The words below each heading of a help."""
    found: dict[str, list[str]] = {}
    title = ""
    for row in text.splitlines():
        if row.endswith(":") and not row.startswith(" "):
            title = row.removesuffix(":")
        elif row.startswith("  ") and row[2] != " ":
            found.setdefault(title, []).append(row.split()[0])
    return found


def test_the_short_help_fits_a_screen_and_has_a_dozen_words(call: Callable) -> None:
    shown = headings(call("--help").out)
    everyday = [name for title in EVERYDAY for name in shown[title]]
    assert everyday == [name for names in EVERYDAY.values() for name in names]
    assert 10 <= len(everyday) <= 13
    assert "clawgit help --all" in call("--help").out
    rows = call("--help").out.splitlines()
    assert len(rows) <= 50
    assert max(map(len, rows)) <= 80


def test_help_of_what_there_is_not_names_the_nearest(call: Callable) -> None:
    for words, fix in (("solu", "clawgit soul"), ("soul dif", "clawgit soul diff")):
        answer = call("help", *words.split())
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.endswith(f"\n  fix: {fix}\n")
