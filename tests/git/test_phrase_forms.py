"""A phrase is found in any of its forms, and nothing else goes with it."""

import base64
import json
import textwrap
import unicodedata
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.git import history_rewrite

PHRASE = 'kq7-öre "sund" <pass>/44'
FORMS = history_rewrite.forms(PHRASE.encode())
WRITTEN = {
    "plain": PHRASE.encode(),
    "utf-16": PHRASE.encode("utf-16"),
    "url": quote(PHRASE).encode(),
    "json": json.dumps({"a": PHRASE}).encode(),
    "json in letters": json.dumps(PHRASE, ensure_ascii=False).encode(),
    "url with plus for blanks": quote_plus(PHRASE).encode(),
    "hex": PHRASE.encode().hex().encode(),
    "hex in capitals": PHRASE.encode().hex().upper().encode(),
    "base64": base64.b64encode(b"12345" + PHRASE.encode() + b"1"),
    "base64 in lines": base64.encodebytes(b"1" * 50 + PHRASE.encode() + b"1"),
    "quoted and wrapped": b'> kq7-\xc3\xb6re \r\n>   "sund"\n> <pass>/44',
    "in another spelling": unicodedata.normalize("NFD", PHRASE).encode(),
    "base64 of another spelling": base64.b64encode(unicodedata.normalize("NFD", PHRASE).encode()),
    "cut at a blank and anywhere": b'kq7-\xc3\xb6re\n"su\nnd" <pa\nss>/44',
    "over an empty line": b'kq7-\xc3\xb6re "su\n> \n>nd" <pass>/44',
    "cut anywhere": b'kq7-\xc3\xb6re "su\n  nd" <pa\nss>/44',
}


@pytest.mark.parametrize("name", WRITTEN)
def test_each_way_to_write_it_is_found_and_goes(name):
    data = b"before " + WRITTEN[name] + b" after"
    if name == "utf-16":
        data = WRITTEN[name]
    assert history_rewrite.has_phrase(data, FORMS)
    after = history_rewrite.remove_phrases(data, FORMS)
    assert history_rewrite.GONE in after.replace(b"\0", b"")
    assert b"\0" not in data or len(after) == len(data)
    assert not history_rewrite.has_phrase(after, FORMS)


@pytest.mark.parametrize("offset", range(3))
@pytest.mark.parametrize("phrase", [b"hun7er", b"hunter2", b"hunter22"])
def test_a_short_phrase_is_found_wherever_it_begins_in_base64(phrase, offset):
    forms = history_rewrite.forms(phrase)
    after = history_rewrite.remove_phrases(base64.b64encode(b"x" * offset + phrase + b"yz"), forms)
    assert history_rewrite.GONE in after
    assert len(after) <= len(history_rewrite.GONE) + 9  # the letters that have parts of the bytes around it


@pytest.mark.parametrize(("phrase", "text"), [(b"cat file", b"cat>file"), (b"if a > b then", b"if a b then")])
def test_a_sign_of_a_quote_counts_at_the_begin_of_a_line_alone(phrase, text):
    assert not history_rewrite.has_phrase(text, history_rewrite.forms(phrase))


KEY = "-----BEGIN X KEY-----\nabcdefghij123\n\nklmnopqrst456\n-----END X KEY-----"
KEYS = {
    "plain": KEY,
    "quoted": textwrap.indent(KEY, "> ", lambda _: True),
    "windows, quoted": textwrap.indent(KEY, " > ").replace("\n", "\r\n"),
    "trailing blanks": KEY.replace("\n", "  \n"),
    "json of windows": json.dumps(KEY.replace("\n", "\r\n")),
    "utf-16 of windows": KEY.replace("\n", "\r\n").encode("utf-16").decode("latin-1"),
    "base64 of windows": base64.b64encode(KEY.replace("\n", "\r\n").encode()).decode(),
    "in one line": KEY.replace("\n", " ").replace("  ", " "),
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("name", KEYS)
def test_a_phrase_of_several_lines_is_found_however_they_are_set(name, ends):
    forms = history_rewrite.forms(KEY.replace("\n", ends).encode())
    data = b"- key:\n" + KEYS[name].encode("latin-1") + b"\n- next\n"
    assert history_rewrite.has_phrase(data, forms)
    after = history_rewrite.remove_phrases(data, forms)
    assert not history_rewrite.has_phrase(after, forms)
    assert (after[:7], after[-8:]) == (b"- key:\n", b"\n- next\n")


@pytest.mark.parametrize("blanks", [2, 30])
def test_many_blanks_take_no_longer(blanks):
    forms = history_rewrite.forms(b"ab" + b" " * blanks + b"cd ef")
    data = (b"ab" + b" \n" * 200 + b"cd\n") * 50
    assert not history_rewrite.has_phrase(data, forms)
    assert history_rewrite.has_phrase(data + b"ab" + b" " * blanks + b"cd\nef", forms)


def test_the_lines_around_it_stay_lines():
    text = b'- one\n- the kq7-\xc3\xb6re\n  "sund" <pass>/44 opens\n- three\n'
    assert history_rewrite.remove_phrases(text, FORMS) == b"- one\n- the [purged]\n   opens\n- three\n"


@given(st.text("ab \n", max_size=40), st.integers(5, 30))
def test_however_it_is_wrapped_it_goes(frame, width):
    phrase = "the quick brown fox jumps"
    forms = history_rewrite.forms(phrase.encode())
    data = textwrap.fill(f"{frame} {phrase} {frame}", width).encode()
    assert history_rewrite.has_phrase(data, forms)
    assert not history_rewrite.has_phrase(history_rewrite.remove_phrases(data, forms), forms)
