"""Makes words of scripts that write none: Chinese, Japanese, Korean."""

import re

_LETTERS = (
    r"\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
)
_RUN = f"[{_LETTERS}]+"  # compiled where it is wanted: that takes 2 ms

# What a question is made of rather than about.
_EMPTY = re.compile(
    r"什么时候|记得|记了|说过|谈过|关于|什么|怎么样|怎么|为什么|哪里|哪个|哪些|谁的|多少|是不是|有没有|我们|你们|他们|的|了|吗|呢|是|在|吧|和|与|我|你|他|她|它"
    r"|について|ですか|でしたか|ましたか|ですか|何時|いつ|どこ|だれ|誰|なに|何|どの|どう|なぜ|です|ます|した|ました|こと|もの|これ|それ"
    r"|は|が|を|に|で|と|の|へ|も|か"
    r"|기억나|언제|어디서|어디|누가|누구|무엇을|무엇|뭐|왜|어떻게|어떤|입니까|습니까|나요|인가요|까요"
)


def present(text: str) -> bool:
    """Tell whether any of a text is in such a script."""
    return not text.isascii() and bool(re.search(_RUN, text))


def without(text: str) -> str:
    """Return the rest of a text."""
    return text if text.isascii() else re.sub(_RUN, " ", text)


def grams(text: str) -> list[str]:
    """Return every pair of neighbouring letters, and the last letter of each run, so that one letter finds all."""
    if text.isascii():
        return []
    found: list[str] = []
    for run in re.findall(_RUN, text):
        found += [run[at : at + 2] for at in range(len(run))]
    return found


def asked(text: str) -> list[str]:
    """Return the pairs to look for: of what is asked about, if anything is left without the words of asking.

    A run of one letter stands for every pair that begins with it.
    """
    if text.isascii():
        return []
    runs = re.findall(_RUN, " ".join(_EMPTY.sub(" ", run) for run in re.findall(_RUN, text))) or re.findall(_RUN, text)
    long = [run for run in runs if len(run) > 1]
    pairs = [run[at : at + 2] for run in long for at in range(len(run) - 1)]
    return list(dict.fromkeys(pairs)) if pairs else [f"{run}*" for run in dict.fromkeys(runs)]
