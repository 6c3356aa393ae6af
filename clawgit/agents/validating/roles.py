"""Tells which of two values is wrong."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator

from msgspec import Struct

from clawgit.agents.validating.matter import alike, equal, words
from clawgit.agents.validating.stated_values import Value, names, units, values

_PHRASE = r"[^\s,;.!?()—–]+(?:\.[^\s,;.!?()—–]+)*(?: [^\s,;.!?()—–]+){0,3}?"
_END = r"(?=\s*(?:[,;.!?()—–\n]|$))"
_LEFT = r"(?:(?:we|i)(?:'ve| have)? )?(?:left|dropped|ditched|abandoned|quit|stopped using|got rid of|gave up|no longer use|don't use)"
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        # both sides, in two clauses
        r"\bit's (?P<true>[^\s,.;!?]+)[,;:—–-]+ ?(?:i|we)(?:'ve| have)? (?!said|told|meant)[^\s,.;!?]+ (?:away )?from (?P<said>[^\s,.;!?]+)",
        r"\bnot (?P<said>[^\s,;.!?]+) (?:that )?(?:i'm|im|i am|we're|we are|i|we|he's|she's) [^,.;!?]{1,30}?[,;:—–-]* ?(?:but )?(?:it's|its) (?P<true>[^\s,;.!?]+)",
        rf"\b(?:i|we|they)(?:'ve| have)? (?:cancelled|canceled|dropped|ditched|left|quit|gave up|stopped using|got rid of|sold) (?:the |my |our )?(?P<said>{_PHRASE})[,;][^.;!?]{{0,60}}[,.;] (?:and )?(?:i'm|i am|we're|we are|it's|i use|we use|now it's) (?:now )?(?:at |on |with |in |using )?(?:the |a )?(?P<true>{_PHRASE}) (?:instead|now){_END}",
        rf"\b(?:drop|skip|lose|stop with|stop using|stop doing|no more|enough with|enough of) (?:the |these |those )?(?P<said>{_PHRASE})[,.;:!?—–-]+ ?(?:and )?(?:i (?:like|prefer|want|read|use)|we (?:like|prefer|use)|use|give me|just|go with|switch to) (?:the )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:lass|vergiss|spar dir|weg mit|keine) (?:die |das |den |dem |mit )?(?P<said>[^\s,;.!?]+)(?: weg| sein)?[,.;:!?—–-]+ ?(?:ich (?:mag|will|möchte|bevorzuge|nehme)|nimm|nutze|lieber) (?:lieber )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:deja|quita|nada de|olvida|basta de) (?:los |las |el |la )?(?P<said>[^\s,;.!?]+)[,.;:!?—–-]+ ?(?:prefiero|quiero|usa|me gustan?|mejor) (?:los |las |el |la )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:laisse tomber|arrête|enlève|oublie|plus de|fini) (?:avec )?(?:les |le |la |l')?(?P<said>[^\s,;.!?]+)[,.;:!?—–-]+ ?(?:je (?:préfère|veux)|utilise|mets|plutôt) (?:les |le |la |l'|des |du )?(?P<true>{_PHRASE}){_END}",
        r"^(?:just )?(?P<true>[^\s,;.!?]+) is (?:fine|enough|ok|okay|what i go by),? (?:nobody|no one|no-one|only [\w ]{2,20}) (?:ever )?calls me (?P<said>[^\s,;.!?]+)",
        r"^(?P<true>[^\s,;.!?]+)(?: pls| please| bitte| por favor)?[,;:—–-]+ ?(?:and )?(?:we|i|wir|ich) (?:no longer|don't|never|stopped) (?:use|using) (?P<said>[^\s,;.!?]+)",
        r"\b(?P<said>(?:M[rs]s?\. )?(?-i:[A-ZÄÖÜÉ])[\w'-]+(?: (?-i:[A-ZÄÖÜÉ])[\w'-]+)?) (?:retired|left|quit|resigned|moved on|is gone|ist weg|ist gegangen|ging in Rente|hat gekündigt|se fue|se jubiló|est parti|est partie)\b[^,.;!?]{0,30}[,.;]+ (?:and |so |it's |now it's |now |jetzt |ahora )?(?:[^,.;!?]{0,24} )?(?:is|ist|es|est|it's|macht das|took over is) (?:now |jetzt |ahora |maintenant )?(?P<true>(?:M[rs]s?\. )?(?-i:[A-ZÄÖÜÉ])[\w'-]+(?: (?-i:[A-ZÄÖÜÉ])[\w'-]+)?)(?= now| jetzt| ahora| maintenant|[,.;!?]|$)",
        rf"\bnicht (?:mehr )?(?P<said>{_PHRASE}),? sondern (?P<true>{_PHRASE}){_END}",
        rf"\b(?:ist|heißt|heisst|sind|in|nutze|nutzen|verwenden|bei|mit|trinke|mag|wohne in) (?P<true>{_PHRASE}),? (?:und )?nicht (?:mehr )?(?:in |bei |mit )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?P<true>[^\s,;.!?()]+) (?:an)?statt (?P<said>[^\s,;.!?()]+){_END}",
        rf"\bno \w+ (?:en |a |con |el |la )?(?P<said>{_PHRASE}),? sino (?:en |a |con |el |la )?(?P<true>{_PHRASE}){_END}",
        rf"\bno (?:es|está en|se llama|era|uso|usamos|vivo en) (?P<said>{_PHRASE}),? (?:es|se llama|uso|está en|vivo en) (?:en )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:es|se llama|uso|usamos|vivo en|está en) (?P<true>{_PHRASE}),? (?:y )?no (?:en )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?:pas|plus) (?:à |en |un |une |le |la |du |de )?(?P<said>{_PHRASE}),? (?:mais|c'est|plutôt) (?:à |en |un |une |le |la |du |de )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:est|c'est|s'appelle|à|en|utilise|utilisons) (?P<true>{_PHRASE}),? (?:et )?pas (?:à |en |un |une |le |la )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?P<true>{_PHRASE}) au lieu de (?P<said>{_PHRASE}){_END}",
        rf"\b(?:is|are|was|it's|that's|called|named|use|uses|using|in|at|by|with|to|like|likes|prefer|prefers|drinks?|eats?|speaks?|works? (?:at|for)|lives? in|on) (?P<true>{_PHRASE}),? (?:and |so )?not (?:in |at |by |with |on |to |the |a |an )?(?P<said>{_PHRASE}){_END}",
        r"\b(?:not|n't|no longer) (?:live |work |sit |meet |based |located )?(?:at|in|on) (?P<said>[^,;.!?]{2,40}?)(?: any ?more)?[,;]+ [^,;.!?]{0,24}?\b(?:is|at|in|on|to) (?P<true>[^,;.!?]{2,40}?)(?: now)?(?=[.,;!?]|$)",
        rf"\b(?P<said>{_PHRASE}) is now (?:called|named|known as) (?P<true>{_PHRASE})(?: everywhere)?{_END}",
        rf"\b(?P<said>{_PHRASE}) (?:heißt (?:jetzt|nun|inzwischen)|ahora se llama|s'appelle (?:maintenant|désormais)) (?P<true>{_PHRASE}){_END}",
        rf"\b(?P<true>[^\s,;.!?()]+) (?:took|takes|has taken|is taking) over\b[^,.;!?]{{0,24}} from (?P<said>{_PHRASE}){_END}",
        rf"\b(?P<true>[^\s,;.!?()]+) (?:has |have )?replace[sd]? (?P<said>{_PHRASE}){_END}",
        rf"\b(?P<said>[^\s,;.!?()]+) (?:is|was|has been|got|wurde|ha sido|a été) (?:replaced|ersetzt|reemplazad[oa]|remplacée?) (?:by|with|durch|por|par) (?P<true>{_PHRASE}){_END}",
        rf"\b{_LEFT} (?P<said>[^\s,;.!?()]+)(?: (?:ages|years|months|weeks|a \w+) ago| \w+ (?:week|month|year)| for good)?[\s,;:—–-]+(?:and )?(?:it's|its|it is|we're on|we use|i use|we're using|now it's|now we use|we went with) (?:now |on )?(?P<true>[^\s,;.!?()]+)(?= |[,;.!?]|$)",
        rf"\b(?:swap(?:ped)?|trade[d]?|exchanged?) (?P<said>{_PHRASE}) (?:for|with|against) (?P<true>{_PHRASE}){_END}",
        rf"\b(?:it's|its|it is|call me|i go by) (?P<true>[^\s,;.!?()]+)(?: btw| please| by the way)?[,;:—–-]+ ?(?:and )?(?:i )?never (?:go by |been |was )?(?P<said>[^\s,;.!?()]+){_END}",
        rf"\b(?:not|n't|never) (?:a |an |the )(?P<said>{_PHRASE})[,;:—–-]+ ?(?:but )?(?:i'm|i am|we're|we are|he's|she's|they're|it's) (?:a |an |the )?(?P<true>{_PHRASE}){_END}",
        rf"\byou (?:said|wrote|put|noted|have)(?: it's| it is| it as)? (?P<said>[^\s,;.!?()]+),? but (?:it's|it is|its|that's) (?:in fact |actually |really )?(?P<true>{_PHRASE}){_END}",
        r"\bi once said (?P<said>[^\s,;.!?()]+)(?: \w+)?,? but (?:please )?(?:switch to|use|make it) (?P<true>[^\s,;.!?()]+)(?= |[,;.!?]|$)",
        r"^(?P<true>[^\s,;.!?()]+(?: [^\s,;.!?()]+){0,2}),? (?:and |und |y |et )?(?:not|nicht|no (?:el|la|los|las|es|en)|pas|non) (?P<said>[^\s,;.!?()]+(?: [^\s,;.!?()]+){0,2}?)[.!\s]*$",
        r"^(?:not|nicht|no (?:el|la|los|las|es|en)|pas|non) (?P<said>[^\s,;.!?()]+(?: [^\s,;.!?()]+)?)[,;:—–.!-]+ (?:but |it's |it is |sondern |sino |mais |c'est )?(?P<true>[^\s,;.!?()]+(?: [^\s,;.!?()]+)?)[.!\s]*$",
        rf"\b(?:isn't|not) (?:in |at |by |with |on |a |an |the )?(?P<said>{_PHRASE})[,;:—–-]+ ?(?:but |it's |it is |he's |she's |they're |rather )+(?:in |at |by |with |on |a |an |the )?(?P<true>{_PHRASE}){_END}",
    )
)

_DENSE = r"(?:\d+(?:\.\d+)+|[^\s,，.。、;；!！?？「」『』]{1,14}?)"
_BARE_DENSE = _DENSE.replace("」", "」はがを", 1)
DENSE = tuple(
    re.compile(form)
    for form in (
        rf"(?:^|[，,。！\s])(?:我|我们|她|他)?(?:现在|早就|已经|早)?不(?P<verb>吃|喝|用|住|养|穿|看|听|玩|去|学|做|坐|开|点)(?P<said>{_DENSE})了[，,。！!\s]*(?:我|以后|现在|改|都|就|只)*(?:(?P=verb)在?|点|换|改成|换成|用|喝|吃)(?P<true>{_DENSE})(?:的|了|吧)?(?=$|[，,。!！])",
        rf"(?:^|[，,。！\s])(?P<said>[^\s，,。、！是的]{{2,8}}?)(?:已经|上个?月|上周|去年|刚)*(?:调走|离职|辞职|退休|走人|不干|不在|走)了[，,。！!\s]*(?:现在|以后|如今)?[^，,。！]{{0,10}}?(?:是|归|由|换成|找|叫)(?P<true>{_DENSE})(?:负责|了)?(?=$|[，,。!！])",
        rf"(?:^|[、，,。\s])(?P<said>{_BARE_DENSE})(?:は|が)?(?:もう)?(?:先月|先週|去年|昨日|この前)?(?:に)?(?:退職|異動|辞め|転勤|卒業|引退)(?:しました|した|ました|たので|た|して|て|になりました)(?:んです|んだ|よ|ので)?[。、，,！!\s]*(?:今は|今の担当は|後任は|代わりは|これからは)(?P<true>{_DENSE})(?:です|だよ|だ|になりました|が担当)?(?=$|[。、！!])",
        rf"(?:^|[、，,。\s])(?P<said>{_BARE_DENSE})(?:は|を)?(?:もう)?(?:やめて|いらない|使ってない|飲まない|食べない|やめた)(?:から|ので|よ|ね|んだ)?[、。！!\s]*(?:今は|これからは)?(?P<true>{_DENSE})(?:で|に|が|を)?(?:お願い|して|いい|使って|飲んで|する)(?:ます|る|ください)?",
        r"(?:^|[\s,.])(?P<true>[^\s,.!]{2,12}?)(?:이야|야|이에요|예요|입니다|이지|지)[ㅋㅎ~!.,\s]*(?P<said>[^\s,.!]{2,12}?)(?:이|가)? ?아니(?:고|라고|라니까|야)",
        r"(?:^|[\s,.])(?P<said>[^\s,.!]{1,12}?)(?:은|는|을|를)? (?:이제 )?안 (?:마셔|먹어|써|쓴다|마신다|가|다녀|마셔요|먹어요|써요)[요,.!\s]*(?:이제|앞으로는?|대신)? ?(?P<true>[^\s,.!]{1,12}?)(?:으로|로) (?:해줘|바꿔|바꿨|마셔|해|시켜|부탁)",
        rf"(?:是|叫|在|用|喝|住|到了?)(?P<true>{_DENSE})[,，、]? ?(?:而)?(?:不是|不叫|不在|不用|不喝|不住在?)(?P<said>{_DENSE})(?=$|[,，.。!！?？了])",
        rf"不(?:是|叫|姓|在|用|喝|住在?)(?P<said>{_DENSE})了?[,，、!！。]? ?(?:而|我|现在)?(?:是|叫|姓|在|用|喝|住在?)(?P<true>{_DENSE})(?=$|[,，.。!！?？了])",
        rf"(?:^|[、，,。は\s])(?:いや|いえ|ちがう)?(?P<said>{_BARE_DENSE})(?:ではなく|じゃなく|でなく)て?[、,]? ?(?P<true>{_DENSE})(?:なんだけど|なんだよ|なんです|なの|です|でした|だよ|でしょ|だ|$|[。、!])",
        rf"(?:^|[、，,。はがを\s])(?P<said>{_BARE_DENSE}) ?から ?(?P<true>{_DENSE}) ?(?:に|へ) ?(?:乗り換え|移|変|切り替|引っ越)",
        rf"(?:^|[\s,.])(?P<said>{_DENSE})(?:이|가)? ?아니(?:라|고),? ?(?:(?:이제|이젠|지금은?|요즘은?|앞으로는?) )?(?P<true>{_DENSE})(?:이야|야|예요|이에요|에요|입니다|이지|이래|래|지|였어|$|[,.!])",
        rf"(?:^|[\s,.])(?P<said>{_DENSE}) 말고,? (?:(?:이제|이젠|지금은?|요즘은?|앞으로는?) )?(?P<true>{_DENSE})(?:이야|야|예요|이에요|입니다|였어|로|으로|$|[,.!\s])",
    )
)
INSTEAD = re.compile(
    r"(?<![\w.-])(?P<true>[\w.-]*\w) (?:instead of|rather than|and not|statt|anstatt|en vez de|au lieu de) (?P<said>[\w.-]*\w)",
    re.IGNORECASE,
)


_SMALL = r"(?:(?:it's|it is|on|at|in|to|the|a|an|my|by|for|with|called|named|am|um|im|in|der|den|das|el|la|los|las|le|les|un|une|à|a|au|en|es|c'est|son|del|de|von|vom|mit|about|around|version|port|room|room number) ){0,3}[`\"'(]?$"
_USES = r"(?:(?:use|used|using|go by|going by|live|living|work|working|drink|eat|take|taking|want|need|nutze|nutzen|trinke|wohne|uso|usamos|vivo|utilise|j'utilise|habite) (?:any )?)?"
_NO_BEFORE = re.compile(
    rf"(?:\b(?:not|isn't|wasn't|aren't|weren't|never|no longer|haven't been|hasn't been|instead of|rather than|in place of|nicht(?: mehr)?|statt|anstatt|keine?n?|no|en vez de|en lugar de|ya no|pas|plus|non|au lieu de|au lieu du|plutôt que) {_USES}{_SMALL}"
    r"|(?:而不是|并不是|並不是|不是|不叫|不在|不用|不要|不)\s?[`「『“]?$)",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(
    r"^[`」』”]?\s?(?:ではなく|じゃなく|でなく|ではない|じゃない|ではありません|じゃありません|(?:이|가|번이|번)? ?아니|말고|は間違い|は違|any ?more|(?:is|was) (?:wrong\b|outdated\b|old\b|the (?:old|previous|former|last)|last \w+'s)|ist (?:falsch|veraltet)|war falsch|stimmt nicht|gilt nicht mehr|est faux|n'est plus|está mal|ya no|是错|是錯|不对|不對)",
    re.IGNORECASE,
)
_OLD = re.compile(
    rf"(?:\b(?:was|were|used to be|war|era|était|vorher) {_SMALL}|\b(?:left|dropped|ditched|abandoned|quit|stopped using|got rid of|gave up|scrap|scratch|scratch what [^,.;!?]{{0,20}} about|formerly|previously|dejamos|abandonné) {_SMALL}|\b(?:you said|you wrote|you have|you put|you noted|you told me|you keep saying|your notes say|du sagtest|du hast|dijiste|tienes|tu as dit|tu as (?:mis|noté))\b[^,.;!?]{{0,40}}$"
    r"|(?:你说的?是?|你写的?是?|你记的?是?|原来是|之前是|以前是|本来是)$)",
    re.IGNORECASE,
)
_FROM = re.compile(rf"(?:\b(?:from|von|vom|de|du|del|desde) {_SMALL}|(?:从|從|由|把|将)$)", re.IGNORECASE)
_TO = re.compile(
    rf"(?:\b(?:to|auf|nach|zu|zum|a|al|à|au|en) {_SMALL}|(?:改成|改为|改為|改到|换成|換成|搬到|变成|調到|调到|から|에서 ?)$|(?:->|→|=>) ?$)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:went|took|bump|rose|grew|fell|drop|climb|slip|raised|lowered|increas|reduc|upgrad|chang|mov|switch|updat|migrat|postpon|shift|renam|push|verschoben|verlegt|umgestiegen|gestiegen|erhöht|geändert|gewechselt|umgezogen|umgestellt|cambi|movi|mudé|mudamos|pasó|pasa|pas|changé|déplacé|déménag|repouss)\w*|改|换|換|搬|变|調|调|変|引っ越|移|바꾸|바꿨|바뀌|변경|옮|이사|올렸|내렸|移っ|乗り換え|切り替",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:so|and|but|that|then|because|und|aber|y|pero|et|mais) )+", re.IGNORECASE)
_TIMELY = re.compile(
    r"^(?:(?:now|currently|jetzt|nun|ahora|maintenant)(?: |$)|(?:이제|이젠|지금은?|요즘은?|앞으로는?)(?: |$)|今は|今では|これからは|现在是?|目前是?|如今)",
    re.IGNORECASE,
)
_IDLE = re.compile(r"从来|一直|根本|完全|绝")
_UNIT = re.compile(r" ?(?:[a-zA-ZÀ-ɏ]+|[个個人名位件次天周年月本台杯岁歳]|명|개|번|달|살|마리|잔|권|병|대|시간|원)")
_JOINED = re.compile(
    r"(?: now| currently| instead| jetzt)?[\s,，、;:—–-]*(?:and|und|y|et|but|而|并|so)?[ ]?", re.IGNORECASE
)
_APART = re.compile(r"[.!?;。！？]\s|\n")
_NEAR, _FAR, _REACH, _MOST = 30, 60, 120, 60
_ARROW = re.compile(r"^ ?(?:->|→|=>) ?$")


class Sides(Struct, frozen=True):
    """What was said, and what is true, in the words of the message."""

    said: str
    true: str


def told(sentence: str) -> Iterator[Sides]:
    """Yield what a sentence tells with both sides: first of values of one kind, then of any words."""
    yield from typed(sentence)
    yield from phrased(sentence)


def phrased(sentence: str) -> Iterator[Sides]:
    """Yield the pairs of the phrases that a sentence holds."""
    for form in (*FORMS, INSTEAD, *(() if sentence.isascii() else DENSE)):
        for match in form.finditer(sentence):
            said, true = _bare(match["said"]), _bare(match["true"].rpartition(": ")[2])
            if (
                _tells(said)
                and _tells(true)
                and not (said[:1].isupper() and true[:1].islower())
                and said.casefold() != true.casefold()
            ):
                yield Sides(said, true)


def _tells(side: str) -> bool:
    """Tell whether a side names anything: small words alone do not."""
    return bool(side and (words(side) or values(side) or not side.isascii())) and not _IDLE.search(side)


def typed(sentence: str) -> Iterator[Sides]:
    """Yield pairs of values of one kind of which the sentence says that one is wrong."""
    plain = values(sentence)
    known = (*plain, *units(sentence, plain))
    every = sorted((*known, *names(sentence, known)), key=lambda one: one.start)[:_MOST]
    for at, one in enumerate(every):
        before = next((other for other in reversed(every[:at]) if alike(one, other)), None)
        after = next((other for other in every[at + 1 :] if alike(one, other)), None)
        right = _right(sentence, one, before, after)
        if right and not equal(one, right):
            yield Sides(_written(sentence, one), _written(sentence, right))


def denied(sentence: str, one: Value) -> bool:
    """Tell whether a sentence says of a value that it is wrong."""
    return bool(
        _NO_BEFORE.search(sentence[max(0, one.start - _REACH) : one.start])
        or _NO_AFTER.search(sentence[_end(sentence, one) :])
    )


def _right(sentence: str, one: Value, before: Value | None, after: Value | None) -> Value | None:
    """Return which of the values around it is true where `one` is said to be wrong, None for neither."""
    cut = max(0, one.start - _REACH)
    head, tail = sentence[cut : one.start], sentence[_end(sentence, one) :][:_REACH]
    lead = sentence[_end(sentence, before) : one.start] if before else ""
    gap = sentence[_end(sentence, one) : after.start] if after else ""
    if denied := _NO_BEFORE.search(head):
        if before and _JOINED.fullmatch(head[max(_end(sentence, before) - cut, 0) : denied.start()]):
            return before
        if after and len(gap) <= _NEAR and not _APART.search(gap):
            return after
        return before if before and not after and not _APART.search(lead) and len(lead) <= _FAR else None
    if _NO_AFTER.search(tail) and one.kind != "name":
        return after if after and len(gap) <= _NEAR + _NEAR else before if before and len(lead) <= _NEAR else None
    if after and one.kind != "name" and len(gap) <= _FAR and (_OLD.search(head) or _ARROW.match(gap)):
        return after if not _APART.search(gap) else None
    return after if after and _MOVED.search(sentence) and _moves(head, gap) else None


def _end(sentence: str, one: Value) -> int:
    """Return where a value ends, with what it counts."""
    unit = _UNIT.match(sentence, one.end) if one.kind.startswith("number ") else None
    return unit.end() if unit else one.end


def _written(sentence: str, one: Value) -> str:
    return sentence[one.start : one.end]


def _moves(before: str, between: str) -> bool:
    """Tell whether a value stands where something moved from, and the next where it moved to."""
    return bool(
        (_FROM.search(before) and _TO.search(between))
        or re.fullmatch(r"\s?(?:から|에서) ?|[\s원円개명]*(?:から|에서) ?", between)
    )


def _bare(words: str) -> str:
    words = _TIMELY.sub("", words.strip())
    return _LEADING.sub("", words.strip(" \t\"'`*_()[]“”„«»"))
