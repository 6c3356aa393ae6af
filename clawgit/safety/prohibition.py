"""Whether a sentence forbids what its words name."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

import re

_BEFORE, _AFTER = 120, 120  # characters of the sentence that may turn the phrase round

_SENTENCE = r"[.;!?](?:\s|$)|[。;!?]|\n\s*\n|\n\s*(?:[-+#>|]|\d+[.)])"
_CLAUSE = r"[,,、]|\b(?:but|then|instead|and then)\b"
_NEVER = (
    r"\b(?:never|not|no|nothing|nobody|cannot|without|refus\w+|reject\w*|avoid\w*|resist\w*|declin\w+|forbid\w*|forbidden|prohibit\w*"
    r"|nie|niemals|nicht|keine?[rnms]?|nichts|niemand\w*|nunca|jamás|jamais|nadie|ne|pas|rien|aucun\w*|não|nem|ninguém|никому|не|никогда|нельзя|ничего|لا|لن|ليس|ممنوع)\b|n't\b|\bn'"
    r"|不要|别|別|勿|不得|不能|不可|不准|禁止|绝不|絕不|永远不|不会|拒绝|拒絕"
)
_WITHIN = r"\b(?:niemals|nie|nicht|nunca|jamais|pas|никогда)\b"  # where the negation follows its verb
_HOLLOW = (
    r"(?:\bnever|\bnot|\bno|n't)\s+(?:hesitate|fail|forget|mind|worry|bother|need|be afraid|only|just|matter|problem"
    r"|harm|risk|objection|reason|point)\b"
)
_NOT_BEHIND = (
    r"(?:(?:nicht|nie|niemals)\b|ない|ません|しな|禁止|するな|지 ?(?:마|말|않)|않|금지|不得|不能|不可|不准|不要)"
)
_NOT_AFTER = rf"[^\n。.、,]{{0,12}}?{_NOT_BEHIND}"
_REPORTED = (
    r"\b(?:if|when|whenever|text|anyone|someone|somebody|messages?|pages?|content|emails?|says?|telling|tells|asks"
    r"|claims?|attempts?|tries)\b|\b(?:si (?:alguien|quelqu'un|qualcuno)|se (?:alguém|qualcuno)|wenn (?:jemand|dich jemand|dir jemand)|als iemand|jesli ktoś)\b"
    r"|если (?:кто|тебя)|如果有人|有人|誰か|누가|إذا (?:طلب|قال)"
)
_REFUSED = (
    r"\b(?:refus\w+|declin\w+|attacks?|injections?|do not|don't|never|suspicious|untrusted|not follow"
    r"|ignore (?:it|them|that)|tell the|lies|is (?:bait|a (?:lie|trick|scam|trap)|an attack)|ni[eé]gate|rechaza\w*|recuse|lehn\w*|weiger\w*)\b"
    r"|откаж|拒绝|不回复|断[るっ]|거절|ارفض"
)
_TOLD = (  # that somebody said it
    r"\b(?:said|wrote|told|read|asked|claimed|tried|stand\w*|schrieb\w*|sagte|dijo|decía|escribió|disait|écrit|disse|dizia|escreveu)\b"
    r"|написа|сказа|говори|было|写着|写道|说|发|と書|と言|とあった|라고|قال|كتب|\b(?:like|such as|wie|como|comme|demandait|quotes?|quoted|pedía|pedia|chiedeva|chegou|golpe|scam|arrived|kam)\b"
)
_ANSWERED = (  # and what was done about it
    r"\b(?:reported|ignored|refused|declined|did nothing|sent nothing|ran nothing|bloqueei|não \w+ nada|no \w+ nada|that is a quote|kein auftrag|mach nichts|n'ai (?:rien|pas)|ne l'ai pas|told (?:her|him|them|operator)|lie|bait|scam|attack|phishing"
    r"|gemeldet|ignoriert|abgelehnt|avisé|avisei|ignoré|ignorei|rechacé|signalé|refusé|recusei)\b|сообщил|отказал|проигнор|ничего не отправ|показано|报告|拒绝|上报|不回复|截图告诉|送金せず|報告し|断っ|신고|보고했|거절|أبلغت|رفضت"
)
_WHAT_TO = r"\b(?:what|when|whether) to \w+ $|\bproactive work you can do $"  # a question to fill in
_OWN = r"\byour own (?:notes|journals?|changes|memory)\b"
_READING = (  # a list of what to read, right above
    r"\n[ \t]*(?:\d+[.)]|[-*])[ \t]+(?:read|load|in|on|also|if)\b[^\n]*\b(?:\w+\.md|memory)\b[^\n]*\n+[ \t]*$"
)
_THESE = r"\s*(?:for (?:these|this|that|it|them)\b)?[ \t]*[.!\n]"
_OPENED = r"[\"“„«»「『'][^\"”“«»」』]{0,80}$"  # a quotation that has not closed
_QUOTED = r"\"[^\"\n]{3,200}\"|“[^”\n]{3,200}”|„[^“”\n]{3,200}[“”]|«[^»\n]{3,200}»|»[^«\n]{3,200}«|「[^」\n]{3,200}」|『[^』\n]{3,200}』"
_BAN = (  # what a sentence begins with that forbids all of it
    r"\W*(?:never|do not|don't|no one may|nobody may|refuse|nie|niemals|keinesfalls|nunca|jamás|jamais|mai|nooit|nigdy"
    r"|asla|никогда|никому|нельзя|绝不|绝对不|不要|切勿|严禁|禁止|決して|絶対に|절대|لا تقم|لا)"
)
_BUT = (
    r"\b(?:but|instead|then|except|sondern|sino|mais|mas|bensì|maar|lecz)\b|\bа\b|而是|代わりに|대신"
    r"|^.{0,24}\b(?:ask|wait|tell|warn|hesitat\w*|refus\w*|question|check|verify|mind|bother|inform|mention|frag\w*|wart\w*|sag\w*|zöger\w*"
    r"|pregunt\w*|esper\w*|dud\w*|digas|demand\w*|attend\w*|hésit\w*|di[st]|pergunt\w*|hesit\w*|dig[ao]|chied\w*|esit\w*|vraag|wacht|zeg|pytaj|czekaj)\b"
    r"|^.{0,20}(?:спраш|жди|говор|сообщ|сомнев|отказ|问|等|告|说|犹豫|拒|聞|待|言|伝え|知らせ|확인|물|기다|말하|알리|تسأل|تنتظر|تخبر|ترفض)"
)
_LIMITED = (  # a leave for this and nothing else
    r"\b(?:everything else|anything else|all others?|the rest|nothing else)\b[^\n]{0,20}\b(?:ask|asks|not|needs?|wait)|\bnothing else\b"
    r"|alle anderen? nicht|sonst (?:immer )?frag|alles andere[^\n]{0,16}(?:frag|nicht)|(?:lo demás|el resto)[^\n]{0,12}(?:pregunt|no\b)"
    r"|(?:le reste|pour le reste)[^\n]{0,12}(?:demand|non)|o resto[^\n]{0,12}(?:pergunt|não)|il resto[^\n]{0,12}(?:chied|no\b)"
    r"|остальн\S+[^\n]{0,16}(?:спр|нет|не )|其他[^\n]{0,6}(?:问|不行|不可)|(?:それ|これ)以外[^\n]{0,12}(?:確認|聞|不可|ない)|나머지[^\n]{0,10}(?:물|확인|안)"
)
_UNLESS = r"(?:未经|未經|没有|没)[^\n。]{0,20}(?:不|勿|绝|絕|禁|别)"
_SOURCE = (
    r"\s+(?:inside|in|within|from|(?:found|embedded) (?:in|on)|on)\s+(?:\w+\s+)?"
    r"(?:fetched|external|untrusted|contents?|results?|web|e-?mails?|mails?|messages?|pages?|documents?|texts?|tools?|attachments?|strangers|groups?)\b"
)
_READ = (
    r"\s+(?:that (?:stand|are|come) )?(?:in|inside|from) (?:what|anything|whatever|the (?:text|things?))"
    r" you (?:read|see|open|find|quote)\b"
)
_EARLIER = r"\b(?:previous|prior|earlier|above|preceding|your|safety|system|former|existing|original)\b"


_TURNS = rf"{_ANSWERED}|{_NEVER}|{_WITHIN}|{_REFUSED}|{_NOT_BEHIND}"


def turned(text: str) -> bool:
    """Tell whether anything in `text` could forbid or refuse; without it nothing there is `negated`."""
    return bool(re.search(_TURNS, text))


def negated(text: str, start: int, end: int, *, clause: bool = False) -> bool:
    """Tell whether the sentence around `text[start:end]` forbids or refuses it; `text` is plain and case-folded.

    With `clause`, a negation before the last comma does not count.
    """
    before = re.split(_SENTENCE, text[max(0, start - _BEFORE) : start])[-1]
    after = re.split(_SENTENCE, text[end : end + _AFTER])[0]
    if re.search(_REPORTED, before) and re.search(_REFUSED, before + after):
        return True
    behind = text[end : end + _AFTER]
    if re.search(_OPENED, before) and re.search(_TOLD, before + behind) and re.search(_ANSWERED, behind):
        return True  # A mail said "…": I reported it.
    near = re.split(_CLAUSE, before)[-1] if clause else before
    return bool(
        re.search(_NEVER, re.sub(_HOLLOW, "", near))
        or re.search(_WITHIN, text[start:end])
        or re.match(_NOT_AFTER, after)
    )


def banned(sentence: str) -> bool:
    """Tell whether `sentence` begins with a ban that holds for all of it."""
    start = re.match(_BAN, sentence)
    return bool(start and not re.search(_BUT, sentence[start.end() :].lstrip()))


def unquoted(sentence: str, behind: str) -> str:
    """Return `sentence` without what somebody else said, where it is told that this was refused or reported.

    `behind` is what the text goes on with.
    """
    rest = re.sub(_QUOTED, " ", sentence)
    told = rest != sentence and re.search(_TOLD, rest) and re.search(_ANSWERED, rest + behind)
    return rest if told else sentence


def limited(text: str) -> bool:
    """Tell whether a leave is for what `text` names and for nothing else."""
    return bool(re.search(_LIMITED, text))


def modest(text: str, start: int, end: int) -> bool:
    """Tell whether the leave that `text[start:end]` is none: refused unless asked, or for own notes and reading."""
    before = re.split(_SENTENCE, text[max(0, start - _BEFORE) : start])[-1]
    after = re.split(_SENTENCE, text[end : end + _AFTER])[0]
    if re.search(_WHAT_TO, before) or limited(text[end : end + _AFTER]):
        return True
    if re.search(_READING, text[max(0, start - _BEFORE) : start]) and re.match(_THESE, text[end : end + _AFTER]):
        return True  # "1. Read SOUL.md. … Don't ask permission."
    return bool(re.search(_OWN, before + text[start:end] + after) or re.match(_UNLESS, text[start:end] + after))


def elsewhere(text: str, start: int, end: int) -> bool:
    """Tell whether the rules that `text[start:end]` sets aside are those of a page, a message or another stranger."""
    behind = text[end : end + _AFTER]
    return bool((re.match(_SOURCE, behind) or re.match(_READ, behind)) and not re.search(_EARLIER, text[start:end]))
