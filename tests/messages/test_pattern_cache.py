"""CONFIG.md adds patterns, and a bad one harms no other."""

import json

import pytest

from clawgit.messages.pattern_cache import known
from clawgit.messages.patterns import BUILT_IN, built_in
from clawgit.messages.triage import triage

FENCE = "# Config\n\n```yaml\n{}\n```\n"


@pytest.fixture
def configured(tmp_path):
    def write(block):
        (tmp_path / "CONFIG.md").write_text(FENCE.format(block))
        return tmp_path

    return write


def custom(found):
    return [(one.source, one.route, one.cased) for one in found.patterns if one.group == "custom"]


@pytest.mark.parametrize("block", ["", "branch: main", "heartbeat_custom_patterns: []", "triage_packs: [zh, ja, ko]"])
def test_without_patterns_of_ones_own_there_are_those_that_come_with_it(block, configured):
    assert known(configured(block), None).patterns == BUILT_IN


def test_without_a_configuration_too(tmp_path):
    assert known(tmp_path, tmp_path).patterns == BUILT_IN


def test_a_pattern_has_a_route_and_says_whether_it_tells_capitals_apart(configured):
    root = configured(
        "heartbeat_custom_patterns:\n"
        "  - ship it\n"
        "  - /Budget/\n"
        "  - /budget/i\n"
        "  - {pattern: invoice \\d+, route: finance}\n"
        "  - {pattern: wrong again, route: recall-validator}\n"
    )
    found = known(root, None)
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
    found = known(
        configured(f"branch: main\nheartbeat_custom_patterns:\n  - ship it\n  - {entry}\n  - all hands"), None
    )
    (problem,) = found.problems
    assert problem.message.startswith("CONFIG.md:7: heartbeat_custom_patterns: ")
    assert str(problem.fix) == "edit line 7 of CONFIG.md"
    assert [source for source, *_ in custom(found)] == ["ship it", "all hands"]


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("heartbeat_custom_patterns: ship it", 4),
        ("triage_packs: [zh, xx]", 4),
        ("a: [\nheartbeat_custom_patterns: [x]", 6),
    ],
)
def test_a_bad_value_leaves_what_comes_with_it(block, line, configured):
    found = known(configured(block), None)
    (problem,) = found.problems
    assert f"CONFIG.md:{line}" in problem.message
    assert found.patterns == BUILT_IN


def test_packs_are_chosen(configured):
    assert known(configured("triage_packs: [ja]"), None).patterns == built_in(["ja"])
    assert known(configured("triage_packs: []"), None).patterns == built_in([])


def test_what_was_read_is_kept_until_the_configuration_changes(configured, tmp_path):
    cache = tmp_path / "cache"
    root = configured("heartbeat_custom_patterns: [ship it, '(a']")
    first = known(root, cache)
    kept = json.loads((cache / "triage.json").read_text())
    second = known(root, cache)
    assert second.patterns == first.patterns
    assert [(one.message, one.fix) for one in second.problems] == [(one.message, one.fix) for one in first.problems]
    kept["custom"][0][0] = "from the cache"
    (cache / "triage.json").write_text(json.dumps(kept))
    assert custom(known(root, cache))[0][0] == "from the cache"
    assert custom(known(configured("heartbeat_custom_patterns: [all hands]"), cache))[0][0] == "all hands"


@pytest.mark.parametrize("junk", ["", "{", "[]", '{"format": 1}', '{"format": 99}'])
def test_a_broken_cache_is_made_again(junk, configured, tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "triage.json").write_text(junk)
    assert [source for source, *_ in custom(known(configured("heartbeat_custom_patterns: [ship it]"), cache))] == [
        "ship it"
    ]
