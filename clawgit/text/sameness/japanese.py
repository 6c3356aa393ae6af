"""Puts polite Japanese endings in their plain form."""

import re

_ROWS = dict(zip("いきぎしちにびみり", "うくぐすつぬぶむる", strict=True))
_TO_A = dict(zip("いきぎしちにびみり", "わかがさたなばまら", strict=True))
_TO_PAST = dict(
    zip("いきぎしちにびみり", ("った", "いた", "いだ", "した", "った", "んだ", "んだ", "んだ", "った"), strict=True)
)
_SHORT_STEM = re.compile(
    r"(?:[えけげせてねべめれぜでへ]|[見着居寝出来得経]|借り|足り|降り|起き|でき|出来|生き|過ぎ|信じ|感じ|浴び|伸び|落ち|閉じ|用い|率い"
    r"|[てで]い|(?<![\u3041-\u3096\u4e00-\u9fff])い|下り|飽き|尽き|似|煮)$"
)
_POLITE = re.compile(
    r"(?P<stem>[\u3041-\u3096\u4e00-\u9fff々]{0,3}?)(?P<end>ませんでした|ません|ましょう|ました|ます)(?![\u3041-\u3096]*す)"
)
_COPULA = (
    (re.compile(r"(?:では|じゃ)ありませんでした|(?:では|じゃ)なかった(?:です)?"), "ではなかった"),
    (re.compile(r"(?:では|じゃ)ありません|(?:では|じゃ)ない(?:です)?"), "ではない"),
    (re.compile(r"くありませんでした|くなかったです"), "くなかった"),
    (re.compile(r"くありません|くないです"), "くない"),
    (re.compile(r"ないで(?:ください|下さい)"), "ない"),
    (re.compile(r"して(?:ください|下さい)"), "する"),
    (re.compile(r"いて(?:ください|下さい)"), "く"),
    (re.compile(r"んで(?:ください|下さい)"), "む"),
    (re.compile(r"(?<=[えけげせねべめれ])て(?:ください|下さい)"), "る"),
    (re.compile(r"(?<=[いんっしえけげせてねべめれ])[てで](?:ください|下さい)"), "て"),
    (re.compile(r"でした|であった"), "だった"),
    (
        re.compile(
            r"(?:なの|の|ん)(?:です|だ|である)(?=[。、\s.,!]|$)|でございます|である|であります|(?<!ん)だ(?=[。、\s.,!]|$)|です"
        ),
        "",
    ),
    (re.compile(r"(?<=[\u3041-\u9fff])[よねわ]+(?=[。、\s.!]|$)"), ""),
)
_SAME = (
    (re.compile("ユーザーは|ユーザは|私は|僕は|俺は|わたしは|私が"), "私は"),
    (re.compile("毎日"), "毎日"),
    (re.compile("現在|今のところ|今は|いまは"), ""),
    (re.compile("(?:使用|利用)する"), "使う"),
    (re.compile("(?:使用|利用)し(?=[たて])"), "使っ"),
    (re.compile("ことにした|ことに決めた|ことになった"), ""),
    (re.compile("(?<=[ァ-ヶー一-龯A-Za-z])(?:さん|くん|ちゃん|様)(?=[はがをにのとも、。]|$)"), ""),
    (re.compile("(?<=[ァ-ヶー一-龯A-Za-z])へ(?=[^の])"), "に"),
    (re.compile("ないで(?=[。、\\s!]|$)|ないこと(?=[。、\\s!]|$)"), "ない"),
    (re.compile("(?<=する)こと(?=[。、\\s!]|$)"), ""),
    (re.compile("もう|すでに|既に"), ""),
    (re.compile("既定"), "デフォルト"),
    (re.compile("プルリクエスト|プルリク"), "PR"),
    (re.compile("ゼロ"), "0"),
    (re.compile("走る"), "実行する"),
    (re.compile("を好む|を好みます"), "が好き"),
    (re.compile("決して|[一1]切|絶対に|絶対"), "絶対"),
    (re.compile("(?<=[にでと])は(?!ない)"), ""),
    (re.compile("または|もしくは|あるいは"), "か"),
    (re.compile("および|及び|と、"), "と"),
    (re.compile("しなければならない|しなくてはならない|しなければいけない|する必要がある|必須"), "しなければならない"),
    (re.compile("してはいけない|してはならない|しちゃだめ|禁止する|するな(?![ら])"), "してはいけない"),
    (re.compile("嫌い|きらい"), "嫌い"),
    (re.compile("好き|すき"), "好き"),
    (re.compile("パソコン|PC(?![A-Za-z])"), "パソコン"),
    (re.compile("メールアドレス|メアド"), "メールアドレス"),
    (re.compile("から(?=[。、\\s]|$)"), "から"),
    (re.compile("こども|子ども|子供"), "子供"),
    (re.compile("ください|下さい"), ""),
    (re.compile("出来"), "でき"),
    (re.compile("事(?=[がをはにで、。]|$)"), "こと"),
    (re.compile("為(?=に|の)"), "ため"),
    (re.compile("全て|すべて"), "全て"),
)


def plain(text: str) -> str:
    """Return a Japanese text in plain forms; the topic is marked like the subject."""
    for pattern, meant in _COPULA[:4]:
        text = pattern.sub(meant, text)
    text = _POLITE.sub(_plain, text)
    for pattern, meant in (*_COPULA[4:], *_SAME):
        text = pattern.sub(meant, text)
    return text.replace("は", "が")


def _plain(found: re.Match[str]) -> str:
    stem, end = found["stem"], found["end"]
    if not stem:
        return found[0]
    last = stem[-1]
    if stem.endswith("あり") and end == "ません":
        return stem[:-2] + "ない"
    if last == "し" and not stem.endswith(
        ("話し", "出し", "返し", "探し", "直し", "消し", "渡し", "移し", "残し", "示し", "押し", "貸し")
    ):
        return stem[:-1] + {"ます": "する", "ました": "した", "ません": "しない", "ませんでした": "しなかった"}.get(
            end, "しよう"
        )
    if last not in _ROWS or _SHORT_STEM.search(stem) or not _kana(last):
        return stem + {"ます": "る", "ました": "た", "ません": "ない", "ませんでした": "なかった"}.get(end, "よう")
    if stem.endswith("行き") and end == "ました":
        return stem[:-1] + "った"
    changed = {"ます": _ROWS, "ません": _TO_A, "ませんでした": _TO_A, "ました": _TO_PAST, "ましょう": _ROWS}[end][last]
    return stem[:-1] + changed + {"ません": "ない", "ませんでした": "なかった"}.get(end, "")


def _kana(letter: str) -> bool:
    return "\u3041" <= letter <= "\u3096"
