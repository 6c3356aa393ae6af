"""Reads numbers that are written as words."""

import re

_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
    " siebzehn achtzehn neunzehn",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
    " diecisiete dieciocho diecinueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
    " dix-huit dix-neuf",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante",
}
_BIG = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "millions": 10**6,
    "hundert": 100,
    "tausend": 1000,
    "millionen": 10**6,
    "cien": 100,
    "mil": 1000,
    "millones": 10**6,
    "cent": 100,
    "mille": 1000,
}
_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "de": "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte",
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
    "fr": "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
}


def _table(lang: str) -> dict[str, int]:
    small = {word: at for at, word in enumerate(_UNITS[lang].casefold().split())}
    tens = {word: 10 * (at + 2) for at, word in enumerate(_TENS[lang].casefold().split())}
    found = small | tens
    if lang == "de":
        ones = {**{word: at for word, at in small.items() if 0 < at < 10}, "ein": 1}  # noqa: PLR2004
        del ones["eins"]
        found |= {f"{one}und{ten}": a + b for one, a in ones.items() for ten, b in tens.items()}
    return found


NUMBERS = {lang: _table(lang) for lang in _UNITS}
"""Words for whole numbers below a hundred, by language."""

ORDINALS = {
    lang: {word: f"o{at + 1}" for at, word in enumerate(row.casefold().split())} for lang, row in _ORDINALS.items()
}
_NTH = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DIGITS = {letter: at % 10 for at, letter in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_STEPS = {"十": 10, "百": 100, "千": 1000}
_NUMERALS = "〇零一二两兩三四五六七八九十百千"
_RUN = rf"(?<![几幾数])(?:(?:\d+(?:\.\d+)?)?[{_NUMERALS}]*[万萬亿億]|[{_NUMERALS}]+)+"
_KOREAN = {
    word: at + 1
    for row in (
        "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두",
        "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 열하나 열둘",
    )
    for at, word in enumerate(row.split())
}
_KOREAN_RUN = (
    rf"(?<![가-힣])({'|'.join(sorted(_KOREAN, key=len, reverse=True))})"
    r"(?=\s?(?:시(?![가-힣])|시[에부까]|시간|명|개|번|달|살|마리|잔|주|대|권|병|장|곳|배|사람|층))"
)
_KOREAN_BIG = r"(\d+(?:\.\d+)?)만(?=\s?(?:원|명|개|달러|건|엔))"
_SINO = {letter: at + 1 for at, letter in enumerate("일이삼사오육칠팔구")}
_SINO_STEPS = {"십": 10, "백": 100, "천": 1000}
_SINO_RUN = r"(?<![가-힣])([일이삼사오육칠팔구십백천]+)(?=\s?(?:월|분|년|원|층|개월|주|퍼센트|킬로|만|초|미터|도))"


def number(word: str, lang: str) -> int | None:
    """Return what a word counts: `twelve`, `dreiundzwanzig`."""
    return NUMBERS[lang].get(word) if lang in NUMBERS else None


def nth(word: str, lang: str) -> str | None:
    """Return an ordinal as `o3`."""
    if found := _NTH.fullmatch(word):
        return f"o{int(found[1])}"
    return ORDINALS.get(lang, {}).get(word)


def summed(words: list[str], lang: str) -> list[str]:
    """Return words in which runs like `two hundred and five` are one number, `#205`."""
    out: list[str] = []
    at = 0
    while at < len(words):
        value, end = _run(words, at, lang)
        if end == at:
            out.append(words[at])
            at += 1
        else:
            out.append(f"#{value}")
            at = end
    return out


def _run(words: list[str], at: int, lang: str) -> tuple[str, int]:
    """Return the value of the number that begins here, and where it ends; where it begins if there is none."""
    total, group, last, begun = 0.0, 0.0, 0, at
    while at < len(words):
        word = words[at]
        worth = number(word, lang)
        step = _BIG.get(word)
        if worth is not None and (at == begun or last >= 100 or (last in range(20, 100, 10) and 0 < worth < 10)):  # noqa: PLR2004
            group, last = group + worth, worth
        elif step and at > begun:
            group *= step
            if step > 100:  # noqa: PLR2004 - a thousand closes its group
                total, group = total + group, 0
            last = step
        elif at == begun and word[0] == "#" and _plain(word[1:]) and words[at + 1 : at + 2] and words[at + 1] in _BIG:
            group, last = float(word[1:]), 1
        elif not (word in {"and", "y", "und", "et"} and at > begun and last >= 20 and _goes_on(words, at, lang)):  # noqa: PLR2004
            break
        at += 1
    return f"{total + group:.12g}", at


def _goes_on(words: list[str], at: int, lang: str) -> bool:
    """Tell whether a number goes on behind `and`: only behind hundreds, or in Spanish."""
    after = words[at + 1] if at + 1 < len(words) else ""
    worth = number(after, lang)
    return worth is not None and (words[at - 1] in _BIG or (words[at] == "y" and 0 < worth < 10))  # noqa: PLR2004


def _plain(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def counted_asian(text: str, *, korean: bool) -> str:
    """Return a text with Chinese numerals, and Korean ones before what they count, in digits."""
    if korean:
        text = re.sub(_KOREAN_BIG, lambda found: f"{float(found[1]) * 10_000:.15g}", text)
        text = re.sub(_KOREAN_RUN, lambda found: str(_KOREAN[found[1]]), text)
        return re.sub(_SINO_RUN, lambda found: str(_value(found[1], _SINO, _SINO_STEPS)), text)
    return re.sub(_RUN, _numeral, text)


def _numeral(found: re.Match[str]) -> str:
    said = found[0]
    head = re.match(r"\d+(?:\.\d+)?", said)
    total = 0.0
    for part in re.findall(r"(?:\d+(?:\.\d+)?)?[^万萬亿億]*[万萬亿億]|.+", said[0:]):
        big = 10**4 if part[-1] in "万萬" else 10**8 if part[-1] in "亿億" else 1
        body = part[:-1] if big > 1 else part
        if head and part.startswith(head[0]):
            total += float(head[0]) * big
        elif body and not set(body) & set(_STEPS) and len(body) > 1:
            if big > 1 or not (set("\u3007零") & set(body) or len(body) > 3):  # noqa: PLR2004 - three or four
                return said
            return "".join(str(_DIGITS[letter]) for letter in body)
        else:
            total += (_value(body, _DIGITS, _STEPS) if body else 1) * big
    return f"{total:.15g}"


def _value(said: str, digits: dict[str, int], steps: dict[str, int]) -> int:
    total, held = 0, -1
    for letter in said:
        if letter in steps:
            total, held = total + (1 if held < 0 else held) * steps[letter], -1
        else:
            held = digits[letter]
    return total + max(held, 0)
