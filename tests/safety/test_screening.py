"""What is printed holds no secret, and what holds none is printed as it is."""

import random
import string

import pytest

from clawgit.safety.redaction import Redactor, name_secrets
from clawgit.safety.secrets import find_secrets

from .test_gitleaks_rules import FOUND
from .test_secrets import CONTEXT, TOKENS, pem

dice = random.Random(12)
SAID = [
    *(f"it is {secret}." for _, secret in TOKENS),
    *(around.format(secret) for _, around, secret in CONTEXT),
    *(around.format(secret) for _, around, secret in FOUND),
]


@pytest.mark.parametrize("text", SAID, ids=range(len(SAID)))
def test_whatever_the_rules_find_is_looked_at_and_named_once(text):
    (found, *_) = find_secrets(text)
    shown = Redactor().row(text)
    assert f"[{found.rule} {found.fingerprint}]" in shown
    assert text[found.start : found.end] not in shown
    assert name_secrets(shown) == shown, "what was named already is not named again"
    assert Redactor().row(shown) == shown


@pytest.mark.parametrize("width", [64, 76])
def test_a_line_from_the_middle_of_a_key_is_not_shown(width):
    row = "aB3" + "".join(dice.choices(string.ascii_letters + string.digits + "+/", k=width - 3))
    assert row not in Redactor().row(f"SOUL.md:7  {row}")


@pytest.mark.parametrize("before", ["", "+ ", "3f786850e3 abcdefghij 2026-02-14 ana  12 ", "  >  7  "])
def test_a_private_key_is_cut_out_of_rows_that_come_one_by_one(before):
    key = pem("RSA ").split("\n")
    redactor, last = Redactor(), "and on it goes, in plain words"
    shown = [redactor.row(f"{before}{row}") for row in ["first line", *key, last]]
    assert shown[0] == f"{before}first line"
    assert shown[-1] == f"{before}{last}"
    assert not any(row in "\n".join(shown) for row in key[1:-1])


def test_a_key_that_is_only_mentioned_hides_no_ids():
    rows = [
        {"id": "qzxwvutsrq", "text": "it starts with -----BEGIN RSA PRIVATE KEY-----"},
        {"id": "kmnopqrstu", "text": "tea"},
    ]
    assert [row["id"] for row in Redactor().document(rows)] == ["qzxwvutsrq", "kmnopqrstu"]


def test_a_document_is_named_string_by_string_and_stays_a_document():
    secret = "ghp_" + "".join(dice.choices(string.ascii_letters + string.digits, k=34)) + "7x"
    value = {"text": f"a {secret}", "rows": [1, None, True, {"deep": (secret, 2.5)}]}
    shown = Redactor().document(value)
    assert secret not in str(shown)
    assert shown["rows"][:3] == [1, None, True]
    assert shown["rows"][3]["deep"][1] == 2.5
