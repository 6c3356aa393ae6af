"""Tells what is said without being claimed for good."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating.matter import kin
from clawgit.agents.validating.stated_values import values
from clawgit.language import sentences

_QUESTION = re.compile(
    r"[?？]\s*$|^\W*(?:(?:wasn't|isn't|weren't|aren't|didn't|doesn't|shouldn't|are you sure|is it|was it|(?:what|how) about) |(?:bist du sicher|war das nicht|ist das nicht|no era|estás segur[oa]|tu es sûre?)\b)",
    re.IGNORECASE,
)
_TAG = re.compile(r", (?:remember|ok|okay|right|you know|weißt du noch|recuerdas|tu te souviens)\?", re.IGNORECASE)
_REQUEST = re.compile(
    r"^\W*(?:please |pls |bitte )?(?:(?:can|could|would) you (?:please )?(?:stop|drop|skip|lose|change|fix|update|use|switch|call)|kannst du|könntest du|puedes|peux-tu|pourrais-tu)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:(?:have|need|going) to (?:check|look|ask)|let me (?:check|look)|i'll (?:check|look it up|ask)|maybe|perhaps|probably|possibly|i (?:think|guess|suppose|believe|assume)|not sure|might|could be|or was it|or is it|unsure|if|unless|suppose|wondering|whether|(?<!before )i forget|can't remember|don't remember"
    r"|kind of|sort of|was i|did i|haha+|lol|kidding|joking|pretend|imagine|hypothetically|for example|what if|let's say|in the (?:story|novel|game|movie|film|book))\b"
    r"|\b(?:muss (?:ich )?(?:noch )?(?:nachsehen|nachschauen|prüfen|fragen)|ich (?:schaue|sehe) nach|vielleicht|glaube|wahrscheinlich|vermutlich|eventuell|könnte|falls|wenn|unsicher|nicht sicher|oder war|scherz|spaß)\b"
    r"|\b(?:tengo que (?:mirar|comprobar)|lo (?:miro|compruebo)|quizás?|tal vez|creo|probablemente|podría|a lo mejor|no estoy segur[oa]|si acaso|broma)\b|\b(?:je vais vérifier|à vérifier|peut-être|je crois|probablement|sans doute|il se peut|je ne suis pas sûre?|pas sûre?|blague|je pense)\b"
    r"|记不清|記不清|来着|我(?:回家|再|去)?看看|查一下再|再确认|確認してみる|調べてみる|確認する(?:ね|わ)|찾아 ?볼게|확인해 ?볼게|알아볼게|可能|也许|也許|好像|大概|如果|要是|不确定|不確定|说不定|我觉得|我猜|我想想|应该吧|開玩笑|开玩笑|假设|吧[。！!？?]?$|たぶん|かも|と思う|もし|だっけ|冗談|おそらく|気がする|かな|아마|것 같|만약|혹시|치면|라면|글쎄|농담|인가\?|던가|확실하지",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?!(?:I|You|We|Already|Just|No|And|But|It|Actually|Yes|As|Like|What)\b)(?:he|she|they|[Ss]omebody|[Ss]omeone|[Ee]veryone|[A-Z][a-zäöüéñ]+|my \w+|the \w+|his \w+|her \w+) (?:says?|said|claims?|claimed|thinks?|thought|told|wrote|insists?|insisted|believes?|mentioned|reckons)\b"
    r"|\b(?:der|die|das|mein|meine|unser|unsere|[Dd]er|[Dd]ie) \w+ (?:denkt|dachte|meint|meinte|sagt|sagte|glaubt|glaubte|behauptet)\b|\b(?:el|la|mi|los|las) \w+ (?:piensa|creía|cree|dice|dijo)\b|\b(?:le|la|mon|ma) \w+ (?:pense|pensait|croit|dit|croyait)\b|以为|以爲|(?:思って|勘違いして)(?:い?た|る)(?:らしい|って|みたい|けど|$)|줄 알았|라고 생각했|\b[Aa]ccording to\b|\b(?:[A-Z][a-zäöü]+|er|sie|mein \w+|meine \w+) (?:sagt|meint|sagte|meinte|behauptet|glaubt)\b|\b[Ll]aut\b|\b(?:[A-Z][a-zñ]+|él|ella) (?:dice|dijo|cree)\b|\b[Ss]egún\b|\b(?:[A-Z][a-zé]+|il|elle) (?:dit|a dit|pense|croit)\b|\b[Ss]elon\b"
    r"|(?<!我)(?<!我们)(?:他|她|他们|[\u4e00-\u9fff]{2,3})(?:说|說)(?!过|的是|的|了|错|得)(?:他|她|是|会|：|:|，|要)|(?:さん|君|ちゃん|彼|彼女)(?:は|が)[^。]{0,20}(?:と言|って言|だと)|씨(?:는|가)? [^.]{0,20}(?:라고|다고)",
)
_PLAY = re.compile(
    r"\b(?:kidding|joking|joke|suppose|imagine|what if|hypothetically|scherz|spaß|broma|blague)\b|开玩笑|うそ|冗談|농담|[😜🤣😉🍌👑]",
    re.IGNORECASE,
)
_JESTS = re.compile(
    r"\b(?:forever|eternally|still only|ewig|eternamente|éternellement) \d+\b|永远(?:是)?\s?\d+|永遠の|万年\d+|영원(?:히|한)|\b(?:oh sure|yeah,? right|as if|sure,? and i'm|your majesty|ja klar,? und|sí claro,? y|mais bien sûr)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"^\W*(?:(?:so|ok|okay|hm+|now|and|und|y|et),? )*(?:(?:let's |just )?(?:say|pretend|suppose|supposing|imagine|assume|assuming) (?:that )?(?:i|we|it|he|she|they|the|my|our|you)\b|let's (?:say|pretend|assume|imagine)\b|what if\b|if i (?:had|lived|were|was|worked|moved|used|weighed|earned|spoke)\b)"
    r"|\b(?:one day|some ?day|eventually|in the future) (?:i|we|he|she|they)\b|\b(?:eines Tages|irgendwann (?:mal )?(?:will|werde)|algún día|un jour,? (?:je|on))\b|(?:^|\b)(?:i|we) (?:almost|nearly) |\bin my dreams?\b|\bim Traum\b|\ben (?:mi|un) sueño|\bdans mon rêve|\bcasi (?:lo|la|me)\b|差点|差點|梦里|梦见|夢で|危うく|하마터면|꿈에서|总有一天|总有天|将来|いつか|언젠가"
    r"|\b(?:what if|hypothetically|in theory|if i (?:lived|were|had|worked|moved)|i wish|if only|would have been|in (?:my|the|his|her|this|our) (?:novel|story|game|film|movie|book|play|campaign|dream|song|sketch|scene)|role-?play|in character|as an example|for instance|e\.g\.|translate|how do you say|how would (?:you|i) say)\b"
    r"|\b(?:angenommen|stell dir vor|nehmen wir an|mal angenommen|was wäre,? wenn|wenn ich .{0,40}(?:wäre|hätte|würde|wohnte)|ich wünschte|theoretisch|im (?:Roman|Spiel|Film|Buch)|übersetze?|zum Beispiel|wie sagt man)\b"
    r"|\b(?:supongamos|imagina(?:te)?|supón|y si|si (?:yo )?(?:viviera|fuera|tuviera|trabajara|no)|ojalá|en (?:la|mi) (?:novela|historia|película)|por ejemplo|traduce|cómo se dice|en teoría)\b"
    r"|\b(?:supposons|imagin(?:e|ons)|disons que|et si|si (?:je|j'|on) .{0,10}(?:ais|était|avait)\b|j'aimerais que|dans (?:le|mon) (?:roman|jeu|film|livre)|par exemple|traduis|comment dit-on|en théorie)\b"
    r"|假如|假设|假設|假使|如果|要是|要不是|万一|比如说?|打个比方|理论上|小说里|游戏里|故事里|翻译|翻譯|但愿|もし|仮に|たとえば|例えば|としたら|だったら(?:いい|どう|家賃|いくら)|(?:小説|ゲーム|映画|物語)(?:の中)?(?:で|では)|訳して|翻訳|理論上|만약|만일|가령|예를 들|라고 (?:치|가정)|였다면|라면|산다면|소설에서|게임에서|번역|면 좋겠",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:last (?:year|season|summer|winter|spring|autumn|fall|semester|quarter|decade)|my (?:old|previous|former|last) \w+|back then|back in|back when|at the time|at first|originally|in the old days|years ago|when (?:i|we) (?:was|were|lived)|als ich (?:klein|jung|noch)|quand j'étais|as a (?:kid|child|student)|in (?:19|20)\d\d|used to|früher|damals|letztes Jahr|voriges Jahr|ursprünglich|als Kind|antes|el año pasado|entonces|al principio|cuando (?:era|tenía|vivía)|en aquella época|de niñ[oa]|avant|l'an dernier|l'année dernière|à l'époque|autrefois|au début)\b"
    r"|去年|以前|当时|當時|那时|那時|小时候|从前|原先|昔|当時|去年|以前|子供の頃|作年|작년|예전|그때|옛날|당시|어릴 때",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|is|it's|are|i'm|am|we're|today|these days|currently|jetzt|ist|sind|inzwischen|heute|seitdem|ahora|es|está|hoy|maintenant|est|c'est|désormais|since|moved|changed|switched)\b|现在|現在|如今|今は|今では|지금|이제|搬|换|改|变|引っ越|変わ|이사|바뀌|바꿨",
    re.IGNORECASE,
)
_HELD_AGAINST = re.compile(
    r"\b(?:he|she|they|everyone|everybody)(?:'s|'re| is| are) (?:so |just |clearly |obviously )?(?:wrong|mistaken)\b|\b(?:er|sie) (?:hat|haben) unrecht\b|\b(?:él|ella) se equivoca\b|\b(?:il|elle) a tort\b|(?:他|她|他们)(?:说)?(?:错|不对|搞错)了|(?:彼|彼女|あいつ)(?:が|の方が|は)(?:間違|違)|(?:걔|그 사람|그가|그녀가)(?:가|이)? 틀렸",
    re.IGNORECASE,
)
_LAUGHS = re.compile(r"\b(?:ha(?:ha)+|lol)\b|哈哈|[(（]笑|www|ㅋㅋ|[😂🙃😅]", re.IGNORECASE)


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return _QUESTION.search(_TAG.sub(".", sentence)) is not None and not _REQUEST.match(sentence)


def plays(text: str) -> bool:
    """Tell whether somebody jokes, or supposes."""
    return _PLAY.search(text) is not None


def jests(text: str) -> bool:
    """Tell whether somebody says what cannot be meant: `forever 18`."""
    return _JESTS.search(text) is not None


def supposes(sentence: str) -> bool:
    """Tell whether a sentence supposes, wishes, tells a story, or gives an example."""
    return _SUPPOSED.search(sentence) is not None


def past(sentence: str) -> bool:
    """Tell whether a sentence says only how it once was."""
    return _THEN.search(sentence) is not None and _NOW.search(sentence) is None


def sides(text: str) -> bool:
    """Tell whether somebody else is said to be wrong, and not what is remembered."""
    return _HELD_AGAINST.search(text) is not None


def laughs(text: str) -> bool:
    """Tell whether somebody laughs, which takes nothing back by itself."""
    return _LAUGHS.search(text) is not None


def unsure(sentence: str) -> bool:
    """Tell whether a sentence asks, supposes, jokes, or tells what somebody else says."""
    return bool(asks(sentence) or _UNSURE.search(sentence) or _OTHERS.search(sentence))


_OFFER = re.compile(
    r"\b(?:I (?:can|could|might) |how about|what about|would you|ich (?:kann|könnte)|puedo|podría|je peux|je pourrais)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\W*(?:(?:now|so|then|and|please|pls|also|just|can you|could you|would you|i need you to|i want|i'd like|i need|bitte|jetzt|kannst du|por favor|ahora|puedes|s'il te plaît|maintenant|peux-tu)\W+)*"
    r"(?:book|buy|remind|write|make|send|add|create|order|schedule|give|get|find|show|tell|put|start|run|open|plan|draft|call|order|log|note|wake|ping|invite|reserve|search|try|check|read|print|cook|play|count|list|pick|take|generate|build|deploy|test|a new|another|an? \w+ (?:of|for)"
    r"|buche?|kaufe?|erinnere?|schreibe?|mache?|stelle?|schicke?|erstelle?|bestelle?|suche?|trage?|reserva|compra|recuérdame|escribe|pon|manda|crea|busca|réserve|achète|rappelle|écris|mets|envoie|crée|cherche)\b"
    r"|帮我|请|给我|提醒我|.*(?:してください|して(?:おいて)?[。!]?$|お願い)|.*(?:해줘|해 줘|주세요)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:as well|too|also|another|additional|extra|more|on top|auch|zusätzlich|noch (?:ein|mal)|también|otr[oa]|además|aussi|un autre|une autre|encore)\b|另外一|再来|もう一つ|또 하나",
    re.IGNORECASE,
)


def claims(text: str) -> str:
    """Return what a text states, without its questions and its offers."""
    return "\n".join(one for one in sentences.texts(text) if not (asks(one) or _OFFER.search(one)))


def orders(clause: str) -> bool:
    """Tell whether a clause asks for something to be done, or adds to what is so: no memory is wrong then."""
    return bool(_ORDERS.match(clause) or _MORE.search(clause))


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


_OBSERVED = re.compile(
    r"`[^`\n]+`|[<>=!]=|=>|\b(?:def|return|None|null|nil|undefined|NaN|ORDER BY|SELECT|stdout|stderr|stack ?trace|traceback|regex|linter?|ruff|mypy|eslint|pytest|compiler|off by one)\b"
    r"|\b(?:lines?|column|index|exit code|status(?: code)?|error code|HTTP|response|Zeile|Spalte|Rückgabe(?:wert)?|línea|columna|ligne|colonne)\s*[:=]?\s*\d+"
    r"|\bi(?:'m)? (?:get|got|getting|see|seeing|still get) (?:an? )?[\d\"']|\bit (?:returns?|returned|prints?|printed|throws?|threw|outputs?|exits?|exited)\b|\bshould (?:return|print|throw|output|exit|yield)\b"
    r"|\bthe (?:tests?|build|function|loop|query|output|diff|logs?|method|script|assertion|endpoint|array|test case) (?:is|are|should|returns?|says?|prints?|shows?|gives?|fails?|starts?)\b"
    r"|\b(?:ich (?:bekomme|kriege|sehe) (?:hier )?(?:eine? )?\d|gibt .{0,30}zurück|die (?:Ausgabe|Funktion|Schleife|Abfrage) )|\b(?:devuelve|imprime|me sale (?:un )?\d|la (?:función|salida|consulta) )|\b(?:renvoie|retourne|affiche|j'obtiens (?:une? )?\d|la (?:fonction|sortie|boucle|requête) )"
    r"|返回|报错|報錯|输出|輸出|下标|下標|代码|代碼|第\s?\d+\s?行|函数|函數|循环|状态码|\d+\s?行目|戻り値|返り値|返すべき|出力|エラー(?:コード)?|関数|ループ|昇順|降順|ステータス|반환|출력|에러|오류 코드|\d+\s?번째 줄|\d+\s?행|함수|반복문",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:returned|exited|printed|failed|threw)\b|\b\w+ says [`'\"]|\bdef \w+\(|\breturn \w|\bSELECT\b|[{};]\s*$|lambda|=> ?\{",
    re.IGNORECASE,
)


def observes(text: str, agent: str = "") -> bool:
    """Tell whether somebody speaks of code, or of what a tool shows: that is no memory."""
    return bool(_OBSERVED.search(text) or _TOOL.search(agent))


_ABILITY = re.compile(
    r"\byou (?:can|could|may|already can|do|also) (?:just |simply |always )?(?:use|run|call|access|read|open|do that with|browse|search)\b"
    r"|\byou (?:do )?have (?:a|an|the|access to|your) (?:[\w-]+ ){0,3}(?:tool|script|skill|command|access|plugin|integration|server|browser|terminal|camera|api)\b"
    r"|\b(?:use|run|try|forgot(?: about)?|remember) (?:the|your|that) (?:[\w-]+ ){0,3}(?:tool|script|skill|command|plugin|integration)\b"
    r"|\byou know how to\b|\bdu (?:kannst|hast) .{0,40}(?:Werkzeug|Skript|Tool|Befehl|Zugriff)"
    r"|你(?:可以|能)(?:用|使用|调用|运行)|你有.{0,12}(?:工具|脚本|技能|权限)|.{0,12}(?:ツール|スクリプト|スキル)(?:が|を)(?:使え|ある)|(?:도구|스크립트|스킬).{0,6}(?:있|쓸 수|사용)",
    re.IGNORECASE,
)


def about_ability(text: str) -> bool:
    """Tell whether somebody is reminded of a tool, a script or a skill (spec §5.3: no memory)."""
    return _ABILITY.search(text) is not None
