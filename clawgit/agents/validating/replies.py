"""Tells what a short answer leaves as it is."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating.values import values

_SHORT = 90
_WAVES = re.compile(
    r"^\W*(?:oh |ah |ach )?(?:(?:no|nope|nah|nein|nee|non|不|不用|不是|没|いや|いいえ|いえ|아니|아뇨|아니요)[\s,，、.!]*)*"
    r"(?:(?:it's|that's|all|i'm) (?:all |totally |really |perfectly )?(?:fine|ok|okay|good|alright|right)|thanks?(?: you)?|no (?:worries|problem|need)|never ?mind|not (?:now|yet|needed|necessary)|don't bother|you're right|my bad|(?:that's|it's) my (?:fault|mistake|bad)"
    r"|danke|alles (?:gut|klar|okay)|passt(?: schon)?|kein problem|macht nichts|schon gut|ist (?:gut|okay|ok)|das passt|lass (?:mal|gut sein)|stimmt schon|du hast recht"
    r"|gracias|está bien|no pasa nada|todo bien|tranquil[oa]|da igual|no importa|merci|ça va|c'est bon|pas de (?:souci|problème)|pas grave|ce n'est (?:pas grave|rien)|t'inquiète"
    r"|没事|沒事|没关系|沒關係|不用(?:了|谢)?|谢谢|謝謝|没问题|挺好|可以|好的|不客气|(?:それで|それは|もう)?(?:大丈夫|結構|問題ない|問題ありません|いいです|いいよ)|気にしないで|ありがとう|괜찮|고마워|감사|됐어|좋아|문제없)(?![a-zäöü])",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:no,? )*(?:yes|yep|yeah|yup|exactly|correct|right|perfect|you got it|ja|genau|richtig|stimmt(?! (?:\w+ ){0,3}nicht)|sí|exacto|correcto|oui|exactement|对(?!了)|對(?!了)|是的|没错|沒錯|嗯|はい|そう|その通り|うん|네|예|응|맞아|맞습니다|그래)(?![a-zäöüß一-龥가-힣])",
    re.IGNORECASE,
)
_APPROVES = re.compile(
    r"\b(?:is|works|sounds|looks|would be|are) (?:\w+ )?(?:perfect|fine|good|great|ok|okay|better|best|enough|lovely)\b|\bworks for me\b|\b(?:passt|ist (?:perfekt|prima|gut|besser))\b|\b(?:va|está|está muy|es) (?:bien|perfecto|mejor)\b|\b(?:c'est|est) (?:parfait|bien|bon|mieux)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"\b(?:leave (?:it|that|them) (?:as (?:it |they )?(?:is|are|was)|alone|like that|there|at)|(?<!not )(?:like|as|what|just as) you(?:'ve)? (?:have|had|got|wrote|noted)(?: it| them)?(?=[\s.,!]*$)|stays? (?:put|as is|the same|on)|(?:is|are) still the same|no changes?(?: needed)?\W*$|keep (?:it|that) (?:as is|like that|that way|there|on|at)|sticking with"
    r"|bleibt (?:so|dabei|es|wie|bei)|bleibt\W*$|bleiben wir|lass(?:en wir)? (?:es|das|alles) so|(?:sigue|queda|se queda) (?:igual|así|como)|déjalo (?:así|como)|dejarlo así|laisse (?:ça |le |la )?comme (?:ça|c'est)|reste (?:comme|tel|inchangé)|on garde)"
    r"|のまま(?:で|に|$)|変えないで|変更なし|그대로|안 바꿔도|바꾸지 ?마|保持(?:不变|原样)|不用改|别改|不要改|不变|没变|就(?:这样|按原来)|^不用[，,].*就",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:the )?(?:rest|everything else|all else|others?|alles andere|der Rest|lo demás|el resto|le reste)\b|其他|其余|他は|나머지",
    re.IGNORECASE,
)


def keeps(text: str) -> bool:
    """Tell whether all is to stay as it is: `no, leave it as is`."""
    return _KEEPS.search(text) is not None and _REST.search(text) is None


def waves_off(text: str) -> bool:
    """Tell whether a short answer only declines or forgives: "no, thanks"."""
    return len(text) <= _SHORT and _WAVES.match(text) is not None and not values(text)


def agrees(text: str) -> bool:
    """Tell whether somebody is told to be right."""
    return _AGREES.match(text) is not None


def approves(sentence: str) -> bool:
    """Tell whether a sentence only finds something good: a choice contradicts nothing."""
    return _APPROVES.search(sentence) is not None
