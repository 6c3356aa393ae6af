"""Who asks to remember is heard; who asks whether one remembers, or says that he does, is not."""
# ruff: noqa: RUF001 - in their own scripts

import pytest

from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

WISHES = (
    "기억해",
    "기억해!",
    "기억해줘",
    "기억해 주세요",
    "꼭 기억해 주십시오",
    "기억해 두세요",
    "기억해라",
    "기억해 주실래요?",
    "기억해 주면 좋겠어",
    "내 생일은 5월 3일이야, 기억해",
    "기억해두렴",
    "기억해줄 수 있어?",
    "기억 좀 해 주세요",
    "覚えて。",
    "覚えてね",
    "覚えといて",
    "覚えておいてね",
    "覚えておいて下さい",
    "覚えてちょうだい",
    "覚えてくれる？",
    "覚えていてください",
    "覚えておくように",
    "おぼえておいて",
    "私の誕生日は5月3日です。覚えておいてもらえますか",
    "記憶してください",
    "記住",
    "請記住",
    "记住：会议是周二",
    "帮我记一下",
    "请你记着我喜欢茶",
    "请牢记",
    "记住我喜欢茶",
    "Remember this: tea",
    "please remember that I like tea",
    "Could you please remember that I'm vegan?",
    "记住多喝水",
    "记住不要迟到",
)
TALK = (
    "기억해?",
    "너 그거 기억해?",
    "기억이 안 나",
    "기억해 냈어",
    "나는 다 기억해",
    "난 기억해",
    "기억해야 할 게 너무 많아",
    "기억하니?",
    "기억나?",
    "기억 못 해",
    "覚えてる",
    "覚えてない",
    "覚えてますか？",
    "覚えていた",
    "覚えてから寝る",
    "覚えてないの？",
    "记住了吗？",
    "你还记得吗",
    "记不住",
    "我记住了",
    "你能记住多少",
    "你記住了嗎",
    "Do you remember that trip?",
    "do you still remember when we met?",
    "you don't remember that, do you?",
    "我已经记住了",
    "기억해 줘서 고마워",
)


@pytest.mark.parametrize("text", WISHES)
@pytest.mark.parametrize("around", ["오늘 회의는 세 시야. {}"])
def test_a_wish_to_remember_is_heard_in_every_form_of_politeness(text: str, around: str) -> None:
    """Covers P7."""
    found = triage(around.format(text), BUILT_IN)
    assert found.priority
    assert [one.group for one in found.matches if one.group == "memory"]


@pytest.mark.parametrize("text", TALK)
def test_talk_about_remembering_is_no_wish(text: str) -> None:
    assert not [one for one in triage(text, BUILT_IN).matches if one.group == "memory"]


@pytest.mark.parametrize("text", ["do you " * 10_000 + "remember this"])
def test_a_long_text_is_read_once(text: str) -> None:
    assert len(triage(text, BUILT_IN).matches) <= 20
