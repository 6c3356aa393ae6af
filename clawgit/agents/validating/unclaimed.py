"""Tells what is said without being claimed."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

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
