"""Strips the words that only contradict."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

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
