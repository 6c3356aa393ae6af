"""Who asks to remember is heard; who asks whether one remembers, or says that he does, is not."""
# ruff: noqa: RUF001 - in their own scripts

import pytest

from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

WISHES = (
    "기억해",
    "기억해.",
    "기억해!",
    "이거 기억해",
    "기억해줘",
    "기억해 줘",
    "기억해 주세요",
    "기억해주세요.",
    "꼭 기억해 주십시오",
    "이건 꼭 기억해둬",
    "기억해 두세요",
    "기억해 놔",
    "기억해라",
    "기억해 줄래?",
    "기억해 주실래요?",
    "기억해 주시겠어요?",
    "기억해 주면 좋겠어",
    "기억해: 회의는 화요일",
    "내 생일은 5월 3일이야, 기억해",
    "내 생일은 5월 3일이니까 기억해줘요~",
    "기억해두렴",
    "기억해 줘라",
    "기억해줄 수 있어?",
    "기억 좀 해줘",
    "기억 좀 해 주세요",
    "覚えて",
    "覚えて。",
    "これ覚えて！",
    "覚えてね",
    "覚えててね",
    "覚えといて",
    "覚えておいて",
    "覚えておいてね",
    "覚えておいてください",
    "覚えておいて下さい",
    "覚えてください",
    "覚えてちょうだい",
    "覚えてくれ",
    "覚えてくれる？",
    "覚えておいてくれますか？",
    "覚えていてください",
    "覚えておいてほしい",
    "覚えておくように",
    "覚えとけ",
    "おぼえておいて",
    "憶えておいて",
    "私の誕生日は5月3日です。覚えておいてもらえますか",
    "記憶しておいて",
    "記憶してください",
    "记住",
    "記住",
    "请记住",
    "請記住",
    "记住了，会议是周二",
    "记住：会议是周二",
    "帮我记住",
    "帮我记一下",
    "请记得我对花生过敏",
    "请你记着我喜欢茶",
    "给我记着",
    "请牢记",
    "请务必记住这一点",
    "记住我喜欢茶",
    "remember this",
    "Remember this: tea",
    "Please remember this",
    "please remember that I like tea",
    "Can you remember this?",
    "Could you please remember that I'm vegan?",
    "don't forget the milk",
    "记住多喝水",
    "记住过敏源是花生",
    "记住不要迟到",
    "必须记住周二交房租",
)
TALK = (
    "기억해?",
    "기억해요?",
    "너 그거 기억해?",
    "내 이름 기억해?",
    "기억이 안 나",
    "기억 안 나",
    "기억해 냈어",
    "기억해냈다",
    "나는 다 기억해",
    "아직도 기억해",
    "난 기억해",
    "그날을 기억해요",
    "기억해야 할 게 너무 많아",
    "기억해서 다행이야",
    "기억하니?",
    "기억하고 있어?",
    "기억나?",
    "기억하세요?",
    "기억 못 해",
    "覚えてる？",
    "覚えてる",
    "覚えていますか",
    "覚えてない",
    "覚えていません",
    "覚えてますか？",
    "覚えてるよ",
    "覚えていた",
    "覚えておきます",
    "覚えてから寝る",
    "単語を覚えて、テストを受けた",
    "覚えてないの？",
    "覚えておいた",
    "记住了吗？",
    "你记住了吗",
    "你还记得吗",
    "我记得",
    "记不住",
    "我没记住",
    "我记住了",
    "记得吗",
    "你能记住多少",
    "怎么记住单词",
    "你記住了嗎",
    "do you remember this?",
    "Do you remember that trip?",
    "Did you remember this",
    "do you still remember when we met?",
    "Don't you remember that?",
    "you don't remember that, do you?",
    "记住没有？",
    "我已经记住了",
    "覚えてくれてありがとう",
    "기억해 줘서 고마워",
    "기억해 주셔서 감사합니다",
)


@pytest.mark.parametrize("text", WISHES)
@pytest.mark.parametrize("around", ["{}", "오늘 회의는 세 시야. {}", "OK.\n{}\n"])
def test_a_wish_to_remember_is_heard_in_every_form_of_politeness(text: str, around: str) -> None:
    """Covers P7."""
    found = triage(around.format(text), BUILT_IN)
    assert found.priority
    assert [one.group for one in found.matches if one.group == "memory"]


@pytest.mark.parametrize("text", TALK)
def test_talk_about_remembering_is_no_wish(text: str) -> None:
    assert not [one for one in triage(text, BUILT_IN).matches if one.group == "memory"]


@pytest.mark.parametrize("text", ["기억해" * 30_000, "do you " * 10_000 + "remember this", "记住" * 50_000])
def test_a_long_text_is_read_once(text: str) -> None:
    assert len(triage(text, BUILT_IN).matches) <= 20
