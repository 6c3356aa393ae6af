"""Shapes of answers; skips whoever imports it where pydantic is missing."""

from typing import Literal

import pytest

pydantic = pytest.importorskip("pydantic", reason="pydantic; get it: pip install 'clawgit[llm]'")


class Fact(pydantic.BaseModel):
    text: str
    tag: Literal["decision", "knowledge", "skill", "event"]


class Facts(pydantic.BaseModel):
    facts: list[Fact]


class Loose(pydantic.BaseModel):
    """Everything may be missing: whatever object there is would do."""

    facts: list[str] = pydantic.Field(default_factory=list)
    extra: dict[str, str] = pydantic.Field(default_factory=dict)


GOOD = '{"facts": [{"text": "The team chose Rust.", "tag": "decision"}]}'
WRONG = '{"facts": [{"text": "The team chose Rust.", "tag": "rumour"}]}'
