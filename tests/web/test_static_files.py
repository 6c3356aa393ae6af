"""The page's own files: held to the byte, and nothing from elsewhere."""

import hashlib
import re
from pathlib import Path

from clawgit.web import page_server

WEB = Path(page_server.__file__).parent
HTMX = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of dist/htmx.min.js in htmx.org 4.0.1, as npm has it."""


def test_htmx_is_the_one_that_was_looked_at():
    assert hashlib.sha256((WEB / "static/htmx.min.js").read_bytes()).hexdigest() == HTMX
    assert "Zero-Clause BSD" in (WEB / "static/htmx.LICENSE").read_text()


def test_no_template_and_no_style_names_another_server_turns_escaping_off_or_has_code_in_it():
    for path in [*WEB.glob("templates/*.html"), *WEB.glob("static/*.css"), WEB / "static/keys.js"]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z]", text.replace("http-equiv", "")), path.name
        assert "@import" not in text
        if path.suffix == ".html":
            barred = r"\|\s*safe|autoescape|<script(?! src=| type=\"application/json\")|\s(on\w+|style)=|hx-on|js:"
            assert not re.search(barred, text), path.name
