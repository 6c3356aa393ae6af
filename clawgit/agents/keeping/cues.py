"""Tells what a remark does: order, blame, welcome."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

ORDERS = re.compile(
    r"^(?:please |just |simply |do |always |never |so |then |ok |first )*(?:don't|do not|never|no more|give|tell|say|ask|put|use|keep|start|begin|open|lead|end|close|stop|quit|drop|skip|spare|leave|cut|show|mark|name|quote|cite|write|answer|reply|pick|choose|commit|recommend|repeat|wait|check|be|stay|make|speak|talk|read|explain|mention|call|spell|sum|summari[sz]e|warn|flag|admit|try|stick|save|hold|bring|offer|listen|let me|send me|lose|shorten|treat|address|figure|count|come (?:straight|right|to)|go (?:straight|easy|slow\w*)|get to)\b"
    r"|\byou (?:don't|do not|needn't|can|could|may|should|shouldn't|must|mustn't|have to|need to|ought to)\b|\bi (?:don't|do not) (?:want|need|like)\b|\bi(?:'d| would) (?:rather|like|prefer|love)\b|^i (?:want|need|prefer)\b|\b(?:please|pls)\W*$|\b(?:(?:is|are|would be|that's) (?:enough|plenty|all i (?:need|want))|would do|will do|'ll do)[.!]*$|\bwould do\b|\bwill do\b|^(?:just|only|no|less|fewer|never|straight|plain|short|top)\b.{0,60}$|\b(?:\w+s?|the \w+) first[.!]*$|\bat a time\b|\bto ask\W*$|\bbe done\b|\binstead of\b"
    r"|(?:^|[,;:–-] |\bund |\bbitte )(?:bitte |einfach |nur |doch |dann |immer |nie )*(?:sag|schreib|frag|gib|lass|nenn|spar|hör|mach|nimm|bleib|zeig|fang|stell|sprich|rede|erklär|zitier|antworte|komm|warte|benutz|verwend|halte?|fass|trag|setz|kürz|sei|such|wähl|entscheid|duz|siez|erspar|verzicht)\w{0,3}\b|\b(?:kannst|brauchst|musst|sollst|solltest|darfst) du\b|\bdu (?:kannst|brauchst|musst|sollst|solltest)\b|\bich (?:will|möchte|brauche|hätte gern)\b|\b(?:reicht|genügt|bitte)\W*$|^(?:kein\w*|nur|erst|zuerst|nie|immer|ohne)\b"
    r"|(?:^|[,;:–-] |\by |\bpor favor )(?:por favor |siempre |nunca |mejor |solo |simplemente |primero |no )*(?:di|dime|dile|dilo|pon|ponlo|ponme|usa|h[aá]bla\w*|pregunta\w*|dame|empieza|deja|quita|evita|responde|escribe\w*|elige|cuenta|cuéntame|avisa|trata\w*|termina|corta|ahórra\w*|espera|explica\w*|cita|marca|sé|haz|\w+(?:es|as))\b|\b(?:basta con|me basta|con eso basta|prefiero|quiero|hace falta que|no hace falta|sobra|ve al)\b|^(?:de usted|sin|primero|nada de|menos|más|solo)\b"
    r"|(?:^|[,;:–-] |\bet |\bmerci de )(?:toujours |simplement |juste |d'abord |ne |n')*(?:dis|mets|donne|commence|écris|réponds|demande|arrête|évite|garde|laisse|parle|épargne|choisis|termine|finis|cite|attends|explique|sois|reste|va|pose|coupe|enlève|prends|propose)(?:-\w+)*\b|\b(?:pas besoin de|inutile de|suffit|je (?:veux|préfère|voudrais)|il faut|tu (?:peux|dois|n'as pas à)|s'il te plaît)\b|^(?:pas de|plus de|moins de|juste|sans|d'abord)\b"
    r"|别|不要|不用|不必|请|直接|就行|就好|就够|就停|就可以|才好|得是|先.{1,14}(?:再|办法)|先[\u4e00-\u9fff]|要[写说问放带注标讲给]|少[说来写]|说.{0,4}(?:一点|点|些)|给我|只要|只[说写给]|放(?:到|在)?(?:最)?前|我(?:要|想要|不要|不想)|省(?:了|掉)"
    r"|(?:て(?:ください|下さい|くれ(?:れば|ると)?|ね|よ|ほしい|欲しい|もらえ|おいて)?|で(?:ください|ね)?|ないで\w*|なくていい|なくて結構|ば十分|で(?:いい|十分|結構|お願い)|だけで|頼みます|頼む|お願い(?:します)?|こと|いらない|要らない|不要|やめて|やめよう|ように)[。!！、]*$|(?:て(?:ください|くれ|ほしい)|ないで|なくていい|いらない|やめて|だけで(?:いい|十分))"
    r"|(?:줘요?|주세요|줄래요|해요|하세요|마세요|마요|말고|말아 ?줘요?|말아요|면 (?:돼|됩니다|충분)요?|지 마|써요|쓰세요|없어도 돼요?|필요 ?없어요?|빼|부탁(?:해요|합니다|드려요)?|했으면 (?:해|좋겠)\w*)[.!~]*(?:$|[ ,])",
    re.IGNORECASE,
)
"""What bids the agent do or leave something, at the head of a clause or at its end."""
GENERAL = re.compile(
    r"\b(?:when|whenever|if|unless|once|until|every time|each time|any time|as long as|as soon as) (?:i(?!'?d? (?:was|were|had|went|said|got|came))|you|it|it's|it is|there|there's|somebody|someone|something|anything|they|she|he|we|one|two|a|an|people|clients?|guests?|owners?|customers?|my)\b|\bat a time\b|\b(?:per|each|every) (?:message|answer|reply|mail|question|line|sentence)\b|\b(?:with|to|for) (?:her|him|them|me|my \w+|clients|customers|kids|children|owners|guests|students|patients|people|strangers)(?: \w+)?$|\b(?:with|to) (?:her|him|them)\b"
    r"|\b(?:wenn|falls|sobald|jedes mal|solange) (?:ich|du|es|sie|er|jemand|etwas|was|man|wir|einer|eine?r?|die|der|das|mein\w*)\b|\b(?:bei|mit|zu) (?:ihr|ihm|ihnen|mir|meiner|kunden|gästen)\b"
    r"|\b(?:cuando|si|siempre que|mientras|en cuanto) (?!no\b)\w+|\b(?:con|a) (?:ella|él|ellos|mi (?:madre|padre|jef[ea]|herman[oa]|hij[oa]|suegr[oa])|clientes|los clientes)\b"
    r"|\b(?:quand|lorsque|dès que|tant que) (?:je|tu|il|elle|on|c'est|quelqu'un|un|une|mon|ma|les)\b|\bsi (?:je|tu|il|elle|on|c'est|quelqu'un|un|une)\b|\b(?:avec|à) (?:elle|lui|eux|ma mère|mon père|les clients)\b"
    r"|的时候|每(?:次|回|当)|只要|要是|如果|等(?:我|他|她|人家).{0,4}再|(?:对|跟|给|和)(?:她|他|他们|小?[\u4e00-\u9fff]{1,2}(?:姐|哥|妈|爸|老师))|(?:她|他|人家).{0,8}(?:你|就|别)|加引号就|时[，,]"
    r"|(?:とき|時|場合)(?:は|に)?|(?:たら|なら|れば|ると)[、 ]|さん(?:に|へ|と)は?|相手に|には[、 ]?"
    r"|(?:때는?|으?면|경우(?:에는?)?) |(?:소식|얘기|일|건|것|숫자|시간|대답|답|질문|설명|사람|고객)(?:은|는) |(?:한테|에게|께)는? ",
    re.IGNORECASE,
)
"""What says of a bidding that it is meant for each case of a kind."""
STANDING = re.compile(
    r"\b(?:from (?:now|here) on|from today(?: on)?|going forward|always|never|every time|each time|in (?:the )?future|any ?more|as a rule|by default|whenever|(?:that's|that is) the rule|for good)\b|\b(?:ab jetzt|ab heute|künftig|in zukunft|von nun an|immer|nie(?:mals)?|grundsätzlich|jedes mal|nicht mehr)\b|\b(?:a partir de ahora|de ahora en adelante|desde hoy|siempre|nunca|cada vez|nunca más)\b|\b(?:désormais|dorénavant|à partir de maintenant|toujours|jamais|à chaque fois|à l'avenir|ne\b.{1,20}\bplus)\b"
    r"|以后|今后|往后|从今|从现在起|每次|永远|一律|一直|都这样|都这么|今後|これから|以後|次から|いつも|毎回|常に|必ず|ずっと|二度と|앞으로|이제부터|다음부터|항상|언제나|매번|늘|절대|계속",
    re.IGNORECASE,
)
AGAIN = re.compile(
    r"\b(?:again|yet another|(?:second|third|fourth|fifth) time|(?:twice|three times) now|i(?:'ve| have)? (?:already )?(?:mentioned|said|told you|asked)(?: you)?(?: about)? (?:this|that|before|already|it|so)|we(?:'ve| have)? (?:talked|spoken|been) (?:about|over|through) this|as (?:last|i said|before)|same as (?:last|before)|same (?:thing|story|mistake|problem)|like (?:last (?:time|week|month)|with \w+|before|the other day)|still (?:doing|not|the|too|at)|once more|there it is|here we go|how (?:often|many times)|didn't (?:we|i) (?:say|agree|ask)|back to (?:your )?old|keeps? (?:happening|coming))\b"
    r"|\b(?:schon wieder|(?:zum )?(?:zweite|dritte|vierte)n? mal|wieder (?:mal|so|das|die|der|ein\w*)|immer noch|hatten wir (?:doch )?schon|hab\w*(?: ich)?(?: dir)?(?: doch)? schon (?:mal )?(?:gesagt|erwähnt)|wie (?:letzte woche|neulich|beim letzten mal)|noch ?mal)\b"
    r"|\b(?:otra vez|de nuevo|(?:segunda|tercera) vez|ya (?:te )?lo (?:dije|comenté|pedí|había dicho)|ya te (?:dije|pedí)|igual que|como la (?:última|otra) vez|sigues|y dale|lo mismo)\b"
    r"|\b(?:encore(?: une fois)?|à nouveau|(?:deuxième|troisième) fois|je (?:te )?l'(?:ai|avais) (?:déjà )?(?:dit|demandé)|comme (?:la dernière fois|la semaine)|toujours pas|re-?belote|même (?:chose|histoire))\b"
    r"|又\w|上次也|上回也|说过(?:一回|一次|了|的)?|提过|讲过|还是(?:老样子|这样|没)|第[二三四]次|老毛病|また(?!は|ね|明日|今度|来)|前にも|この前も|何度(?:も|目)|[二三四]度目|言ったのに|頼んだ(?:のに)?|相変わらず|(?:^|\s)또(?=\s)|또다시|지난번(?:에도|처럼)|저번(?:에도|처럼)|말했(?:는데|잖)|여전히|[두세네] ?번째|아직도",
    re.IGNORECASE,
)
"""What says that it is not the first time."""
WELCOMES = re.compile(
    r"\b(?:i (?:really )?(?:like|love|appreciate|enjoy)(?:d)?|love (?:that|this|how|the|it)|loved|saved (?:me|my)|helps?(?:ed)? (?:me|a lot|so)|so much (?:easier|better|clearer)|much (?:easier|better|clearer)|easier to|exactly (?:the |how|what|right|like|this)|just (?:right|like this|what)|the best (?:idea|thing|part|way)|good (?:way|idea|call|format|habit)|(?:that's|that is|see,? that's) (?:the way|how|it|an answer|what i)|works? (?:well |really |so )?(?:for me|well)|perfect|spot on|right kind|brilliant|do it like|(?:really|actually) works|nice touch)\b"
    r"|\b(?:gefällt mir|finde ich (?:super|gut|toll|klasse)|so ist (?:es )?(?:gut|super|besser)|genau so|hilft mir|gute (?:idee|art)|viel besser|perfekt|mag ich|so mag ich|super so|klasse)\b|\b(?:así sí|me gusta|me encanta|me (?:ayuda|sirve|quita|viene bien)|justo así|así da gusto|mucho mejor|perfecto|buena (?:idea|manera|forma))\b|\b(?:j'aime|j'adore|c'est (?:parfait|mieux|exactement|bien comme)|comme ça oui|ça m'aide|bonne (?:idée|façon)|parfait|nickel|beaucoup mieux)\b"
    r"|这样.{0,12}(?:好|一眼|清楚|方便|省事|省时|舒服)|(?:很|真)(?:好|方便|清楚|有用)|就(?:按|照)这个|喜欢(?:你|这)|不错|好用|省心|助かった|助かる|いいね|わかりやすい|分かりやすい|見やすい|好き|ちょうどいい|ありがたい|좋네요|좋아요|좋았어요|편하네요|편해요|마음에 들|도움이? ?(?:됐|돼|되)|딱 ?(?:이렇게|좋)|알기 쉬",
    re.IGNORECASE,
)
LASTING = re.compile(
    r"\b(?:keep (?:doing (?!what|great|your)|that|this|them|it (?:that|this|so|like|short|coming))|always (?:like|do|this)|like (?:this|that) (?:always|every|from)|keep the .{1,30} (?:thing|bit|part|format|style|habit|way|line|idea)|(?:this|that) way (?:always|every|from now)|do (?:it|that|this) (?:like (?:this|that)|every|each|always)|stay with (?:that|this)|stick (?:with|to) (?:that|this)|more of (?:that|this)|leave it (?:like|that way)|make (?:that|this|it) a habit|don't (?:ever )?(?:change|lose|stop) (?:that|this|it|doing)|go on (?:like|doing)|carry on (?:like|doing))\b"
    r"|\b(?:mach (?:das )?(?:weiter )?so|(?:bitte )?(?:immer|weiter(?:hin)?) so|immer so|so weiter|dabei bleiben|bleib dabei|behalt\w* (?:das|es) bei|ab jetzt (?:immer )?so)\b|\b(?:sigue (?:así|haciendo|contánd\w+|dándo\w+|con)|siempre así|así siempre|hazlo (?:siempre )?así|no lo cambies|mantén(?:lo)?|que siga)\b|\b(?:continue (?:comme|à|ainsi)|toujours comme ça|comme ça (?:toujours|à chaque)|garde (?:ça|cette|ce)|ne change (?:rien|pas))\b"
    r"|一直(?:这么|这样|写|用)|就(?:按|照)这(?:个|样)|都(?:按|照)这个|继续(?:这样|这么|保持)|保持|以后(?:都|就)(?:这样|这么|按)|ずっと続け|続けて|この調子|これからもこ|毎回こ|いつもこ|계속 (?:이렇게|그렇게|유지|해)|이대로|앞으로도|늘 이렇게|유지해",
    re.IGNORECASE,
)
"""What asks that a way be kept."""
LAPSES = re.compile(
    r"\b(?:(?:you|these|this|they|it|that|those|messages|notes|answers|replies|drafts|summaries) (?:always )?used to|since when|the deal (?:is|was)|(?:that|this) was the (?:idea|deal|plan|arrangement|agreement|point)|(?:not )?what we (?:said|agreed|settled|had)|we (?:had )?(?:said|agreed)|where did .{1,40} go|what happened to|what's (?:happened|become) (?:to|of)|(?<!have )you(?:'ve| have) (?:started|stopped|begun|slipped|drifted|become|gotten|turned)|you were (?:good|better|great) at|you never used|you didn't use to|lately you|creeping (?:back|up|in)|getting (?:longer|chattier|wordier|sloppier|louder)|have (?:grown|crept))\b"
    r"|\b(?:früher (?:war|hast|waren|warst|kam)|seit wann|abgemacht (?:war|ist|hatten)|(?:hatten|haben) (?:wir )?(?:doch )?(?:was )?(?:anderes )?(?:abgemacht|ausgemacht|vereinbart|gesagt)|ausgemacht war|in letzter zeit|neuerdings|was ist aus|wo ist .{1,30} geblieben)\b"
    r"|\b(?:antes (?:eran?|lo|me|hacías|decías|ponías|preguntabas)|desde cuándo|(?:en lo que|lo que|como) (?:habíamos )?quedamos|habíamos (?:quedado|dicho|acordado)|quedamos en|últimamente|qué (?:fue|pasó) (?:de|con)|dónde (?:quedó|está) (?:el|la|lo))\b"
    r"|\b(?:avant,? (?:tu|c'était|il|elle)|depuis quand|on (?:avait|était) (?:dit|convenu|d'accord)|c'était (?:convenu|l'idée|le principe)|ces (?:derniers temps|temps-ci)|où est passée?|qu'est devenue?)\b"
    r"|原来(?:不是)?(?:说好|都|是|你)|说好(?:了|的)?|以前(?:你)?(?:都|会|是|不)|不是说好|什么时候开始|最近(?:你|怎么|老|总|都)|怎么(?:变|不)(?:成|了)?|前は.{1,30}(?:のに|た)|以前は|約束(?:は|した|だった|と違)|いつから|最近.{0,12}(?:ね|よ|けど|ようになった|ばかり)|はずだ(?:った|よね)|決めたよね|예전엔|전에는|원래는?|약속(?:은|했|이)|언제부터|요즘(?:은|엔)? |하기로 (?:했|한)",
    re.IGNORECASE,
)
"""What says that the agent has left what was agreed on."""
ABLE = re.compile(
    r"\b(?:you (?:(?:really |actually |even )?(?:can|could|do|did|are able to|managed to|know how to|noticed|spotted|caught|found|understood|read|heard|saw|got))|so you can|didn't know you could|i'd never have (?:seen|noticed|caught|found)|you're (?:good|better|great) at|nobody (?:else )?can|all (?:correct|right)|not one mistake|(?:every|each) one (?:was )?right|checked (?:it|them|all)|without a (?:single )?mistake)\b"
    r"|\b(?:du kannst (?:ja|das|also|wirklich)|das kannst du|hätte ich nie|stimmt alles|alles richtig|wusste nicht,? dass du|fehlerfrei|gut erkannt)\b|\b(?:puedes|sabes|no sabía que (?:podías|sabías)|yo no lo habría|todo (?:correcto|bien)|ni un (?:solo )?(?:error|fallo)|lo has (?:visto|pillado))\b|\b(?:tu (?:sais|peux|arrives)|je ne savais pas que tu|je n'aurais (?:jamais|pas)|tout (?:est )?(?:juste|correct|bon)|sans (?:une |aucune )?(?:faute|erreur))\b"
    r"|居然|竟然|よく(?:見つけ|気づ|気付|分か|わか|読め)|気づいてくれ|原来你(?:会|能)|你(?:还)?(?:会|能)|都(?:认|看|找|听|写|算)(?:出来|对)了?|没错|全对|一个没错|看得(?:出|懂)|分かるのか|わかるのか|できるのか|できるんだ|読めるんだ|読めるのか|合って(?:た|いた)|全部正し|本当に(?:低|高|短|合|そう)|間違いなし|하는군요|되는군요|할 수 있(?:군|네|었)|되네요|아시네요|알아보|다 맞|정확하|틀린 (?:게|것) (?:하나도 )?없|찾아내",
    re.IGNORECASE,
)
RELIES = re.compile(
    r"\b(?:from (?:now|here) on|from today|going forward|in future)\b.{0,60}\b(?:i'll|i will|i'm going to|we'll|you|just|all)\b|\b(?:i'll|i will|i'm going to|we'll) (?:just |now )?(?:rely on|trust|count on) you\b|\b(?:through|past|by) you (?:from now|first)\b|\b(?:rely on you|count on you|leave (?:it|that|this|those|them|these) to you|that's your job|yours (?:from now on|now))\b"
    r"|\b(?:ab jetzt|künftig|von nun an)\b.{0,60}\b(?:ich|dir|du|alles)\b|\bverlass(?:e)? (?:ich )?mich\b|\bübernimmst du\b|\b(?:a partir de ahora|desde ahora|de ahora en adelante)\b.{0,60}\b(?:te|tú|todo|lo)\b|\b(?:cuento contigo|me fío de ti|te (?:lo )?dejo)\b|\b(?:désormais|dorénavant|à partir de maintenant)\b.{0,60}\b(?:je|te|tu|tout)\b|\b(?:je compte sur toi|je te (?:laisse|confie))\b"
    r"|(?:以后|往后|今后).{0,20}(?:你|先过|交给|归你|靠你)|交给你|归你|靠你|(?:これから|今後)は?.{0,24}(?:もらう|任せ|頼む|お願い|見て|送る)|(?:これから|今後|次から).{0,20}任せ(?:る|た|ます)|앞으로.{0,24}(?:맡|부탁|보낼|볼게|시킬|믿)|맡길게|믿고",
    re.IGNORECASE,
)
"""What says that the operator counts on the agent for a thing from then on."""
CONTRASTS = re.compile(
    r"\b(?:instead of|rather than|not (?:a|an|the|for|your|my) \w+)\b|\b(?:statt|anstatt|sondern)\b|\b(?:en vez de|en lugar de|sino)\b|\b(?:au lieu de|plutôt que)\b|不是.{1,14}(?:是|而是|，)|而不是|じゃなくて|ではなく|より|はいいから|말고|대신",
    re.IGNORECASE,
)
"""What sets the way that is wanted against the one that was taken."""
SPEECH = re.compile(
    r"\b(?:tell|show|give|send|write|answer|explain|ask|read|call)\b(?: \w+){0,2} (?:me|us)\b|\bgive me\b|\b(?:sag|schreib|antwort|zeig|gib mir|erklär|nenn|frag)\w*|\b(?:di|dime|escrib\w+|respond\w+|dame|enséña\w+|explica\w*|cuenta\w*|pregunta\w*|pon\w*)\b|\b(?:dis|écris|réponds|montre|donne|explique|demande|mets)\b|说|写|告诉|回|给我|讲|注明|标|言って|書いて|答えて|教えて|見せて|付けて|つけて|말해|써|알려|대답|보여|적어",
    re.IGNORECASE,
)
"""Verbs of talk, of which tasks speak as well."""
FOILS = re.compile(
    r"\b(?:you|your|that|this|it|these|those|they)\b.{0,40}\b(?:isn't|aren't|wasn't|weren't|not|n't|never|no|too|wrong|instead|buried|nobody|worse|slightly|half)\b|\b(?:isn't|aren't|wasn't|doesn't|don't|didn't|won't) \w+|\byou(?:'re| are) \w+ing\b|\byou (?:guessed|gave|buried|trimmed|sounded|skipped|forgot|wrote|left|hid|just|only|repeated|cut|changed|lectured|assumed|picked|decided)\b|\breads? like\b|\bi (?:asked|wanted|needed|said)\b|\bwhat (?:half|any) of\b"
    r"|\b(?:nicht|kein\w*|falsch|zu viel|klingt wie|liest sich|du hast|ich wollte|ich hatte)\b|\b(?:no|ni|tampoco|demasiado|suena a|parece un\w?|has|te pedí|yo quería)\b|\b(?:pas|aucun\w*|trop|on dirait|tu as|je voulais|j'avais)\b"
    r"|不|没|太|像|你(?:给|把|怎么|又|说|光|还)|ない|なく|違|だけだと|すぎ|冷た|みたい|って(?:言|書)|私が|じゃなく|아니|없|(?:^|\s)안 |못|너무|같(?:아|네)|했죠|했잖",
    re.IGNORECASE,
)
"""What finds fault with what was just said."""
YOU = re.compile(
    r"\b(?:you|you're|you've|your|yours|yourself|my assistant|du|dich|dir|deine?\w*|hast|kannst|tú|tu|tus|te|ti|has|sigues|toi|tes|ton|t'|vous)\b|你|您|咱们|あなた|くれ|もらう|네가|당신|너",
    re.IGNORECASE,
)
