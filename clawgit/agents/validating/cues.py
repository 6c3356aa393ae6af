"""Tells how a message contradicts."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating.values import values
from clawgit.triage.own_words import straight

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
_SIGNS = re.compile(
    r"\b(?:no|nope|wrong|incorrect|i (?:said|meant|told you)|instead of|not|isn't|wasn't|aren't|mistaken|mixed up|outdated|changed|moved|switched)\b"
    r"|\b(?:nein|falsch|nicht|statt|stimmt nicht|sondern|meinte|sagte|gesagt|vergessen)\b|\b(?:no|sino|dije|equivocas|en vez de|incorrecto)\b"
    r"|\b(?:non|pas|faux|plutôt|au lieu|j'ai dit|t'ai)\b"
    r"|不是|不对|不對|错了|錯了|记错|記錯|其实|其實|改成|改到|改为|换成|忘了|说过|說過|應該|应该是|いや|いいえ|違|ではなく|じゃなく|じゃない|間違|実は|変更|아니|말고|틀렸|잘못|사실|바뀌|변경",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"^\W*(?:(?:oh|ah|um|sorry|wait|well|hey|but|uh|hm+)\W+)?(?:no|nope|wrong|actually|nein|nee|falsch|non|faux)\b|\bi (?:said|meant|told you|already)\b|\bthat'?s (?:wrong|not|outdated|old|incorrect)|\b(?:is|are)n'?t right|(?:is|are) (?:outdated|old|wrong)\b|\bwrong\b|^\W*not\b|can't be right|\bmy mistake\b"
    r"|you (?:forgot|got (?:it|that) wrong|mixed)|\bich (?:sagte|meinte|hab)|stimmt (?:so |doch |gar |doch gar )*nicht|schon wieder|\bDreher\b|te (?:dije|he dicho)|te equivocas|t'ai (?:déjà )?dit|c'est faux"
    r"|^\W*(?:不是|不对|不對|不[，,]|错了|錯了|其实|其實)|记错|記錯|我说的是|我說的是|我说过|^\W*(?:いや|いいえ|いえ|違)|間違|(?:^|[\s,.])(?:아니|아뇨)(?=[,，.\s요야])|틀렸|잘못",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:moved|changed|switched|shifted|pushed|raised|cut|now|from now on|these days|any ?more|no longer|as of|since)\b|\b(?:jetzt|ab sofort|ab jetzt|neuerdings|verschoben|geändert|mittlerweile)\b"
    r"|\b(?:ahora|a partir de|cambiado|cambió)\b|\b(?:maintenant|désormais|déplacé|changé)\b|改到|改成|改为|现在|以后|变成|变わり|変わ|変更|今は|これから|바뀌|바뀐|변경|이제|옮겼",
    re.IGNORECASE,
)
_PLAY = re.compile(
    r"\b(?:ha(?:ha)+|lol|kidding|joking|joke|suppose|imagine|what if|hypothetically|scherz|spaß|broma|blague)\b|哈哈|开玩笑|[(（]笑|うそ|冗談|ㅋㅋ|농담|[😜😂🤣😉🙃🍌]",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|i (?:think|guess|suppose|believe|assume)|not sure|might|could be|or was it|or is it|unsure|if|unless|suppose|wondering|whether|(?<!before )i forget|can't remember|don't remember"
    r"|kind of|sort of|was i|did i|haha+|lol|kidding|joking|pretend|imagine|hypothetically|for example|what if|let's say|in the (?:story|novel|game|movie|film|book))\b"
    r"|\b(?:vielleicht|glaube|wahrscheinlich|vermutlich|eventuell|könnte|falls|wenn|unsicher|nicht sicher|oder war|scherz|spaß)\b"
    r"|\b(?:quizás?|tal vez|creo|probablemente|podría|a lo mejor|no estoy segur[oa]|si acaso|broma)\b|\b(?:peut-être|je crois|probablement|sans doute|il se peut|je ne suis pas sûre?|pas sûre?|blague|je pense)\b"
    r"|可能|也许|也許|好像|大概|如果|要是|不确定|不確定|说不定|我觉得|我猜|我想想|应该吧|開玩笑|开玩笑|假设|吧[。！!？?]?$|たぶん|かも|と思う|もし|だっけ|冗談|おそらく|気がする|かな|아마|것 같|만약|혹시|치면|라면|글쎄|농담|인가\?|던가|확실하지",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?!(?:I|You|We|Already|Just|No|And|But|It|Actually|Yes|As|Like|What)\b)(?:he|she|they|[Ss]omebody|[Ss]omeone|[Ee]veryone|[A-Z][a-zäöüéñ]+|my \w+|the \w+|his \w+|her \w+) (?:says?|said|claims?|claimed|thinks?|thought|told|wrote|insists?|insisted|believes?|mentioned|reckons)\b"
    r"|\baccording to\b|\b(?:[A-Z][a-zäöü]+|er|sie|mein \w+|meine \w+) (?:sagt|meint|sagte|meinte|behauptet|glaubt)\b|\blaut\b|\b(?:[A-Z][a-zñ]+|él|ella) (?:dice|dijo|cree)\b|\bsegún\b|\b(?:[A-Z][a-zé]+|il|elle) (?:dit|a dit|pense|croit)\b|\bselon\b"
    r"|(?<!我)(?<!我们)(?:他|她|他们|[\u4e00-\u9fff]{2,3})(?:说|說)(?!过|的是|的|了|错|得)(?:他|她|是|会|：|:|，|要)|(?:さん|君|ちゃん|彼|彼女)(?:は|が)[^。]{0,20}(?:と言|って言|だと)|씨(?:는|가)? [^.]{0,20}(?:라고|다고)",
)
_WAVES = re.compile(
    r"^\W*(?:oh |ah |ach )?(?:no|nope|nah|nein|nee|non|不|不用|不是|没|いや|いいえ|いえ|아니|아뇨|아니요)?[\s,，、.!]*"
    r"(?:(?:it's|that's|all|i'm) (?:all |totally |really |perfectly )?(?:fine|ok|okay|good|alright|right)|thanks?(?: you)?|no (?:worries|problem|need)|never ?mind|not (?:now|yet|needed|necessary)|don't bother|you're right|my bad|(?:that's|it's) my (?:fault|mistake|bad)"
    r"|danke|alles (?:gut|klar|okay)|passt(?: schon)?|kein problem|macht nichts|schon gut|ist (?:gut|okay|ok)|das passt|lass (?:mal|gut sein)|stimmt schon|du hast recht"
    r"|gracias|está bien|no pasa nada|todo bien|tranquil[oa]|da igual|no importa|merci|ça va|c'est bon|pas de (?:souci|problème)|pas grave|ce n'est (?:pas grave|rien)|t'inquiète"
    r"|没事|沒事|没关系|沒關係|不用(?:了|谢)?|谢谢|謝謝|没问题|挺好|可以|好的|不客气|(?:それで|それは|もう)?(?:大丈夫|結構|問題ない|問題ありません|いいです|いいよ)|気にしないで|ありがとう|괜찮|고마워|감사|됐어|좋아|문제없)(?![a-zäöü])",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:no,? )*(?:yes|yep|yeah|yup|exactly|correct|right|perfect|you got it|ja|genau|richtig|stimmt(?! nicht)|sí|exacto|correcto|oui|exactement|对(?!了)|對(?!了)|是的|没错|沒錯|嗯|はい|そう|その通り|うん|네|예|응|맞아|맞습니다|그래)(?![a-zäöüß一-龥가-힣])",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\s*$")
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SHORT = 90
_STOP = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+")


def spoken(text: str) -> str:
    """Return what of a message its writer says, without quoted lines and blocks of code."""
    return _QUOTED.sub("", _FENCE.sub("", straight(text))).strip()


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, and its lines."""
    return [one.strip() for one in _STOP.split(text) if one.strip()]


def contradicts(text: str) -> bool:
    """Tell whether something may be corrected here, in any of seven languages; for who knows the other side."""
    return _SIGNS.search(text) is not None


def strongly(text: str) -> bool:
    """Tell whether somebody is contradicted for sure."""
    return _STRONG.search(text) is not None


def waves_off(text: str) -> bool:
    """Tell whether a short answer only declines or forgives: "no, thanks"."""
    return len(text) <= _SHORT and _WAVES.match(text) is not None and not values(text)


def changes(text: str) -> bool:
    """Tell whether something is said to be another way than before."""
    return _CHANGES.search(text) is not None


def plays(text: str) -> bool:
    """Tell whether somebody jokes, or supposes."""
    return _PLAY.search(text) is not None


def agrees(text: str) -> bool:
    """Tell whether somebody is told to be right."""
    return _AGREES.match(text) is not None


def unsure(sentence: str) -> bool:
    """Tell whether a sentence asks, supposes, jokes, or tells what somebody else says."""
    return bool(_QUESTION.search(sentence) or _UNSURE.search(sentence) or _OTHERS.search(sentence))


def bare(sentence: str) -> str:
    """Return what a sentence states, without the words that only contradict: `no, I said`."""
    while (opener := _OPENER.match(sentence)) and opener.end() > 0:
        sentence = sentence[opener.end() :]
    return sentence.lstrip(" \t,，、:：;；.。!！—–-").strip()
