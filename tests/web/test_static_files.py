"""What the page brings along: held to the byte, and nothing from elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest

from clawgit.web import page_server
from clawgit.web.web_pages import environment, sampled

WEB = Path(page_server.__file__).parent
HTMX = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of dist/htmx.min.js in htmx.org 4.0.1, as npm has it."""


def test_htmx_is_the_one_that_was_looked_at():
    assert hashlib.sha256((WEB / "static/htmx.min.js").read_bytes()).hexdigest() == HTMX
    assert "Zero-Clause BSD" in (WEB / "static/htmx.LICENSE").read_text()


def test_no_template_and_no_style_names_another_server():
    for path in [*WEB.glob("templates/*.html"), *WEB.glob("static/*.css"), WEB / "static/keys.js"]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z]", text.replace("http-equiv", "")), path.name
        assert "@import" not in text


def test_no_template_turns_escaping_off_or_has_code_in_it():
    for path in WEB.glob("templates/*.html"):
        text = path.read_text("utf-8")
        assert "|safe" not in text.replace(" ", ""), path.name
        assert "autoescape" not in text
        assert not re.search(r"<script(?! src=| type=\"application/json\")", text), path.name
        assert not re.search(r"\son\w+=", text), path.name
        assert not re.search(r"\sstyle=", text), path.name
        assert "hx-on" not in text
        assert "js:" not in text


def test_each_page_has_its_template():
    for name in page_server.PAGES:
        assert (WEB / "templates" / f"{name.replace('/', '-')}.html").is_file()


@pytest.mark.parametrize(("count", "sample"), [(0, []), (1, [0]), (3, [0, 1, 2]), (24, [*range(24)])])
def test_few_points_are_all_shown(count, sample):
    assert sampled(range(count)) == sample


@pytest.mark.parametrize("count", [25, 47, 1000])
def test_many_points_are_sampled_with_both_ends(count):
    sample = sampled(range(count))
    assert (len(sample), sample[0], sample[-1]) == (24, 0, count - 1)
    assert sample == sorted(set(sample))


def test_bars_are_escaped_and_need_two_rows():
    bars = environment().from_string('{% import "parts.html" as ui %}{{ ui.bars(rows, caption, 10) }}').render
    page = bars(rows=[("<b>", 3), ("<i>", 1_200)], caption="<s>")
    assert 'max="1200"' in page
    assert not re.search(r"<(b|i|s)>", page)
    assert "meter" not in bars(rows=[("2026-01-03", 3)], caption="Tokens")
