"""A phrase is found in whatever form it stands, and nothing else goes with it."""

import base64
import html
import json
import textwrap
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.git import phrase_forms

PHRASE = 'kq7-öre "sund" <pass>/44'
FORMS = phrase_forms.forms(PHRASE.encode())
WRITTEN = {
    "plain": PHRASE.encode(),
    "utf-16": PHRASE.encode("utf-16"),
    "url": quote(PHRASE).encode(),
    "url in small letters": quote(PHRASE, safe="").lower().encode().replace(b"kq7", b"kq7"),
    "json": json.dumps({"a": PHRASE}).encode(),
    "json in letters": json.dumps(PHRASE, ensure_ascii=False).encode(),
    "json of javascript": json.dumps(PHRASE).replace("/", r"\/").encode(),
    "html": html.escape(PHRASE).encode(),
    "hex": PHRASE.encode().hex().encode(),
    "base64": base64.b64encode(b"12345" + PHRASE.encode() + b"1"),
    "base64 in lines": base64.encodebytes(b"1" * 50 + PHRASE.encode() + b"1"),
    "quoted and wrapped": b'> kq7-\xc3\xb6re \r\n>   "sund"\n> <pass>/44',
    "cut anywhere": b'kq7-\xc3\xb6re "su\n  nd" <pa\nss>/44',
}


@pytest.mark.parametrize("name", WRITTEN)
def test_each_way_to_write_it_is_found_and_goes(name):
    data = b"before " + WRITTEN[name] + b" after"
    if name == "utf-16":
        data = WRITTEN[name]
    assert phrase_forms.holds(data, FORMS)
    after = phrase_forms.without(data, FORMS)
    assert phrase_forms.GONE in after.replace(b"\0", b"")
    assert b"\0" not in data or len(after) == len(data)
    assert not phrase_forms.holds(after, FORMS)


def test_the_lines_around_it_stay_lines():
    text = b'- one\n- the kq7-\xc3\xb6re\n  "sund" <pass>/44 opens\n- three\n'
    assert phrase_forms.without(text, FORMS) == b"- one\n- the [purged]\n   opens\n- three\n"


@given(st.binary(max_size=200))
def test_what_does_not_hold_it_stays_as_it_is(data):
    if not phrase_forms.holds(data, FORMS):
        assert phrase_forms.without(data, FORMS) == data


@given(st.text("ab \n", max_size=40), st.integers(5, 30))
def test_however_it_is_wrapped_it_goes(around, width):
    phrase = "the quick brown fox jumps"
    forms = phrase_forms.forms(phrase.encode())
    data = textwrap.fill(f"{around} {phrase} {around}", width).encode()
    assert phrase_forms.holds(data, forms)
    assert not phrase_forms.holds(phrase_forms.without(data, forms), forms)
