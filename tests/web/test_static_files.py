"""What the page brings along: held to the byte, and nothing from elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest

from clawgit.web import chart_drawing, web_routes
from clawgit.web.chart_drawing import Mark, Series
from clawgit.web.incognito import hidden

WEB = Path(web_routes.__file__).parent
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
    for name in web_routes.PAGES:
        assert (WEB / "templates" / f"{name.replace('/', '-')}.html").is_file()


def days(*numbers):
    from datetime import date  # noqa: PLC0415

    return [date(2026, 1, number) for number in numbers]


def test_a_chart_is_told_in_words_too():
    first, last = days(1, 20)
    drawn = str(
        chart_drawing.lines([Series("soul", "line-a", [(first, 80.0), (last, 140.0)])], "Tokens", limit=(800, "cap"))
    )
    assert 'role="img" aria-label="Tokens"' in drawn
    assert "<title>soul</title>" in drawn
    assert ">cap<" in drawn
    assert "style=" not in drawn


def test_of_one_day_nothing_is_drawn():
    (day,) = days(3)
    assert chart_drawing.lines([Series("soul", "line-a", [(day, 80.0)])], "Tokens") == ""
    assert chart_drawing.lines([], "Tokens") == ""
    assert chart_drawing.timeline([]) == ""
    assert "circle" in chart_drawing.timeline([Mark(day, "of-agent", "one")])


def test_what_is_drawn_is_escaped():
    (day, other) = days(3, 4)
    mark = Mark(day, "of-agent", "<script>alert(1)</script>", '"><script>')
    for drawn in (
        chart_drawing.timeline([mark, Mark(other, "of-agent", "<b>")]),
        chart_drawing.shares([("<b>", "slot-0", 3)], "<i>", 10),
        chart_drawing.lines([Series("<u>", "line-a", [(day, 1.0), (other, 2.0)])], "<s>", limit=(3, "<q>")),
    ):
        assert not re.search(r"<(script|b|i|u|s|q)>", str(drawn))


@pytest.mark.parametrize("top", [0, 0.5, 1, 3, 39, 41, 799, 800, 10_000, 123_456])
def test_a_scale_reaches_over_all_of_it(top):
    assert chart_drawing._ceiling(top) >= top


def test_incognito_keeps_what_pages_are_built_of():
    found = {
        "id": "kxqm",
        "text": "Ana, 42",
        "path": "SOUL.md",
        "files": ["memory/2026-01-20.md", "memory/ana.md"],
        "n": 3,
        "none": None,
        "later": [{"words": "é"}],
    }
    assert hidden(found) == {
        "id": "kxqm",
        "text": "xxx, xx",
        "path": "SOUL.md",
        "files": ["memory/2026-01-20.md", "xxxxxx/xxx.xx"],
        "n": 3,
        "none": None,
        "later": [{"words": "x"}],
    }
