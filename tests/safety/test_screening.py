"""Printed text holds no secret, and other text is printed as it is."""

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
    *(frame.format(secret) for _, frame, secret in CONTEXT),
    *(frame.format(secret) for _, frame, secret in FOUND),
]


@pytest.mark.parametrize("text", SAID, ids=range(len(SAID)))
def test_whatever_the_rules_find_is_looked_at_and_named_once(text):
    (secret, *_) = find_secrets(text)
    text_shown = Redactor().row(text)
    assert f"[{secret.rule} {secret.fingerprint}]" in text_shown
    assert text[secret.start : secret.end] not in text_shown
    assert name_secrets(text_shown) == text_shown, "what was named already is not named again"
    assert Redactor().row(text_shown) == text_shown


@pytest.mark.parametrize("width", [64, 76])
def test_a_line_from_the_middle_of_a_key_is_not_shown(width):
    row = "aB3" + "".join(dice.choices(string.ascii_letters + string.digits + "+/", k=width - 3))
    assert row not in Redactor().row(f"SOUL.md:7  {row}")


@pytest.mark.parametrize("before", ["", "+ ", "3f786850e3 abcdefghij 2026-02-14 ana  12 ", "  >  7  "])
def test_a_private_key_is_cut_out_of_rows_that_come_one_by_one(before):
    key = pem("RSA ").split("\n")
    redactor, last = Redactor(), "and on it goes, in plain words"
    rows_shown = [redactor.row(f"{before}{row}") for row in ["first line", *key, last]]
    assert rows_shown[0] == f"{before}first line"
    assert rows_shown[-1] == f"{before}{last}"
    assert not any(row in "\n".join(rows_shown) for row in key[1:-1])


def test_a_key_that_is_only_mentioned_hides_no_ids():
    rows = [
        {"id": "qzxwvutsrq", "text": "it starts with -----BEGIN RSA PRIVATE KEY-----"},
        {"id": "kmnopqrstu", "text": "tea"},
    ]
    assert [row["id"] for row in Redactor().document(rows)] == ["qzxwvutsrq", "kmnopqrstu"]


def test_a_document_is_named_string_by_string_and_stays_a_document():
    secret = "ghp_" + "".join(dice.choices(string.ascii_letters + string.digits, k=34)) + "7x"
    value = {"text": f"a {secret}", "rows": [1, None, True, {"deep": (secret, 2.5)}]}
    document = Redactor().document(value)
    assert secret not in str(document)
    assert document["rows"][:3] == [1, None, True]
    assert document["rows"][3]["deep"][1] == 2.5
