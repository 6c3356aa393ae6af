"""CONFIG.md adds patterns, and a bad one harms no other."""

import pytest

from clawgit.messages.triage import triage
from clawgit.messages.workspace_patterns import known

FENCE = "# Config\n\n```yaml\n{}\n```\n"


@pytest.fixture
def configured(tmp_path):
    def write(block):
        (tmp_path / "CONFIG.md").write_text(FENCE.format(block))
        return tmp_path

    return write


def custom(found):
    return [(one.source, one.route, one.cased) for one in found.patterns if one.group == "custom"]


def test_a_pattern_has_a_route_and_says_whether_it_tells_capitals_apart(configured):
    root = configured(
        "heartbeat_custom_patterns:\n"
        "  - ship it\n"
        "  - /Budget/\n"
        "  - /budget/i\n"
        "  - {pattern: invoice \\d+, route: finance}\n"
        "  - {pattern: wrong again, route: recall-validator}\n"
    )
    found = known(root)
    assert found.problems == ()
    assert custom(found) == [
        ("ship it", "memory-miner", False),
        ("Budget", "memory-miner", True),
        ("budget", "memory-miner", False),
        (r"invoice \d+", "finance", False),
        ("wrong again", "recall-validator", False),
    ]
    (match,) = triage("please pay INVOICE 12", found.patterns).matches
    assert (match.group, match.route, match.pattern) == ("custom", "finance", r"invoice \d+")


@pytest.mark.parametrize(
    "entry",
    [
        "'(?<=a)b'",
        "'(a'",
        "'(\\w)\\1'",
        "'a*'",
        "7",
        "''",
        "{route: x}",
        "{pattern: x, rout: y}",
        "/x/g",
        "{pattern: x, route: 7}",
        "[x]",
    ],
)
def test_a_bad_pattern_is_named_by_its_line_and_the_rest_works(entry, configured):
    found = known(configured(f"branch: main\nheartbeat_custom_patterns:\n  - ship it\n  - {entry}\n  - all hands"))
    (problem,) = found.problems
    assert problem.message.startswith("CONFIG.md:7: heartbeat_custom_patterns: ")
    assert str(problem.fix) == "edit line 7 of CONFIG.md"
    assert [source for source, *_ in custom(found)] == ["ship it", "all hands"]
