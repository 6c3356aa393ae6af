"""Hears that something was done well, and what."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

CONFIRMS = re.compile(
    r"^(?:(?:thanks|thank you|great|nice|perfect|wow|yes|and|well done|again)\b[\s,!.:–-]*)*(?:the |your )(?P<thing>[\w' -]{3,50}?) (?:you (?:made|did|wrote|built|set up|prepared) )?(?:was|is|were|are|came out|turned out|worked|went|looks?|looked)\b (?:\w+ ){0,2}?(?:perfect(?:ly)?|great|flawless(?:ly)?|spot on|excellent|right|correct|fine|well|smoothly|without a hitch)\b"
    r"|^(?:(?:danke|super|toll|klasse)\b[\s,!.]*)*(?:der|die|das|dein\w*) (?P<thing_de>[\w -]{3,50}?) (?:war|ist|hat|lief|sieht)\b (?:\w+ ){0,2}?(?:perfekt|super|tadellos|geklappt|einwandfrei|gestimmt)\b"
    r"|^(?:(?:gracias|genial)\b[\s,!.]*)*(?:el|la|los|las|tu) (?P<thing_es>[\w -]{3,50}?) (?:ha |han )?(?:quedado|salido|salió|quedó|funcionó|está)\b (?:\w+ ){0,2}?(?:perfect[oa]s?|genial|bien|estupend[oa])\b"
    r"|^(?:(?:merci|super)\b[\s,!.]*)*(?:le|la|les|ton|ta|l') ?(?P<thing_fr>[\w -]{3,50}?) (?:était|est|a)\b (?:\w+ ){0,2}?(?:parfaite?s?|bien marché|impeccable|nickel)\b"
    r"|^(?P<thing_zh>[\u4e00-\u9fff\w]{2,16}?)(?:做得|弄得|完成得)(?:很|非常|太)?(?:好|完美|棒)"
    r"|^(?P<thing_ja>[\u3041-\u30ff\u4e00-\u9fff\w]{2,16}?)(?:、)?(?:は|が)?(?:完璧|ばっちり|うまくいった)"
    r"|^(?P<thing_ko>[\uac00-\ud7a3\w ]{2,20}?)(?:은|는|이|가)? ?(?:완벽|아주 잘|정말 잘)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\bi(?:'ve| have)? (?:just |now |also )?(?:moved|booked|updated|set up|sent|wrote|written|built|made|fixed|finished|created|prepared|deployed|sorted|drafted|filed|exported|scheduled|cleaned|ran|done|published|translated|renamed|merged)\b|^done\b|\bis (?:done|ready|in place|live)\b"
    r"|\bich habe\b.{1,80}\b(?:ge\w+t|\w+iert|erledigt|erstellt|geschrieben|eingerichtet)\b|\berledigt\b|\bhe (?:\w+ado|\w+ido|hecho|escrito)\b|\bhecho\b|\bj'ai (?:\w+é|fait|écrit|mis)\b|\bc'est fait\b"
    r"|已经|完成|搞定|しました|完了|했습니다|완료|해 두었",
    re.IGNORECASE | re.MULTILINE,
)
_YOURS = re.compile(
    r"\b(?:you|u) (?:made|did|wrote|built|set up|prepared|sent|drafted|fixed)\b|\bdein\w* \w+ (?:hat|war|lief)|你(?:做|写|弄)|네가",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{4,}|[\u3041-\u9fff\uac00-\ud7a3]{2}")
_PERSONAL = re.compile(
    r"(?i)\b(?:weather|food|dinner|lunch|trip|film|movie|party|weekend|game|concert|holiday|answer|kids?|wetter|essen)\b"
)


def confirmed(said: str) -> str:
    """Return what the operator says was done well, in these words; "" where nothing is named."""
    match = CONFIRMS.search(said.strip())
    thing = next((one for one in match.groups() if one), "") if match else ""
    return "" if _PERSONAL.search(thing) else thing.strip()


def reported(before: str, said: str) -> bool:
    """Tell whether it was the agent who did it: it said so just `before`, of that thing or of one that is named."""
    words = set(_WORD.findall(confirmed(said).casefold()))
    named = bool(words & set(_WORD.findall(before.casefold())))
    return bool(_DONE.search(before)) and (named or bool(_YOURS.search(said)))
