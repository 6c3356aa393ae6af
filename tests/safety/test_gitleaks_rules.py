"""gitleaks' rules are found in prose as our own are, and cost nobody a false alarm."""

import json
import random
import string

import pytest
import re2

from clawgit.safety import secrets

dice = random.Random(8301)
HEX, SMALL = string.hexdigits[:16], string.ascii_lowercase + string.digits


def pick(alphabet, length):
    return dice.choice("abcdef") + "".join(dice.choices(alphabet, k=length - 3)) + "7e"


FOUND = [
    ("twitter", "The twitter key = {}", pick(SMALL, 25)),
    ("hubspot", "HUBSPOT_TOKEN={}", "-".join(pick(HEX, size) for size in (8, 4, 4, 4, 12))),
    ("datadog", "datadog_api: {}.", pick(SMALL, 40)),
    ("zendesk", "| zendesk | x |\nzendesk: `{}`, since May", pick(SMALL, 40)),
    ("shippo", "_{}_", "shippo_live_" + pick(HEX, 40)),
    ("dynatrace", "das Token {}, neu", "dt0c01." + pick(string.ascii_uppercase, 22) + "7E." + pick(SMALL, 64)),
    ("npm", "令牌是npm_{}。", pick(SMALL, 36)),
    ("asana", "asana_token: {}", "25365936877800" + "63"),
    ("openshift", "({})", "sha256~" + pick(SMALL, 43)),
]


@pytest.mark.parametrize(("rule", "frame", "value"), FOUND, ids=[rule for rule, *_ in FOUND])
def test_a_token_is_named_by_its_vendor_wherever_it_stands_in_prose(rule, frame, value):
    (secret,) = secrets.find_secrets(frame.format(value))
    assert secret.rule == rule


@pytest.mark.parametrize(
    "text",
    [
        "discord guild: 853352230767694291",
        "asana project = 2536593687780063",
        f"Sourcegraph shows commit {pick(HEX, 40)}",
        f"twitter: {pick(SMALL, 25)}-and-more-words",
        f"see cloudflare = {pick(SMALL, 40)}.example.dev",
        "void GLC_StateBeginUnderwaterAliasModelCaustics(texture base);",
        "The password is MyPassword123",
        "The key is AKIA" + "IOSFODNN7EXAMPLE",
    ],
)
def test_what_is_an_id_a_commit_or_an_example_is_none(text):
    assert secrets.find_secrets(text) == ()


def test_every_rule_can_be_compiled_and_none_runs_on_every_word():
    """A rule that named no word of its own would run on every line."""
    rows = json.loads(secrets.VENDORED.read_bytes())["rules"]
    assert len(rows) > 150
    for row in rows:
        re2.compile(row["pattern"])
        assert all(len(word) > 1 for word in row["hint"].removeprefix("(?i)").split("|")), row["name"]


def test_their_licence_lies_beside_them():
    licence = secrets.VENDORED.with_suffix(".LICENSE").read_text("utf-8")
    assert "MIT License" in licence
    assert "Zachary Rice" in licence
