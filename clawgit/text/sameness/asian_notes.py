"""Reads notes in Chinese and Japanese, and splits Korean ones."""

import re
from functools import cache

from clawgit.language import numbers
from clawgit.language.detect import eastern, eastern_language
from clawgit.text.sameness import korean_notes, note_values
from clawgit.text.sameness.note import Reading, temporal, word_table
from clawgit.text.sameness.note_values import ATTACHED, is_unit, measured, table
from clawgit.text.sameness.rephrasing import SAME

_TRADITIONAL = word_table("traditional")
_SIMPLIFIED = word_table("simplified")


def simplified(text: str) -> str:
    """Return a text in simplified letters; others stay."""
    return text.translate(_table())


@cache
def _table() -> dict[int, int]:
    return str.maketrans(_TRADITIONAL, _SIMPLIFIED)


_SAME = word_table("asian_same")
_EMPTY = (
    r"[的了呢吧啊呀哦嘛啦]|(?<![不还也可但于总只要是若就凡像老])是(?!否|不是)|(?<=\d)个(?=[人月小])|(?<=在)里"
    r"|为(?=\s*[\d\ue010])|对(?=.{1,8}过敏)|(?:^|(?<=[,。、]))请(?=[不勿用在把将确注务记使先每尽提别保])"
)


def plain_chinese(text: str) -> str:
    """Return a Chinese text in simplified letters, without particles, with one word for one thing."""
    text = re.sub(
        r"^用户(?=[喜不讨偏想要住用吃喝是每对有])|^使用者(?=[喜不讨偏想要住用吃喝是每对有])", "我", simplified(text)
    )
    meant, pattern = _chinese_table()
    text = pattern.sub(lambda found: meant[found[0]], text)
    text = re.sub(r"别(?![的人处名称墅])", "不要", text)
    return re.sub(_EMPTY, "", text)


@cache
def _chinese_table() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return what words mean, and a pattern that finds them, the longest first."""
    rows = [
        (said, meant) for row in _SAME.replace("\n", "|").split("|") for said, _, meant in [row.partition(">")] if said
    ]
    meant = dict(rows)
    return meant, re.compile("|".join(sorted(meant, key=len, reverse=True)))


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
_SAME_JAPANESE = (
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


def plain_japanese(text: str) -> str:
    """Return a Japanese text in plain forms; the topic is marked like the subject."""
    for pattern, meant in _COPULA[:4]:
        text = pattern.sub(meant, text)
    text = _POLITE.sub(_plain, text)
    for pattern, meant in (*_COPULA[4:], *_SAME_JAPANESE):
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


_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff"
_LETTER = re.compile(f"[{_HAN}{_KANA}ー](?:ー)?")
_KOREAN_EDGE = re.compile(r"(?<=[가-힣])(?=[A-Za-z0-9\ue010])|(?<=[A-Za-z0-9\ue011%$€])(?=[가-힣])")
_DIGITS = frozenset("0123456789-")
_DIGIT_EDGE = re.compile(f"(?<=\\d) +(?=[{_HAN}{_KANA}])|(?<=[{_HAN}{_KANA}]) +(?=\\d)")
_EVERY = re.compile("(?:每|毎)(?:个|個)?([天日周週月年])(?P<day>(?=\\s*\ue010W))?")
_OFTEN = {"天": "daily", "日": "daily", "周": "weekly", "週": "weekly", "月": "monthly", "年": "yearly"}
_MARKS = frozenset(",;.:–!、。\"'")  # noqa: RUF001 - the marks are meant


@cache
def _unit() -> "re.Pattern[str]":
    words = sorted((word for word in table() if eastern(word)), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<=\d)\s?({'|'.join(words)})")


def plain(text: str) -> tuple[str, str]:
    """Return the language of a text, and the text in one way of writing, with spaces between its words or letters."""
    lang = eastern_language(text)
    if lang == "zh":
        text = simplified(text)
    text = _EVERY.sub(_often, note_values.weekdays_asian(_DIGIT_EDGE.sub("", text), lang))
    text = numbers.counted(text, lang)
    text = note_values.dated(text, lang)
    text = note_values.timed(text, lang)
    text = _unit().sub(lambda found: note_values.atom(table()[found[1]]), text)
    if lang == "ko":
        return lang, _KOREAN_EDGE.sub(" ", text)
    text = plain_chinese(text) if lang == "zh" else plain_japanese(text)
    return lang, _LETTER.sub(r" \g<0> ", text)


def reading(raw: list[str], lang: str, day: str) -> Reading:
    """Return the reading of words as they stand in a text that `plain` has made."""
    marked: list[str] = []
    for word in raw:
        if word in _MARKS:
            marked.append(",")
        elif lang == "ko":
            marked += _korean(word)
        elif word in table() and marked and marked[-1][0] == "#":
            marked.append(table()[word])
        else:
            marked += _one(word)
    marked = _placed(marked, lang)
    if marked[:1] == ["我"] or marked[:2] == ["私", "が"]:
        marked = marked[1 if marked[0] == "我" else 2 :] or marked
    if lang == "ko" and marked[:1] == ["§user"]:
        marked = [word for word in marked[1:2] if word != "·topic"] + marked[2:] or marked
    words = tuple(word for word in marked if word != ",")
    return Reading(tuple(marked), words, lang, day, frozenset(one.casefold() for one in raw if one.isascii()))


def _placed(words: list[str], lang: str) -> list[str]:
    """Return words without the particles that only say that a time is one."""
    behind, ahead = {"ja": ("にが", ""), "ko": (("에", "·topic"), ""), "zh": ("", "在")}[lang]
    words = _denied(words) if lang == "ko" else words
    return [
        word
        for at, word in enumerate(words)
        if not (word in behind and at and temporal(words[at - 1]))
        and not (word == ahead and at + 1 < len(words) and temporal(words[at + 1]))
    ]


def _often(found: re.Match[str]) -> str:
    return "每" if found["day"] is not None else note_values.atom(_OFTEN[found[1]])


def _one(word: str) -> list[str]:
    """Return a word of letters, a number or an atom as what it is."""
    if (word[0] in "DTMWY" and word[1:2] in _DIGITS) or is_unit(word):
        return [word]
    if word.replace(".", "", 1).isdigit():
        return [f"#{word}"]
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", word):
        return [f"#{word.replace(',', '')}"]
    if (found := ATTACHED.fullmatch(word)) and (split := measured(found[1], found[2])):
        return [f"#{split[0].lstrip('#')}", *split[1:]]
    low = simplified(word.casefold())
    return [SAME.get(low, low)]


def _denied(words: list[str]) -> list[str]:
    """Return `하지 않` as `안 하`."""
    out: list[str] = []
    for word in words:
        if word == "않" and out and out[-1].endswith("지") and len(out[-1]) > 1:
            out[-1:] = ["안", out[-1][:-1]]
        else:
            out.append(word)
    return out


def _korean(word: str) -> list[str]:
    if not "가" <= word[-1] <= "힣":
        return _one(word)
    if word in {"은", "는", "이", "가", "을", "를"}:
        return ["·object" if word in {"을", "를"} else "·topic"]
    if word in {"주세요", "주십시오", "주시기"}:
        return []
    if word in {"입니다", "이에요", "예요", "이다", "임", "에", "부터는"}:
        return [] if word != "에" else ["에"]
    stem, particle = korean_notes.word(word)
    return [part for part in (stem, f"·{particle}" if particle else "") if part]
