"""What is recalled shows no secret."""

import pytest

from clawgit.safety.redaction import redacted

AWS = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak
ROWS = "MIIEowIBAAKCAQEA7bq0Qm9vb3RzdHJhcGluZ1RoZUtleU9mTm9ib2R5QXRBbGw9\n" * 40
PEM = "-----BEGIN RSA " + f"PRIVATE KEY-----\n{ROWS}-----END RSA " + "PRIVATE KEY-----"


@pytest.mark.parametrize("secret", [AWS, PEM])
def test_a_secret_is_named_and_every_other_line_stays_on_its_line(secret):
    rest = " of Ana\nlast\n"
    text = f"one\nkey: {secret}{rest}"
    shown = redacted(text)
    assert not any(row in shown for row in secret.split("\n"))
    assert shown.count("\n") == text.count("\n")
    assert shown.startswith("one\nkey: [")
    assert shown.endswith(rest)


@pytest.mark.parametrize("text", ["", "plain\n", "größe 中文\n\n"])
def test_text_without_one_is_as_it_was(text):
    assert redacted(text) == text
