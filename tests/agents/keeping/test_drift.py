"""Which principles can be seen in an answer."""

import pytest

from clawgit.agents.keeping.drift import Form, form


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Never use emojis.", Form("emoji", wanted=False)),
        ("From now on please use emojis in your answers.", Form("emoji", wanted=True)),
        ("Don't end answers with a question.", Form("closing", wanted=False)),
        ("Please stop ending every answer with a question.", Form("closing", wanted=False)),
        ("Keep answers short.", Form("length", wanted=False)),
        ("Give detailed answers.", Form("length", wanted=True)),
        ("Verwende keine Emojis.", Form("emoji", wanted=False)),
        ("No uses emojis.", Form("emoji", wanted=False)),
        ("不用表情符号。", Form("emoji", wanted=False)),
        ("No emojis in mails to clients.", None),
        ("Never use tables on Telegram.", None),
        ("Be kind.", None),
    ],
)
def test_a_principle_that_says_more_than_its_form_is_about_none(text: str, found: Form | None) -> None:
    assert form(text) == found
