"""How a message contradicts, and what it says then."""

import re
from typing import Literal

from msgspec import Struct

from clawgit.language.own_words import straight
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.triage import Triage

# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script


_SIGNS = re.compile(
    r"\b(?:no|nope|wrong|incorrect|i (?:said|meant|told you)|instead|rather than|not|\w+n't|never|replace[sd]?|swap(?:ped)?|took over|take[sn]? over|should be|mistaken|mixed up|outdated|changed|moved|switch(?:ed)?|ditched|drop(?:ped)?|stop (?:using|with|doing)|no more|scratch|you said|once said|formerly|previously)\b"
    r"|\b(?:nein|falsch|nicht|statt|stimmt nicht|sondern|ersetzt|heißt|keine?|meinte|sagte|gesagt|vergessen|umgestiegen|gewechselt|umgezogen|lieber|lass)\b|\b(?:no|sino|nunca|prefiero|nada de|reemplazad[oa]|dije|pasó|mudé|mudamos|equivocas|en vez de|incorrecto)\b"
    r"|\b(?:non|pas|plus|remplacée?|faux|plutôt|préfère|au lieu|j'ai dit|t'ai)\b"
    r"|不(?:是|对|對|叫|姓|住|在|用)|错了|錯了|记错|記錯|其实|其實|改成|改到|改为|换成|忘了|说过|說過|應該|应该是|いや|いいえ|違|ではなく|じゃなく|じゃない|間違|実は|変更|ちがう|乗り換え|切り替え|移り|아니|말고|틀렸|잘못|사실|바뀌|변경",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"^\W*(?:(?:ah|um|sorry|wait|well|hey|but|uh|hm+|oh(?! no\b[!.]|,? no,? [A-Z]))\W+)?(?:no+(?! (?:worries|problems?|prob|way|doubts?|need|idea|rush|change|one|matter|pressure|big|kidding|thanks?|luck|clue|more|longer|fun|joke|sweat|te|me|se|hay|sé|puedo|quiero|tengo|estoy|soy)\b)|nope|wrong|nein|nee|falsch|non|faux)\b|(?:^|[.!?,;:]\s*|\b(?:but|as|because|no) )i (?:said|meant|told you|already told|already said)\b(?! about)|\bthat'?s (?:wrong|not|outdated|old|incorrect)|\b(?:is|are)n'?t right|(?:is|are) (?:outdated|old|wrong)\b|(?<!went )(?<!gone )(?<!go )(?<!goes )(?<!going )\bwrong\b|^\W*not\b(?! (?:bad|really|much|yet|sure|only|now|recently|long|at all|to|too|everyone|many)\b)|can't be right|\bmy mistake\b"
    r"|\bthat should (?:be|say|read)\b|\bnot what you (?:have|wrote|said|put)|\byou (?:wrote|put|said) [^.!?]{1,30} again\b|\b(?:i keep|i have to keep) telling you\b|\byou mean\W*(?:$|[.!])|\bi never said\b|\btake (?:it|that) out of (?:your|the) (?:notes|memory)|\b(?:fix|update|correct) [^.!?]{1,40}(?:memory|notes)\b|^\W*who(?:'s| is|s) [A-Z][a-z]+\b|\b(?:that's|this is|those are) (?:last year|the old|an old|my old|our old|the previous)|\b(?:i|we) never (?:did|had|was|have)\b(?=\s*(?:[,.;!]|$))|, never (?:did|had|was|have)\b|^\W*actually\b(?!,? (?:i|we)\b)|\bout of date\b|\bmisspoke\b|\bscratch that\b|\bcorrection:|\bmake (?:that|it) (?=\d|[a-z]+day\b)|\bnot quite\b|\bsince when\b|\bwhere did you get (?:that|\w+ from)\b|\bwas never\b|\b(?:mixed|swapped|wrong way r|other way (?:a)?r)ound?\b|\bnot (?:her|his|my|our|their|the) \w+$|\byou (?:mixed|swapped)\b|\bnot what (?:i|we)\b"
    r"|\bstimmt (?:da )?(?:etwas|was) nicht|\bquatsch\b|\bdas (?:müsste|sollte) [^.!?]{1,30} sein\b|\bhabe? ich (?:so )?nie gesagt|\bdie alte[nrs]? \w+|\b(?:ese|esa|eso|este|esta) (?:\w+ )?no (?:es|era)\W*$|\bnunca (?:dije|he dicho)|\bdebería (?:ser|decir|poner)\b|\bje n'ai jamais dit|\bdevrait être\b|(?<!^)\bvergessen\b|\bveraltet\b|\bnicht mehr aktuell\b|\bVertippt\b|\bverwechselt\b|\bte has equivocado\b|\bme equivoqué\b|\bestá mal\b|\btu te trompes\b|\bje me suis trompée?\b|\bn'est plus\b|\bya no es\b|\beso no\b"
    r"|应该是[^，,。]{1,12}[，,](?:你|那)|那个?(?:数|号码|地址|时间)是(?:去年|以前|旧)|打错|写错|我(?:可)?没(?:有)?说过|才对|(?:だ)?ってば|が正しい|字が違|漢字が違|名前が違|誰(?:です|だ|のこと)|そんなこと(?:は)?言ってない|(?:이|가) 맞(?:아|아요|습니다)(?!\?)|(?:그런 말|말)(?:을)? 한 적(?:이)? 없|적어놨|반대|反了|搞错|弄错|没记住|不对|别再记错|人家不|じゃないやつ|って(?:言った|頼んだ|伝えた)|頼んだよね|伝えたはず|(?:数字|情報|メモ)が古|아니라니까|알려줬잖아|말했잖아|한 방식으로 또|바뀐 지 오래|[이그저] ?\S+ 말고$"
    r"|you (?:forgot|got (?:it|that) wrong|mixed)|^\W*(?:close|almost)\b|\bich (?:sagte|meinte|hab)|stimmt (?:so |doch |gar |doch gar )*nicht|schon wieder|\bDreher\b|te (?:dije|he dicho)|te equivocas|t'ai (?:déjà )?dit|c'est faux"
    r"|^\W*(?:不是|不对|不對|不[，,]|错了|錯了|其实|其實)|记错|記錯|我说的是|我說的是|我说过|^\W*(?:いや|いいえ|いえ|違)|間違|(?:^|[\s,.])(?:아니|아뇨)(?=[,，.\s요야])|틀렸|잘못",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:btw|by the way|fyi|heads up|just so you know|rescheduled|reschedule|cancell?ed|new one is|upgraded|changed (?:my|our) minds?|started|turned|just looked|just checked|looked it up|moved|changed|switched|shifted|pushed|raised|lowered|bumped|postponed|rescheduled|upgraded|migrated|renewed|renamed|went up|went down|cut|now|from now on|going forward|these days|nowadays|any ?more|no longer|as of|since(?! \d{4})|after all|took over|starting (?:on|from|in|next)|used to|left)\b"
    r"|\b(?:übrigens|zur Info|gewechselt|umbenannt|angehoben|heraufgesetzt|auf dem \w+ steht|jetzt|nun|ab sofort|ab jetzt|ab (?:dem|der|heute|morgen|nächste\w*)|neuerdings|verschoben|verlegt|geändert|erhöht|gesenkt|umgestellt|umgezogen|mittlerweile|inzwischen|nicht mehr|seit(?! \d{4}))\b"
    r"|\b(?:por cierto|apunta que|que sepas|ahora|a partir de|cambiado|cambió|cambiamos|se movió|movieron|subió|bajó|pasó a|pasa a|ya no|desde (?:ahora|hoy|mañana|el|la))\b|\b(?:au fait|pour info|note que|maintenant|désormais|déplacée?|changé|dorénavant|à partir d|repoussée?|augmenté|passe à|passée? à|n'est plus|depuis)\b"
    r"|跟你说一声|对了|顺便说|升到|升级|搬去|迁到|升级到|ちなみに|そういえば|に上げた|に変えた|に引っ越|上がった|下がった|お引っ越し|참고로|그나저나|아 참|이사했|이사 ?갔|올렸|확인해보니|確認したら|查了一下|改到|改成|改为|改為|现在|現在|以后|变成|調到|调到|搬到|换成|涨到|推迟到|変わり|変わ|変更|今は|これから|今月から|来月から|来週から|移っ|引っ越|바뀌|바뀐|바뀜|바꿨|변경|이제|옮겼|옮겨졌|미뤄|올랐",
    re.IGNORECASE,
)
_CONTRASTS = re.compile(
    r"\b(?:yes|right|fine|ok|okay|correct|true|stimmt|richtig|passt|bien|correcto|juste)\b[.,;!]+ (?:but |aber |pero |mais )?[^.,;!?]*\b(?:was|were|is|are|war|waren|ist|sind|era|eran|es|son|était|étaient|est|sont)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(r"^\W*[^\s.!?]+(?: [^\s.!?]+)?\?{1,3} (?=\S)|^[^.!?]+\?{2,} (?=\S)")


def contradicts(text: str) -> bool:
    """Tell whether something may be corrected here, in any of seven languages; for who knows the other side."""
    return _SIGNS.search(text) is not None


def speaks_up(text: str) -> bool:
    """Tell whether words could correct anything at all: quickly, and without a look at what is known."""
    return any(tells(text) for tells in (contradicts, strongly, changes, contrasts))


def strongly(text: str) -> bool:
    """Tell whether somebody is contradicted for sure."""
    return _STRONG.search(text) is not None


def changes(text: str) -> bool:
    """Tell whether something is said to be another way than before."""
    return _CHANGES.search(text) is not None


def blames(trigger: str) -> bool:
    """Tell whether the words that called the validator say that something is wrong, and not just another way."""
    return not re.match(r"(?:i|actually,? (?:i|we))\b", trigger.strip(), re.IGNORECASE)


def contrasts(text: str) -> bool:
    """Tell whether one thing is granted and another is put beside it: `tables are right. chairs were 28`."""
    return _CONTRASTS.search(text) is not None or _DOUBTS.search(text) is not None


def since(text: str) -> str:
    """Return a text without the words that say that something is another way now."""
    return _CHANGES.sub(" ", text)


_EDGE = r"[\s,，、:：;；.。!！?？—–-]*"
_OPENERS = (
    r"(?:oh |ah |hey |um |hm+ |sorry |wait |well |but |hold on |uh )?(?:no(?! (?:es|son|está|era|en)\b)|nope|nah|wrong|incorrect|actually|really|correction|sorry|wait|well|hey|listen|look|again|please|fyi|btw|hm+)\b",
    r"(?:i|we)(?:'ve| have)? ?(?:already |just |clearly |literally |explicitly |definitely )?(?:told|said|meant|mentioned|wrote|asked)(?: to)?(?: you| it)?(?: (?:twice|before|earlier|already|yesterday|last \w+|this morning|that))*(?: that)?(?= |,|:|$)",
    r"that(?:'s| is| was) (?:not (?:right|true|correct|it|what i said)|wrong|outdated|old|incorrect|a mistake|false)",
    r"(?:it's|this is|you're|you are|you've got (?:it|that)|you got (?:it|that)) (?:wrong|outdated|mistaken|mixing (?:it|things|them) up)",
    r"you (?:always |keep )?(?:forgot|forget|forgetting|mixed (?:it|that|them) up|misremember(?:ed)?)(?: (?:again|that|it))*",
    r"(?:don't|do) you (?:not )?remember(?: that)?|remember when i said(?: that)?|remember",
    r"we (?:talked|discussed|went over|agreed|spoke)(?: about)?(?: (?:this|that|it))?(?: (?:before|already|yesterday|last \w+))?",
    r"i mentioned (?:this|that|it)(?: \w+)?|how many times (?:do i (?:have|need) to|have i|must i)(?: \w+){0,3}",
    r"(?:äh|oh|ach|hm|moment)?,? ?(?:nein|nee|falsch|eigentlich|doch|halt|quatsch|moment|korrektur|stimmt nicht|das stimmt (?:so )?nicht|das ist (?:falsch|veraltet|nicht richtig))\b",
    r"(?:ich (?:habe?|hatte) (?:dir |doch |dir doch |doch schon |schon |dir schon )*(?:gesagt|erzählt)|ich (?:sagte|meinte)(?: doch| dir)?|du hast (?:es |das )?(?:schon wieder )?vergessen)(?:,? dass)?",
    r"(?:no(?! (?:es|son|está|era|en)\b)|qué va|perdón|en realidad|de hecho|te equivocas|eso no es (?:así|correcto|cierto)|eso está mal|está mal|incorrecto|error)\b",
    r"(?:(?:ya )?te (?:dije|he dicho|lo dije)|dije|quise decir|quería decir)(?: ya)?(?: que)?",
    r"(?:non|mais non|en fait|pardon|c'est faux|faux|ce n'est pas (?:ça|vrai|exact)|erreur|attends)\b",
    r"(?:je t'ai (?:déjà )?dit|j'ai (?:déjà )?dit|je voulais dire|je disais)(?: que)?",
    r"(?:不是的|不是啊|不是|不对|不對|不|错了|錯了|你错了|你錯了|你记错了|你記錯了|记错了|記錯了|说错了|其实|其實|实际上|實際上|不对吧)(?=[，,。！!\s])|其实|其實|实际上",
    r"(?:我|我都|我明明|我不是)?(?:已经|刚刚|刚才|刚|早就|之前|上次|不是)*(?:跟你|和你|告诉你|告訴你)?(?:说|說|讲|告诉你)(?:过|過|了)?(?:的)?(?:是)?(?:了)?(?=[^，,。]|[，,：:])|我的意思是|(?:你|您)(?:又|是不是|怎么)?(?:忘|忘记|忘記)(?:了|掉)?(?:吗|嗎)?",
    r"(?:いや|いいえ|いえ|違う(?:よ)?|違います|ちがう|ううん|間違い(?:です)?|間違ってる(?:よ)?|間違っています)(?=[、,，。\s]|$)|実は|実際(?:に)?は|正確には|正しくは|(?:さっき|前に|もう|昨日)+(?:も)?(?:言った|言いました|伝えた|伝えました)(?:よね|けど|でしょ(?:う)?|よ)?|忘れ(?:た|ました|ちゃった)(?:の|んですか)?",
    r"(?:아니(?:야|에요|요|죠)?|아뇨|아닙니다|틀렸어(?:요)?|틀려(?:요)?|잘못(?:됐어|됐어요|된 정보야)|사실은?|실은|그게 아니(?:라|고)?)(?=[,，.。!\s]|$)|(?:내가|제가|저번에|아까|전에|어제|이미|벌써|분명히) ?(?:말했|말씀드렸|얘기했)\w*|잊었(?:어|어요|니|나요)",
)
_OPENER = re.compile(rf"{_EDGE}(?:{'|'.join(_OPENERS)})(?![A-Za-zäöüß])", re.IGNORECASE)


def beyond(text: str) -> str:
    """Return a message without the no, or the choice, that answers a question."""
    return re.sub(r"^\W*(?:not|nein|nicht|no+|nope|non|pas|不是|いや|아니)\b[^,.;!?]*", "", bare(text))


def bare(sentence: str) -> str:
    """Return what a sentence states, without the words that only contradict: `no, I said`."""
    while (opener := _OPENER.match(sentence)) and opener.end() > 0:
        sentence = sentence[opener.end() :]
    return sentence.lstrip(" \t,，、:：;；.。!！—–-").strip()


_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_BARE = re.compile(
    r"\b(do|does|did|is|was|are|were|has|have|could|should|would|ai)nt\b|\b(that|there|who|what|he|she)s(?= (?:not|wrong|a|an|the|my|now|called|at|on|in|no)\b)|\b(i|you|we|they)(m|ve|re)(?= )(?<!were)",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"(^|[,;:.!?—–-]\s*|\b(?:but|because|and|no|wait|actually|well|acutally|actualy|also) )its(?= )|\bits(?= (?:not|a|an|the|on|at|in|now|called|been|[A-Z]\w|\d))",
    re.IGNORECASE | re.MULTILINE,
)


def spoken(text: str) -> str:
    """Return what of a message its writer says, without quoted lines and blocks of code."""
    plain = _QUOTED.sub("", _FENCE.sub("", straight(text))).strip()
    plain = _BARE.sub(_elided, plain)
    return _ITS.sub(lambda match: f"{match[1] or ''}it's", plain)


def _elided(match: re.Match[str]) -> str:
    """Return a word with the apostrophe that its writer left out."""
    if match[1]:
        return f"{match[1]}n't"
    return f"{match[2]}'s" if match[2] else f"{match[3]}'{match[4]}"


def called_for(text: str, found: Triage) -> bool:
    """Tell whether the recall validator has anything to look at in a message of the operator's."""
    return any(one.route == VALIDATOR for one in found.matches) or speaks_up(spoken(text))


class Turn(Struct, frozen=True):
    """What somebody said."""

    who: Literal["operator", "agent"]
    text: str


class Stored(Struct, frozen=True):
    """A memory: its id, and what it says."""

    id: str
    text: str


class Correction(Struct, frozen=True):
    """`said` is wrong and `true` is so; `statement` is the whole truth, "" where nobody said it in a sentence.

    `entry` is the memory that says it wrongly; None where none does. `subject` is the whole sentence that is answered
    then, "" unknown.
    """

    said: str
    true: str
    entry: Stored | None
    statement: str
    subject: str = ""


class Candidate(Struct, frozen=True):
    """Something that corrects, perhaps: why nothing is done, what is known of the two sides, which memories fit."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[Stored, ...] = ()
