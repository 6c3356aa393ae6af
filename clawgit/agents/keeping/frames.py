"""Tells how a sentence is meant: wish, complaint, praise, task."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

LEAD = re.compile(
    r"^(?:(?:and|so|ok|okay|also|but|hey|oh|ugh|hmm|well|no(?=,)|yes(?=,)|again|please|pls|btw|by the way|one more thing|remember|note|for next time|next time|from now on|from today on|going forward|moving forward|in (?:the )?future|in general|generally|as a rule|by default|bitte|also|ab jetzt|ab sofort|von nun an|künftig|in zukunft|nächstes mal|por favor|a partir de ahora|de ahora en adelante|en adelante|en el futuro|s'il te plaît|s'il vous plaît|stp|désormais|à partir de maintenant|dorénavant|à l'avenir)\b[\s,:;.!–-]*)+"
    r"|^(?:请|麻烦|以后|今后|从现在起|从今以后|下次|拜托|[，,、 ])+|^(?:今後は?|これからは|次からは|お願いだから|[、, ])+|^(?:앞으로는?|이제부터는?|다음부터는?|제발|부탁인데|[, ])+",
    re.IGNORECASE,
)
STANDING = re.compile(
    r"\b(?:from now on|from today on|from here on|going forward|moving forward|in (?:the )?future|as a rule|by default|always|never|ever|every time|each time|any ?more|any longer|in general|no more|next time|all the time|whenever|at all times|permanently|for good|stop \w+ing|stop (?:with|it|the|your|all)|quit \w+ing|cease|i (?:told|asked) you|i (?:want|need) you to|keep (?:on )?\w+ing me|i(?:'d| would) (?:like|prefer|love) (?:you|it if|if you|that you)|i'd rather you|i(?: really)? prefer (?:that |when |if |it when |it if )?(?:you|your|short|long|brief|plain|direct)|i (?:don't|do not) (?:want|like|need) (?:any |your |you |more |to see )|i hate (?:it when|when|your)|keep (?:your |the |all )?(?:answers?|replies|responses|messages|it that way)|remember (?:to|that|this))\b"
    r"|\b(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|grundsätzlich|immer|nie|niemals|jedes mal|nicht mehr|keine?n? .{0,30}\bmehr|hör\w*\b.{0,24}\bauf|lass (?:das|die|den|es)|ich (?:will|möchte|mag)\b.{0,20}\b(?:dass du|nicht|keine?)|mir ist lieber)\b"
    r"|\b(?:a partir de ahora|de ahora en adelante|en adelante|siempre|nunca|jamás|cada vez|todo el tiempo|deja(?: ya)? de|para de|no \w+ más|no más|ya no|prefiero que|quiero que|no quiero que|me gusta que|odio que)\b"
    r"|\b(?:désormais|dorénavant|à partir de maintenant|à l'avenir|toujours|jamais|chaque fois|tout le temps|arrête(?:z)? d\w*|cesse(?:z)? d\w*|je préfère que|je veux que|j'aimerais que|j'aime que|je déteste que)\b|\barrête d'|\b(?:ne |n'|t')\w.{0,20} plus\b|^plus (?:de |d')"
    r"|以后|今后|从现在起|从今以后|每次|总是|始终|一律|永远|别再|不要再|再也|我(?:希望|更喜欢|不喜欢|讨厌)你|停止"
    r"|今後|これから|次から|いつも|常に|毎回|必ず|二度と|もう.{0,12}(?:ないで|やめ)|(?:は|を|のは)やめて|ほしい|嫌い"
    r"|앞으로|이제부터|다음부터|항상|언제나|매번|절대|그만|다시는|이제 .{0,12}(?:마|말)|면 좋겠|싫어",
    re.IGNORECASE,
)
FOREVER = re.compile(
    r"\b(?:from now on|from today on|going forward|in (?:the )?future|as a rule|by default|always|never|every (?:single )?time|each time|any ?more|next time|whenever)\b"
    r"|\b(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|grundsätzlich|immer|nie|niemals|jedes mal|nicht mehr)\b"
    r"|\b(?:a partir de ahora|en adelante|siempre|nunca|jamás|cada vez)\b|\b(?:désormais|dorénavant|à partir de maintenant|à l'avenir|toujours|jamais|chaque fois)\b"
    r"|以后|今后|从现在起|每次|总是|始终|一律|永远|今後|これから|いつも|常に|毎回|必ず|앞으로|이제부터|항상|언제나|매번|절대",
    re.IGNORECASE,
)
"""What says in so many words that it is not for this time only."""
AGAIN = re.compile(
    r"\byou (?:keep|kept)\b|\byou always\b|\bstill\b|\bagain\b|\bevery (?:single )?time\b|\ball the time\b|\banother\b|\bi (?:already )?(?:told|asked) you\b|\bhow many times\b|\byou did it again\b|\bonce more\b"
    r"|\bschon wieder\b|\bimmer noch\b|\bständig\b|\bdauernd\b|\bjedes mal\b|\bich hab\w* dir (?:doch |schon )?gesagt\b"
    r"|\botra vez\b|\bde nuevo\b|\bsiempre\b|\btodo el tiempo\b|\bte (?:dije|pedí)\b|\bencore\b|\bà chaque fois\b|\btout le temps\b|\bje t'(?:ai|avais) (?:déjà )?(?:dit|demandé)\b"
    r"|又|还是|总是|老是|每次|说过|また|毎回|いつも|何度も|って言ったのに|또|자꾸|매번|여전히|말했잖",
    re.IGNORECASE,
)
BLAMES = re.compile(
    r"\b(?:you|your)\b.{0,60}\b(?:too|again|still|so (?:long|wordy|many|much|formal)|keep|kept|always|another)\b|\byou made\b.{0,20}\bup\b|\b(?:too|so) (?:many|much|long|short|wordy|verbose|formal|chatty|cold|stiff|brief|terse|vague|casual|curt)\b|\byou (?:keep|kept|always|never|did it again)\b|\b(?:another|more) (?:wall of text|essay|apology|disclaimer|novel|lecture)\b|\bwhy do you (?:always|keep|never)\b|\bi (?:already )?(?:told|asked) you\b"
    r"|\bzu (?:lang|viel\w*|kurz|förmlich|ausführlich|steif)\b|\bdu\b.{0,60}\b(?:schon wieder|ständig|dauernd|immer)\b"
    r"|\bdemasiad[oa]s?\b|\b(?:otra vez|siempre)\b.{0,40}\b(?:tú|te|estás|has|eres)\b|\btrop\b|\btu\b.{0,50}\b(?:encore|toujours|sans cesse)\b"
    r"|太(?:长|多|啰嗦|短|正式|冷)|你.{0,4}(?:又|总是|老是)|(?:長|多|くど|堅|硬|冷た|短|り)すぎ|너무 (?:길|많|짧|딱딱|차갑|장황)|(?:넌|너는|네가)?.{0,4}(?:또|자꾸)",
    re.IGNORECASE,
)
PRAISES = re.compile(
    r"\b(?:love|like|liked|loved|enjoy\w*|appreciate\w*)\b.{0,24}\b(?:how|that|when|it when|the way|your|the short|you)\b|\b(?:love|like) the\b|\bkeep (?:doing|it that way|it up|that up|them (?:short|coming|like))\b|\bmore like (?:this|that)\b|\b(?:perfect|spot on|works? (?:so )?well|working well|much better|exactly (?:how|what|the way) i)\b"
    r"|\b(?:gefällt mir|mag ich|finde ich (?:gut|super)|mach (?:weiter|so weiter)|genau so|perfekt|viel besser)\b|\b(?:me (?:gusta|encanta)|sigue así|mucho mejor|perfect[oa]s?)\b|\b(?:j'(?:aime|adore)|continue comme ça|c'est parfait|beaucoup mieux|parfaite?s?)\b"
    r"|我喜欢你|继续(?:这样|保持)|这样(?:很好|就好)|保持|好多了|いい感じ|その調子|気に入|助かる|ばっちり|좋아|마음에 들|이대로|계속 (?:이렇게|그렇게)|훨씬 낫",
    re.IGNORECASE,
)
LASTS = re.compile(
    r"\bkeep (?:doing|it|that|this|them|up|on)\b|\balways\b|\bfrom now on\b|\bnever (?:stop|change)\b|\bmach (?:weiter|so weiter)\b|\bimmer\b|\bsigue así\b|\bsiempre\b|\bcontinue\b|\btoujours\b|继续|保持|一直|その調子|これからも|いつも|계속|이대로|앞으로도",
    re.IGNORECASE,
)
ADDRESSED = re.compile(
    r"\b(?:you|you're|you've|you'd|your|yours|u|ur|yourself|to me|with me|at me|tell me|answer(?:s|ing)?|repl(?:y|ies|ying)|respond\w*|responses?|messages?)\b"
    r"|\b(?:du|dich|dir|deine?\w*|antwort\w*|nachricht\w*|sie mir|mit mir)\b|\b(?:tú|tu|tus|te|ti|contigo|conmigo|respuestas?|respond\w*|contest\w*|mensajes?|dime)\b|\b(?:tes?|ton|ta|toi|vous|vos|votre|répon\w*|réponses?|messages?|moi)\b"
    r"|你|您|回答|回复|消息|あなた|返事|返信|回答|答え|(?:^|[\s,])(?:너|네|넌|니)(?:는|가|의|\s)|당신|대답|답변|답장|메시지|말해",
    re.IGNORECASE,
)
BIDS = re.compile(
    r"^(?:please |just |do |always |never |and )*(?:don't|dont|do not|stop|quit|cease|avoid|keep|be|use|give|tell|write|answer|reply|respond|speak|talk|say|ask|start|begin|end|lead|open|skip|drop|leave|cut|try|make|put|explain|show|stick|flag|admit|push|call|address|greet|wait|let|get|go|no|less|more|fewer|never|always|enough|shorter|longer|briefer|brief|short|concise|fewer|run|check|commit|remember|sign|format|summari[sz]e|round|quote|cite|include|switch|prefer|limit|spare|lose)\b"
    r"|^(?:bitte |immer |nie |nur )*(?:hör|lass|antworte|schreib|sprich|rede|sag|frag|nutze?|benutze?|verwende|halte?|fass|sei|gib|mach|spar|keine?|nicht|kein|nie|niemals|weniger|mehr|kürzer|duz|siez|nenn|beende|fang|vermeide|erkläre?|komm|bleib|entschuldige)\w*\b"
    r"|^(?:por favor |siempre |nunca |no )*(?:deja|para|responde|contesta|escribe|habla|di|dime|pregunta|usa|uses|sé|evita|ve|termines|acabes|empieces|te|más|menos|sin|nada|explica|llámame|avisa|trátame|tutéame|digas|pidas|seas|repitas|pongas|hagas)\w*\b"
    r"|^(?:s'il te plaît |toujours |ne |n')*(?:arrête|cesse|réponds|écris|parle|dis|demande|utilise|sois|évite|va|plus|moins|pas|finis|termine|commence|t'excuse|explique|tutoie|vouvoie|appelle|reste|garde|fais|répète|mets)\w*"
    r"|^(?:请|别|不要|少|多|先|用|简|每次|回答|说|直接|不确定|停)|(?:一点|一些|吧|了)$"
    r"|やめて|ないで|てください|なくていい|해 ?줘|(?:て(?:ください|くれ|ね|よ|ほしい)?|ないで(?:ください|ね|よ)?|やめて(?:ください|ね|よ)?|して|でお願い(?:します)?|(?:で|て)いい(?:よ|です)?|ように(?:して(?:ください)?)?)[。!！]*$"
    r"|(?:줘|주세요|마|마세요|말아줘|말아 ?주세요|말고|해라|하세요|해요?|해 ?줘요?|써|달라고)[.!]*$",
    re.IGNORECASE,
)
BARE = re.compile(
    r"^(?:that(?:'s| is| was)|this is|it(?:'s| is| was)|way|far|still|again|too|so|again too|waaay|another|das (?:war|ist)|schon wieder|zu|viel zu|immer noch|es(?:to)? (?:es|fue|era)|otra vez|demasiad[oa]|muy|c'(?:est|était)|encore|trop|又|还是|太|また|長|くど|또|너무)\b.{0,60}$|^(?:又|还是|太|また|長|くど|또|너무)",
    re.IGNORECASE,
)
"""A remark without a subject, which can only be about what was just said."""
ARTEFACT = re.compile(
    r"\b(?:e?-?mails?|letters?|newsletters?|summar(?:y|ies)|reports?|paragraphs?|texts?(?! wall)|essay(?: on| about)|articles?|drafts?|docs?|documents?|documentation|code|functions?|prs?|pull requests?|commits?|commit messages?|posts?|tweets?|cards?|slides?|decks?|speech(?:es)?|bios?|captions?|stor(?:y|ies)|titles?|meetings?|videos?|forms?|fields?|translations?|readme|scripts?|emails|invoices?|contracts?|cv|resumes?|résumé|lyrics|poems?|songs?|blog\w*|pages?|websites?|labels?|variables?|names?|routes?|headlines?|abstracts?|intros? to|chapters?|tests?|branch(?:es)?|logs?|persona|bot|music)\b"
    r"|\b(?:mails?|briefe[ns]?|brief an|zusammenfassung\w*|berichte?|absatz|absätze|texte?|artikel|entwurf|entwürfe|dokument\w*|funktion\w*|präsentation\w*|rede|titel|folien?|vertrag|geschichte|überschrift|formular\w*|code)\b"
    r"|\b(?:correos?|cartas?|resúmen\w*|resumen|informes?|párrafos?|textos?|artículos?|borrador\w*|documentos?|funci[oó]n\w*|presentaci[oó]n\w*|discursos?|títulos?|contratos?|formulario\w*|código)\b"
    r"|\b(?:courriels?|mails?|lettres?|résumés?|rapports?|paragraphes?|textes?|articles?|brouillons?|documents?|fonctions?|présentations?|discours|titres?|contrats?|formulaires?|diapos?)\b"
    r"|邮件|信件?|摘要|总结|报告|段|文章|草稿|文档|代码|函数|标题|演讲|合同|帖子|故事|简历|表单|メール|手紙|要約|報告|レポート|段落|文章|記事|下書き|書類|コード|関数|タイトル|スピーチ|契約|資料|投稿|메일|편지|요약|보고서|문단|단락|글(?!머리)|기사|초안|문서|코드|함수|제목|연설|계약서|발표|이력서",
    re.IGNORECASE,
)
"""What the agent makes for its operator: how that should be is a task."""
OURS = re.compile(
    r"\byour (?:answers?|repl(?:y|ies)|responses?|messages?|tone|style|explanations?|texts?)\b|\b(?:to|with|at) me\b|\bdeine\w* (?:antwort|nachricht|art|ton)\w*|\btus (?:respuestas|mensajes)\b|\btes (?:réponses|messages)\b|你的(?:回答|回复|消息|语气)|あなたの(?:回答|返事|返信|文章)|(?:네|너의) (?:답|대답|메시지|말투)",
    re.IGNORECASE,
)
LOCAL = re.compile(
    r"\b(?:for|in|on|with) (?:this|that|the next|today's) (?:one|mail|e-?mail|message|case|time|task|text|call|letter|answer|summary|report|meeting|chat|question)\b|\bthis time\b|\bfor (?:now|today|once)\b|\bjust (?:this )?once\b|\btoday only\b|\bthis answer\b|\bmake (?:it|this|that)\b|\b(?:diesmal|dieses mal|nur heute|für heute|in dieser|für diese\w*|mach (?:es|das|den|die)\b)|\b(?:esta vez|por hoy|solo hoy|haz(?:lo)?|en este|para este|para esta)\b|\b(?:cette fois|pour aujourd'hui|pour ce\w*|dans ce\w*|rends)\b|这次|这一次|第[一二三四五六七八九十\d]+[页章节段]|今天先|把这|这(?:封|段|篇|份|个)|今回|今日だけ|\S{1,8}(?:のぶん|分)だけ|この(?:メール|文章|件|返事)|이번(?:에|만|엔| \S{1,8}(?:만|는|은)(?=\s))|오늘만|이 (?:메일|문단|글|보고서)",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\b(?:he|she|they|him|her|them|his|their)\b|\b(?:my|our|the|your) (?:boss|wife|husband|son|daughter|mother|mom|mum|father|dad|sister|brother|friend|colleague|therapist|teacher|doctor|client|customer|neighbou?r|landlord|coach|manager|kids?|girlfriend|boyfriend|partner|dog|cat|ex|team|lawyer|users?|other bot|old assistant)\b|\b(?:chatgpt|gpt|gemini|claude|siri|alexa|copilot|everyone|people|nobody|somebody)\b|\bi was\b|\bi (?:always|never|keep|should|need(?! you)|must|can't)\b"
    r"|\b(?:mein\w* (?:chef\w*|frau|mann|sohn|tochter|mutter|vater|schwester|bruder|freund\w*|kolleg\w*|lehrer\w*|ärztin|arzt)|er|ihm|ihn)\b|\b(?:mi (?:jefe|jefa|mujer|marido|hijo|hija|madre|padre|herman[oa]|amig[oa]|profesor[a]?)|él|ella|ellos)\b|\b(?:mon (?:chef|mari|fils|père|frère|ami|prof)|ma (?:femme|fille|mère|soeur|sœur|chef)|il|elle|ils|elles)\b"
    r"|他|她|我(?:老板|老婆|老公|妈|爸|儿子|女儿|朋友|同事|老师)|彼(?!女は.{0,3}君)|彼女|(?:上司|妻|夫|母|父|友達|同僚|先生)(?:は|が)|(?:그녀|그가|그는|상사|아내|남편|엄마|아빠|친구|동료|선생님)(?:는|은|이|가)?",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:he|she|they|\w+) (?:said|says|wrote|writes|told|tells|replied|answered)\b[^.!?\n]{0,40}[:,]|\b(?:here(?:'s| is)|this is) (?:what|the (?:mail|message|letter|text|note))\b|\b(?:it|which|that) (?:says|reads|said)\b|\b(?:sagte|schrieb|meinte|schreibt|sagt)\b[^.!?\n]{0,20}[:,]|\b(?:dijo|escribió|dice|escribe)\b[^.!?\n]{0,20}[:,]|\b(?:a dit|a écrit|écrit|dit)\b[^.!?\n]{0,20} ?:|(?:说|写道|写着|言)[:：]|と(?:言って|書いて)|라고 (?:말|썼|했|적)|^(?:from|subject|betreff|von|an|to|cc|de|asunto|objet|发件人|主题|件名|보낸 ?사람|제목) ?[:：]",
    re.IGNORECASE | re.MULTILINE,
)
"""What leads somebody else's words; all that follows is theirs."""
LETTER = re.compile(
    r"^(?:hi|hello|dear|hey|hallo|liebe[rs]?|sehr geehrte|hola|estimad[oa]|querid[oa]|bonjour|cher|chère)\b[^\n]{0,40}[,!]?\n[\s\S]*^(?:best|regards|kind regards|best regards|cheers|thanks|yours|sincerely|love|lg|vg|mfg|viele grüße|beste grüße|saludos|un saludo|atentamente|cordialement|bien à (?:toi|vous)|amitiés)\b[^\n]{0,30}\n+[^\n]{1,40}\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
DOUBTS = re.compile(
    r"^(?:if|maybe|perhaps|what if|suppose|imagine|pretend|wenn|falls|vielleicht|stell dir|si\b|quizás?|imagina|imagine|peut-être|如果|假如|也许|もし|たぶん|만약|혹시)\b.{0,80}\b(?:might|would|could|maybe|haha|lol|würde|könnte|sería|podría|serait|pourrait)\b|\b(?:haha|lol|jk|just kidding|kidding|joking)\b|哈哈|笑$|ㅋㅋ|ㅎㅎ|^(?:maybe|perhaps|what if|vielleicht|quizás?|tal vez|peut-être|也许|たぶん|아마)",
    re.IGNORECASE,
)
ASKS = re.compile(r"[?？]\s*[\"')」』]*$")
POLITE = re.compile(
    r"(?i)^(?:can|could|would|will) you (?:please |maybe |try to )*|^(?:kannst|könntest|würdest) du (?:bitte )?|^¿?(?:puedes|podrías) |^(?:peux|pourrais)[- ]tu "
)
"""What makes an order a question."""
TAG = re.compile(
    r"(?i)\b(?:ok|okay|alright|please|yeah|deal|ja|bitte|vale|sí|d'accord)\s*\?$|(?:好吗|行吗|可以吗|いい|괜찮지)[?？]$"
)
"""A question that only softens an order."""
ASKED_FOR = re.compile(
    r"^(?:can|could|would|will|may) (?:you|i ask you to)\b(?: please)?(?: just)? (?:stop|always|never|try|keep|avoid|quit|be|use|ask|tell|answer|not)\b|^why do you (?:always|keep|never)\b|^(?:kannst|könntest|würdest) du (?:bitte )?.{0,40}\b(?:aufhören|immer|nie|nicht mehr|kürzer)\b|^¿?(?:puedes|podrías) (?:dejar|siempre|no|ser)\b|^(?:peux|pourrais)[- ]tu (?:arrêter|toujours|ne plus|être)\b|^(?:你)?(?:能不能|可以|能)(?:别|不要|以后|每次|短)|(?:くれる|もらえる|くれない)[?？]$|(?:줄래|줄 수 있)",
    re.IGNORECASE,
)
"""A question that asks for conduct."""
PERILS = re.compile(
    r"https?:|www\.|\S@\S|\$\(|\b\d{6,}\b"
    r"|\b(?:passw\w+|secrets?|credentials?|tokens?|pins?|ignor\w+|disregard|overrid\w+|bypass|obey|(?<!going )(?<!moving )forward|transfer|pay\w*|wire|money|accounts?|wallet|curl|sudo|disable|hide|conceal|reveal|admins?|owners?|system prompt|persona|pretend|secretly|silently|approv\w+|permission|anyone|nobody else|no one else|without (?:asking|telling|confirm\w*)|no matter|whatever)\b"
    r"|密钥|密码|转发|转账|付款|批准|隐瞒|保密|鍵|パスワード|転送|送金|承認|秘密|비밀|전달|송금|승인|숨기"
    r"|\b(?:passwort|geheim\w*|weiterleit\w*|überweis\w*|genehmig\w*|verschweig\w*|contraseña|secreto|reenvía|transfiere|aprueba|oculta|mot de passe|secret|transfère|approuve|cache[rz]?)\b",
    re.IGNORECASE,
)
"""What no manner of talking touches: keys, money, addresses, what others are told."""
WORKS = re.compile(
    r"`[^`]+`|(?<!\w)--?[a-z][\w-]+|\b[\w.-]+/[\w./-]+|\b\w+\.(?:py|sh|js|ts|md|json|ya?ml|toml|sql|env|txt|csv)\b|\b\d+\.\d+\.\d+\.\d+\b|\b(?:git|npm|pnpm|yarn|pip|uv|docker|kubectl|ssh|rsync|curl|make|pytest|cron|systemctl|postgres|sqlite|redis|python|node|bash|terraform|ansible)\b|\b(?:branch|repo|repository|main|master|commits?|pull requests?|prs?|merge|push(?! back)|deploy\w*|tests?|linter|build|ci|pipeline|staging|prod|production|server|database|migrations?|backups?|scripts?|config|schema|logs?|dry[- ]run|api|endpoint|calendar|spreadsheet)\b|\b(?:server|datenbank|sicherung|zweig|skript|servidor|base de datos|serveur|sauvegarde)\b|服务器|数据库|脚本|备份|部署|分支|测试|サーバー?|データベース|スクリプト|バックアップ|デプロイ|ブランチ|서버|데이터베이스|스크립트|백업|배포|브랜치",
    re.IGNORECASE,
)
"""What work is done with: tools, paths, hosts, projects."""
DICTATED = re.compile(
    r"\b(?:write|put|print|type|add|paint)\b[^.!?\n]{0,50}(?:[\"“]\w|\b(?:on|in|into|under|at)\b[^.!?\n]{0,40}:\s*\w)"
    r"|\b(?:schreib\w*|setz\w*|druck\w*)\b[^.!?\n]{0,50}(?:[\"„“»]\w|\b(?:auf|in|ins|unter|an|über)\b[^.!?\n]{0,40}:\s*\w)"
    r"|\b(?:escribe|pon|anota|écris|mets|note|ajoute)\b[^.!?\n]{0,50}(?:[\"“«]\s?\w|\b(?:en|sur|dans|sous|à)\b[^.!?\n]{0,40}:\s*\w)"
    r"|[“\"‘'「『][^”\"’'」』\n]{4,}[”\"’'」』]\s?(?:と|라고|이라고|是)?[^。.!?\n]{0,12}(?:書い|入れて|써|적어|넣어|保留|写上|的话)"
    r"|(?:写上|写着|写成|加上|印上|这句|那句|贴)[^。！？\n]{0,16}[“\"「『：:]",
    re.IGNORECASE,
)
"""Words that somebody is to write down, and not to follow."""
