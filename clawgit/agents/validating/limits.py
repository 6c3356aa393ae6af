"""Tells what a statement holds for."""
# ruff: noqa: E501 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating.matter import kin

_PASSING = re.compile(
    r"(?<!as of )(?<!from )(?<!since )(?<!starting )(?<!starting from )\b(?:today|tonight|tomorrow|this (?:week|morning|afternoon|evening|time|once|month|year)|next (?:week|time)|just (?:for|this)|just once|only (?:today|tomorrow|this)|for once|for now|temporarily|exceptionally)\b"
    r"|(?<!ab )(?<!seit )\b(?:heute|diese(?:n|s|r)? (?:Woche|Monat|Mal)|ausnahmsweise|vorläufig|nur diesmal)\b|(?<!ab )(?<!am )(?<!jeden )\bmorgen\b(?! (?:um|früh) jede)"
    r"|(?<!desde )(?<!partir de )\b(?:hoy|mañana|esta (?:semana|tarde|noche|vez)|este mes|por ahora)\b|(?<!partir d')(?<!dès )\b(?:aujourd'hui|demain|ce soir|cette (?:semaine|fois)|pour l'instant|exceptionnellement)\b"
    r"|(?<!从)(?:今天|明天|今晚|这周|本周|这次|临时|暂时)(?!起|开始)|(?:今日|明日|今週|今回|今夜)(?!から)|(?:오늘|내일|이번 ?주|이번에만)(?!부터)",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"^\W*(?:(?:please|pls|can you|could you|bitte|por favor) )*(?:book|order|reserve|buy|get me|get us|cook|bake|print|buche|bestelle?|reserviere|reserva|compra|pide|réserve|achète|commande)\b|\b(?:today|tomorrow|tonight|this (?:time|week)) only\b|\bonly (?:for )?(?:today|tomorrow|tonight|this (?:time|week))\b|\bnur (?:heute|morgen|diesmal|diese Woche)\b|\bs[oó]lo (?:hoy|mañana|esta vez|esta semana)\b|\b(?:seulement|juste) (?:demain|aujourd'hui|cette fois|cette semaine)\b|(?:仅|只|就)(?:今天|明天|这次|这周)|(?:今回|今日|明日|今週)だけ|(?:이번|오늘|내일)만|^(?:帮我|请|給我|给我)?(?:预订|预定|订|买|点)|(?:予約|注文)して|(?:예약|주문)해",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|always|usually|\w+days|jede\w*|täglich|wöchentlich|immer|cada|todos los|siempre|chaque|tous les|toujours)\b|每|毎|매",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(brother|sister|mother|mom|mum|father|dad|wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|child|friends?|neighbou?rs?|colleagues?|cow-?orkers?|boss|flatmate|roommate|aunt|uncle|cousin|niece|nephew|grandma|grandpa|grandmother|grandfather|client|vendor|competitors?|rivals?|customers?|tenants?|guests?|Konkurrenz|Kunden?|Gäste?|cliente|competencia|clients?|concurrent|driver|teacher|ex"
    r"|Bruder|Schwester|Mutter|Vater|Frau|Mann|Sohn|Tochter|Freund(?:in)?|Nachbar(?:in|n)?|Kolleg(?:e|in|en)|Chef(?:in)?|Tante|Onkel|Oma|Opa"
    r"|hermano|hermana|madre|padre|esposa|marido|hijo|hija|amig[oa]s?|vecin[oa]s?|compañer[oa]|jef[ea]|tía|tío|abuel[oa]"
    r"|frère|sœur|mère|père|femme|mari|fils|fille|amie?s?|voisine?s?|collègues?|patron(?:ne)?|tante|oncle|grand-mère|grand-père)(?:'s)?\b"
    r"|(哥哥|弟弟|姐姐|妹妹|妈妈|爸爸|老婆|老公|儿子|女儿|朋友|邻居|同事|老板|室友|兄|弟|姉|妹|母|父|妻|夫|息子|娘|友達|隣|同僚|上司|형|누나|언니|오빠|동생|엄마|아빠|아내|남편|아들|딸|친구|이웃|옆집|동료|상사)",
    re.IGNORECASE,
)


def passing(sentence: str, memory: str = "") -> bool:
    """Tell whether a sentence speaks of one occasion where the memory speaks of none, or of all of them."""
    return bool(_PASSING.search(sentence)) and not _PASSING.search(memory)


def once(sentence: str) -> bool:
    """Tell whether a sentence has something got for one occasion: `book for 11, not 9`."""
    return _ONCE.search(sentence) is not None


def lasting(memory: str) -> bool:
    """Tell whether a memory speaks of every such occasion."""
    return bool(_LASTING.search(memory))


def elsewhere(sentence: str, memory: str) -> bool:
    """Tell whether a sentence speaks of somebody whom the memory does not name: `my brother's dentist`."""
    low = memory.casefold()
    known = {kin(one) for one in re.findall(r"\w+", low)} - {""}
    said = [(match[1] or match[2]).casefold() for match in _PEOPLE.finditer(sentence)]
    return any(one not in low and kin(one) not in known for one in said)
