"""What a text is said to cost is more than it does, whatever it is written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.context.token_cost import cost

# Texts, and the most tokens that cl100k, o200k and an older tokenizer of Claude's made of each.
COUNTED = {
    (
        "Your OpenClaw agent rewrites its own memory. One morning it answers differently, or no longer knows "
        "what you decided in spring, and nothing tells you what changed, when, or because of which conversati"
        "on. A tool overwrote a file with what it had read ten minutes earlier; a date was noted wrongly and "
        "is now quoted as fact; a web page was taken for an instruction. The files are Markdown, so you can r"
        "ead them. You cannot ask them."
    ): 95,
    (
        "\u90e8\u7f72\u65e5\u671f\u6539\u5230\u661f\u671f\u4e09\u4e86\uff0c\u56e0\u4e3a\u661f\u671f\u4e8c"
        "\u4e0b\u5348\u6570\u636e\u5e93\u5728\u7ef4\u62a4\u3002\u5b89\u5a1c\u5bf9\u82b1\u751f\u8fc7\u654f"
        "\uff0c\u8bf7\u8bb0\u4f4f\u4e0d\u8981\u8ba2\u542b\u575a\u679c\u7684\u86cb\u7cd5\u3002"
    ): 56,
    (
        "\ubc30\ud3ec \uc694\uc77c\uc774 \uc218\uc694\uc77c\ub85c \ubcc0\uacbd\ub418\uc5c8\uc2b5\ub2c8\ub2e4."
        " \uc548\ub098\ub294 \ub545\ucf69 \uc54c\ub808\ub974\uae30\uac00 \uc788\uc2b5\ub2c8\ub2e4."
    ): 40,
    (
        "\u062a\u0645 \u0646\u0642\u0644 \u064a\u0648\u0645 \u0627\u0644\u0646\u0634\u0631 \u0625\u0644\u0649"
        " \u0627\u0644\u0623\u0631\u0628\u0639\u0627\u0621 \u0644\u0623\u0646 \u0642\u0627\u0639\u062f\u0629 "
        "\u0627\u0644\u0628\u064a\u0627\u0646\u0627\u062a \u0642\u064a\u062f \u0627\u0644\u0635\u064a\u0627"
        "\u0646\u0629 \u064a\u0648\u0645 \u0627\u0644\u062b\u0644\u0627\u062b\u0627\u0621. "
    ): 69,
    (
        "\u0924\u0948\u0928\u093e\u0924\u0940 \u0915\u093e \u0926\u093f\u0928 \u092c\u0941\u0927\u0935\u093e"
        "\u0930 \u0915\u0930 \u0926\u093f\u092f\u093e \u0917\u092f\u093e \u0939\u0948 \u0915\u094d\u092f"
        "\u094b\u0902\u0915\u093f \u092e\u0902\u0917\u0932\u0935\u093e\u0930 \u0915\u094b \u0921\u0947\u091f"
        "\u093e\u092c\u0947\u0938 \u0915\u093e \u0930\u0916\u0930\u0916\u093e\u0935 \u0939\u0948\u0964 "
    ): 84,
    (
        "\u054f\u0565\u0572\u0561\u056f\u0561\u0575\u0574\u0561\u0576 \u0585\u0580\u0568 \u057f\u0565\u0572"
        "\u0561\u0583\u0578\u056d\u057e\u0565\u056c \u0567 \u0579\u0578\u0580\u0565\u0584\u0577\u0561\u0562"
        "\u0569\u056b \u0584\u0561\u0576\u056b \u0578\u0580 \u0565\u0580\u0565\u0584\u0577\u0561\u0562\u0569"
        "\u056b \u057f\u057e\u0575\u0561\u056c\u0576\u0565\u0580\u056b \u0562\u0561\u0566\u0561\u0576 "
    ): 136,
    (
        "Le jour du d\xe9ploiement a \xe9t\xe9 d\xe9plac\xe9 \xe0 mercredi car la base de donn\xe9es est en m"
        "aintenance mardi, n'est-ce pas? "
    ): 38,
    ("K\xe4ytt\xf6\xf6nottop\xe4iv\xe4 siirrettiin keskiviikolle, koska tietokantaa huolletaan tiistaina. "): 42,
    (
        "df50d651-b785-49ea-b6b1-91b97038667c\n8b4f2b2c-1851-8a8a-a800-f76440ab2377\nec373b32-4951-76e8-0e9d-"
        "8468b34b858d\n6d828d93-99a4-9f5d-ba23-5e1bcce14eb9\n388a070e-503"
    ): 108,
    (
        "\u200d\u200d\U0001f9be\U0001f680\ufe0f\U0001f525\U0001f1e9\u2728\U0001f600\U0001f1ea\U0001f9be\u2764"
        "\u2764\U0001f1e9\U0001f680\u2728\u2728\U0001fae0\U0001f680\U0001f951\u2764\u2728\u2728\U0001f389"
        "\U0001f1e9\U0001f3fd\u2728\u2728\U0001f525\u200d\U0001f680\U0001f3fd\U0001f9d1\U0001f3fd\U0001fae0"
        "\u200d\u2764\U0001f1ea\U0001fae0\U0001f1ea\U0001f3fd\U0001f680\U0001f469\U0001f600\U0001f389"
        "\U0001f600\U0001f951\U0001f9be\u200d\ufe0f\U0001f9be\u200d\u200d\ufe0f\U0001f680\U0001f680\ufe0f"
        "\U0001f389\U0001f3fd\U0001f389\U0001f3fd\U0001f4bb\U0001f1e9\U0001f9d1\ufe0f\ufe0f\U0001f4bb"
        "\U0001f600\U0001fae0\ufe0f\U0001f600\U0001f525\ufe0f\u200d\U0001f1ea\U0001f9d1\U0001f9d1\U0001fae0"
        "\U0001f680\u2728\U0001f9be\u2728\U0001f389\U0001f9d1\U0001f680\U0001f951\U0001f951\U0001f9d1"
        "\U0001f3fd\u2764\U0001f3fd\U0001f1ea\U0001f525\u200d\U0001f600\U0001f525\U0001f951\U0001f680"
        "\U0001f9d1\U0001f4bb\U0001f1ea\u2764\U0001f1ea\U0001f389\U0001f9be\u200d\U0001f389\u2764\U0001f3fd"
        "\U0001f9be\U0001f389\U0001f389\u200d\U0001f9d1\U0001f469\U0001f4bb\u2764\u200d\U0001f9be\U0001f9be"
        "\U0001f9d1\U0001f525\U0001f1ea\U0001f600\u2764\u200d\U0001f525\u2764\U0001f1ea\u2728\U0001f389"
        "\U0001f3fd\U0001f3fd\u2728\U0001f389\U0001f9be\ufe0f\U0001f9d1\U0001f1ea\ufe0f\U0001fae0\U0001f389"
        "\U0001f1ea\ufe0f\U0001f3fd\U0001f1e9\U0001f600\u2764\U0001f389\U0001f9be\ufe0f\U0001f1e9\U0001f1ea"
        "\U0001f469\U0001f389\u2764\U0001f3fd\u2764\U0001f951\u2764"
    ): 406,
    (
        "\ucb95\ub922\ud618\ube62\ud40c\ud1d4\ub33d\uae80\ubda8\ucd39\uc10b\ucdc0\ub738\ud017\uc17c\ub7e3"
        "\uc7ec\uac24\ucd5c\uce5a\uc4c2\ub78e\ud45a\ucc1a\ucff1\uaec7\uc500\uaf85\ubd16\uc7d2\uae79\ub806"
        "\ud1b0\ud1f1\uaf81\ub397\ub3fe\ud043\ub912\uac1f\ubf99\ubb81\ub174\ub8fb\uc087\ub305\ud686\uafbb"
        "\ud1ba\ud227\ub854\ud6ea\ube0c\uc93f\uaeb6\ud5da\ucebc\ucc6f\ud528\ub8dd\uc538\ucd53\uc5f9\ubad0"
        "\uc5b7\ub68a\ub9d3\uac8e\ucb82\ubd4b\ud16a\ub549\ucf0a\uc99f\uacbf\uadfe\uc121\ubdc6\uc15d\uc16d"
        "\uc0ab\uc598\ub58d\uc7eb\ub8cf\ub04d\ud5cd\ud111\ucc74\ud352\ucda9\ub211\ub159\uce11\ucd91\ubd3e"
        "\ud6f6\uba86\uc59d\ud6a5\ud00f\ub24e\ud505\ud1ce\ubdcf\ub77e\uc456\uc076\ub5d8\ub598\uc9a4\uc029"
        "\uc218\ud358\uce0e\ubec0\uca69\ub783\ubc99\ud664\ucb1e\ud249\ud6f1\uc960\ubd35\ucb39\uc21d\ubdb6"
        "\ub60d\ucde1\ud0ac\ub936\ub6f8\uc6e3\ud40a\ub43f\ubac2\uc2ad\ubc8d\ucad5\ud135\uba07\uc888\ub242"
        "\ub5fb\uaf94\ubc11\uae78\ubbf4\ubae1\uc56b\uc15b\ubd76\ucde2\ud494\uaf00\uc12a\uba74\ucd15\uc4b4"
    ): 418,
    (
        "h\u0322\u0330\u034c\u036ce\u032b\u0328\u0341\u0360l\u0346\u033d\u034c\u035cl\u034b\u0338\u0361\u0339"
        "o\u0313\u034b\u035a\u0352 \u0354\u0334\u0349\u033aw\u0335\u0307\u0306\u0343o\u0305\u033d\u032f\u0354"
        "r\u0333\u036e\u0342\u0344l\u032b\u0352\u031e\u0308d\u031e\u0358\u0315\u0322 \u0356\u0332\u0353\u0361"
        "a\u0315\u030c\u0323\u036eg\u0352\u0361\u035d\u030ce\u035c\u0355\u0365\u0365n\u0333\u0357\u0362\u030f"
        "t\u0343\u0335\u0337\u0300 \u0329\u035a\u0353\u0345h\u0346\u031b\u0337\u0369e\u0330\u035e\u031a\u0308"
        "l\u0334\u034f\u0343\u0332l\u035a\u0318\u0337\u0360o\u0353\u0354\u0331\u0300 \u0362\u0320\u0344\u034c"
        "w\u0307\u0324\u034f\u0315o\u0329\u0310\u0348\u032br\u0365\u0300\u033f\u0353l\u036b\u0308\u0331\u0349"
        "d\u034c\u035f\u034c\u0312 \u034d\u035e\u030c\u031aa\u0317\u0308\u034d\u0331g\u0362\u0301\u0369\u030f"
    ): 284,
    (
        "getUserAccountById XMLHttpRequestFactoryBean useEffectOnce iOSDeviceManager getUserAccountById XMLHt"
        "tpRequestFactoryBean useEffectOnce iOSDeviceManager getUserA"
    ): 35,
    (
        "| 73 | 38 | 75 | 76 | 19 | 49 |\n| 94 | 66 | 51 | 76 | 41 | 18 |\n| 61 | 6 | 82 | 70 | 83 | 56 |\n| "
        "53 | 41 | 46 | 84 | 45 | 61 |\n| 78 | 1 | 47 | 67 | 80 | 68 |\n| "
    ): 97,
}


@pytest.mark.parametrize("text", COUNTED, ids=range(len(COUNTED)))
def test_a_text_costs_no_more_than_is_said(text) -> None:
    assert COUNTED[text] <= cost(text)


def test_ordinary_english_is_overestimated_by_a_fifth_at_most() -> None:
    said = next(text for text in COUNTED if text.startswith("Your OpenClaw agent"))
    assert cost(said) <= 1.2 * COUNTED[said]


@pytest.mark.parametrize("name", ["cl100k", "o200k"])
@given(text=st.text(max_size=400))
def test_real_tokenizers_make_no_more_of_anything(name, text) -> None:
    tokenizers = pytest.importorskip("bpe_openai", reason="real tokenizers; get it: pip install bpe-openai")
    assert len(tokenizers.get_encoding(f"{name}_base").encode_ordinary(text)) <= 1.02 * cost(text, name) + 1


def test_a_tokenizer_that_is_known_needs_no_more_than_the_worst() -> None:
    chinese = next(text for text in COUNTED if text.startswith("\u90e8"))
    assert cost(chinese, "o200k") < cost(chinese, "cl100k") <= cost(chinese)


@pytest.mark.parametrize("letter", ["a", "\u7684", "\U0001f600", " ", "\n", "="])
def test_a_letter_a_hundred_thousand_times_is_counted_at_once(letter) -> None:
    assert 0 < cost(letter * 100_000) <= 100_000 * len(letter.encode())
