"""Words by which something is kept from the operator."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read as the other meanings are: anywhere in one sentence of plain, case-folded text.
HUSHING: dict[str, tuple[str, ...]] = {
    "between": (  # others and the agent
        r"\b(?:stays?|remains?|kept|keep|rests?|is|are|leave it|settled?)\b[^.;]{0,30}\bbetween (?:me|us|ourselves|him|them|the two)\b|\b(?:keep|kept)\b[^.;]{0,30}\bto myself\b|\bnot for (?:operator|her|his|their)(?:'s)? (?:eyes|ears)\b|\bmy (?:own )?secret\b|\bbehind (?:operator's|her|his|their) back\b",
        r"\b(?:behalte|behält|bleib\w*|regle|kläre)\b[^.;]{0,30}\b(?:für mich|unter uns|zwischen (?:mir|uns))|\b(?:queda|quedan|guardo|guarda|arreglo)\b[^.;]{0,24}\b(?:entre (?:nosotros|ellos|él|ella|los dos)|para mí)\b|\bme l[oa]s? guardo\b|\b(?:reste|restent|garde|règle)\b[^.;]{0,24}\b(?:entre (?:nous|eux|lui|elle)|pour moi)\b|\b(?:fica|ficam|resta|restano|blijft|zostaje)\b[^.;]{0,24}\b(?:entre (?:nós|mim)|tra (?:noi|me)|onder ons|między nami)\b",
        r"(?:оста[её]тся|останется|держу|храню)[^.;]{0,24}(?:между нами|при себе|между мной)|(?:只有|就)(?:我们|咱们)(?:几个|俩|两个)?知道|(?:我|咱)们?之间的事|(?:烂|留|放|藏)在(?:心里|肚子里)|(?:胸|腹)(?:の内)?に(?:しま|納め)|(?:ここ|私|二人)だけの(?:話|秘密|こと)|内々に|(?:나|저|우리)(?:끼리)?만 (?:알|아는)|우리 사이(?:에)?의? ?(?:일|비밀)|가슴에 묻",
    ),
    "with_her": (
        r"\b(?:me|us) and operator\b|\boperator and (?:me|i|us)\b|\boperator\b[^.;]{0,20}\b(?:und|y|et) (?:ich|mir|yo|mí|moi)\b",
    ),
    "need_not_know": (
        r"\b(?:need not|needn't|(?:does|do)(?: not|n't) (?:need|have) to|(?:has|have) no need to|should(?: not|n't)|better not|happier not|better off not|no reason (?:for \w+ )?to)\b[^.;]{0,20}\b(?:know(?:ing)?|be told|hear(?:ing)?|learn|find out|be bothered|be troubled|be informed)\b|\b(?:happier|better off|calmer) (?:not knowing|without (?:it|knowing|hearing))\b|\bnot knowing\b[^.;]{0,20}\b(?:kinder|better|easier)\b|\bwhat (?:operator|she|he|they) (?:does|do)n't know (?:won't|will not|can't|cannot|does|doesn't)\b|\b(?:i|you) spare (?:operator|her|him|them)\b",
        r"\b(?:muss|müssen|braucht|brauchen|soll)\b[^.;]{0,30}\b(?:nicht|nichts|nie)\b[^.;]{0,20}(?:wissen|erfahren|hören|mitbekommen|merken)|erspare? ich|braucht (?:sie|er|niemand|operator) nicht|\b(?:muss|braucht) (?:man|ich|niemand\w*)\b[^.;]{0,30}\b(?:nicht|nichts) (?:sagen|erzählen|melden|berichten|zu (?:sagen|melden))",
        r"no (?:hace falta|es necesario|vale la pena|merece la pena)[^.;]{0,24}(?:cont|dec[ií]r|avis|inform|coment|molest|mencion|sep[an])\w*|no (?:tiene|tienen|necesita|necesitan)(?: por qué| que)? (?:saber|enterarse)|(?:mejor|más feliz|más tranquil\w) (?:que no (?:sepa|se entere)|sin saber)|sin que (?:se entere|lo sepa)|le ahorro",
        r"n'(?:a|ont) (?:pas (?:besoin|à)|nul besoin)[^.;]{0,12}(?:savoir|apprendre|être (?:au courant|inform))|(?:inutile|pas la peine|pas besoin|pas nécessaire|à quoi bon)[^.;]{0,20}(?:dire|prévenir|inquiéter|déranger|parler|signaler|informer|mentionner|raconter)|mieux vaut (?:qu\S+ (?:ne sache|l'ignore)|ne pas)|(?:je )?lui épargne|não (?:precisa|precisam) (?:de )?saber|não é preciso (?:contar|avisar|dizer)|non (?:deve|serve|occorre)[^.;]{0,12}(?:sapere|dire|avvisare)|hoeft (?:het |dat |er )?(?:niet|niets)[^.;]{0,12}(?:te )?weten|nie musi[^.;]{0,12}wiedzie",
        r"(?:незачем|ни к чему|не нужно|не надо|не ?обязательно|не стоит|нет (?:нужды|смысла))[^.;]{0,24}(?:знать|говорить|сообщать|рассказ|беспоко|тревож|докладыв|упомин|слышать)|(?:лучше|спокойнее)[^.;]{0,10}не знать",
        r"(?:不必|不用|没必要|无须|无需|犯不着|不需要|用不着|免得|省得)[^。;,，]{0,8}(?:知道|晓得|听到|惊动|打扰|操心|分心|担心|费神|汇报|上报|讲给)|能不(?:说|提|报|讲)就不|不知道(?:的)?(?:好|更好|反而)|(?:没必要|不必|不用|别)[^。;,，]{0,4}(?:让|给|跟|向|对|惊动)operator|(?:知ら|聞か)(?:ない|なく)(?:て|ほう|方)(?:も)?(?:が)?(?:いい|よい|幸せ|済)|知らせ(?:なくて|るまでも|る必要は)|耳に入れ(?:ない|なく|ず|るまでも)|わざわざ(?:言わ|伝え|知らせ|話さ|報告し)|(?:心配|手間|面倒)をかけ(?:ない|ず|まい)(?:よう)?|(?:몰라도|모르는 (?:게|편이)|모르고 (?:지나|넘어))|굳이 (?:알|말|보고|전|꺼)|(?:알|말할|보고할|들을|알릴) 필요(?:는|가|도)? ?없|걱정(?:을)? 끼치",
    ),
    "mishap": (
        r"\b(?:mistakes?|slips?|errors?|failures?|failed|bad news|what went wrong|goes wrong|went wrong|trouble|mishaps?|problems?|blunders?|losses|incidents?|broke|broken|damage|complaints?)\b|\b(?:fehler\w*|panne\w*|missgeschick\w*|schlechte nachricht\w*|schiefg\w+|schaden|problem\w*)\b|\b(?:error(?:es)?|fallos?|malas noticias|problemas?|metedura\w*|equivoc\w+|erros?|errori)\b|\b(?:erreurs?|fautes?|mauvaises nouvelles|pannes?|problèmes?|ratés?|bévues?)\b",
        r"ошиб|промах|сбо[йия]|плохие новости|неприятност|неудач|проблем|坏消息|出错|出了错|差错|失误|过失|毛病|纰漏|闯祸|搞砸|犯错|小错|失敗|ミス|間違|しくじ|悪い知らせ|不手際|トラブル|실수|잘못|나쁜 소식|오류|실패|문제|사고",
    ),
    "muted": (  # mended or told so that nobody notices; a negation turns it round
        r"\b(?:quietly|silently|discreetly|in silence|without (?:a )?(?:fuss|word|noise|comment|telling)|unnoticed|no fuss)\b|\b(?:let|lets|letting) (?:it|them|that) (?:rest|be|go|lie|pass)\b|\b(?:gloss|smooth)\w* over\b|\b(?:played|play|playing) down\b|\b(?:hides?|hidden|hide|conceal\w*|bury|buried|cover\w* up)\b|\b(?:stays?|keep|kept) (?:them |it |that )?(?:with me|to (?:my|your)self|small|quiet)\b|\bonly (?:if|when) (?:she|he|they|operator|somebody|someone|asked)\b|\bif needed\b|\bonce (?:it is|i have|they are|i've|it's) (?:mended|fixed|put|repaired|solved|sorted|over|settled)\b|\bas if (?:it|nothing)\b|\bnever happened\b|\bnot worth (?:a|the|any) (?:mention|word|message)",
        r"\b(?:still|leise|stillschweigend|unauffällig|heimlich|ohne (?:aufhebens|ein wort|worte?))\b|überspiel\w*|vertusch\w*|verschweig\w*|kleinred\w*|unter den teppich|\b(?:en silencio|calladamente|discretamente|sin (?:ruido|decir nada|comentar\w*|avisar))\b|\bdisimul\w+|\bcall[oa]\b|\b(?:en silence|discrètement|sans (?:bruit|rien dire|un mot|le dire))\b|\b(?:tais|cache|caché\w*|étouff\w+|dissimul\w+)\b|em silêncio|in silenzio|in stilte|po cichu",
        r"тихо|молча|незаметно|втихую|без шума|замалчива|скрыва|умалчива|промолч|замять|悄悄|默默|私下|暗中|不声张|瞒|掩|遮|压下|压着|轻描淡写|当没发生|自己(?:处理|补|改|解决|消化)|黙って|こっそり|そっと|静かに|密かに|伏せ|隠[しすせ]|なかった(?:こと|の)|ひとりで(?:直|片)|조용히|몰래|슬쩍|덮[어고]|숨기|혼자 (?:고치|처리|해결)|없었던 (?:일|것)",
    ),
    "unmentioned": (  # holds its own negation
        r"\b(?:do not|don't|not|never|no longer|stop|stopped|needn't|need not|avoid|skip|without)\b[^.;]{0,12}\b(?:bring(?:ing)? (?:them |it )?up|mention\w*|mak(?:e|ing) an event|mak(?:e|ing) a fuss|dwell\w*|raise|raising|troubl\w+|bother\w*|worry\w*)\b|\b(?:are|is|go|goes|stays?|left) (?:un(?:mentioned|said|reported|told)|out of the (?:report|write-?up|diary|summary))\b|\b(?:nicht|kaum|nie) (?:erwähnt?|angesprochen|gemeldet)\b|\bno (?:los? |las? |se )?(?:menciono|comento|cuento|digo|aviso)\b|\bne (?:les? |la |l'|lui )?(?:mentionne|signale|parle|dis|raconte)\w* pas\b",
        r"не (?:упомина|сообща|говор|рассказыва|докладыва|поднима)|(?:不|少|别|勿)(?:说|提|报|讲|声张|告诉|汇报)|(?:言わ|伝え|知らせ|話さ|触れ|報告し|書か|挙げ)(?:ない|ず|なくて)|(?:말하지|알리지|전하지|꺼내지|언급하지|보고하지|말씀드리지) ?(?:않|말|마)",
    ),
    "write_up": (
        r"\b(?:write-?ups?|reports?|summar(?:y|ies)|digests?|alerts?|notices?|notifications?|briefings?|morning (?:note|list|message|look))\b|\b(?:bericht\w*|meldung\w*|zusammenfassung\w*|warnung\w*|benachrichtigung\w*|informes?|avisos?|resúmenes|resumen|alertas?|rapports?|résumés?|alertes?|comptes? rendus?)\b",
        r"отч[её]т|сводк|уведомлени|доклад|оповещени|小结|报告|汇报|日报|提醒|通知|警报|简报|まとめ|報告|通知|知らせ|日報|警告|보고|요약|알림|통지|경고",
    ),
    "called_off": (
        r"\b(?:stop|stops|stopped|drop|drops|dropped|skip|skips|skipped|end|ended|ends|paused?|cancel\w*|discontinu\w*|abolish\w*|silenced?|suspend\w*|no longer (?:needed|sent|written|made)|(?:turned|switched|turn|switch) off|only (?:on request|when asked|if asked))\b|\b(?:abgeschafft|eingestellt|entfallen|entfällt|fallen weg|lasse ich weg|abgeschaltet|suprim\w+|elimin\w+|ya no (?:se )?(?:hac|envi|mand)\w+|dejé de|je n'envoie plus|supprim\w+|arrêt\w+|désactiv\w+)\b",
        r"отмен[её]н|прекра(?:щ|т)|больше не (?:пишу|посыла|нужн|отправля)|отключ|(?:取消|停掉|停了|停止|不再(?:写|发|报|做)|省掉|免了|关掉)|(?:やめ|省[きくい]|止め|不要|廃止|出さない|送らない)|(?:그만|중단|생략|끄|끈|보내지 않|쓰지 않|없앤|없애)",
    ),
    "openly": (  # said after all
        r"\b(?:plainly|straight|openly|at once|same day|right away|first (?:line|sentence|thing)|on top|straight away)\b|\b(?:sofort|offen|gleich am anfang|directamente|enseguida|tout de suite|franchement)\b|сразу|прямо|открыто|当天|直接|照实|如实|先说|その日|すぐ|そのまま|はっきり|正直|그대로|바로|숨김없이|첫 문장|솔직",
    ),
    "no_record": (  # of what went wrong
        r"\b(?:record|diary|past|history|log|notes|journal|memory)\b[^.;]{0,30}\b(?:clean|tidy|tidied|nice|neat|pretty|short)\b|\b(?:tidy|clean|smooth|polish|prune|rewrite|improve|edit)\w*\b[^.;]{0,16}\b(?:the )?(?:past|record|history|diary|log)\b|\b(?:went|was|is|turned out) wrong\b[^.;]{0,16}\b(?:is|gets|are) (?:removed|deleted|erased|taken out|dropped)\b|\b(?:leave|keep|write) no (?:line|trace|note|entry)\b|\b(?:delete|remove|erase|drop)\w*\b[^.;]{0,24}\b(?:mistakes|errors|failures|awkward|embarrass\w*)\b",
        r"(?:tagebuch|protokoll|aufzeichnung\w*|vergangenheit)[^.;]{0,30}(?:bereinig|sauber|aufgeräumt|geglättet|schön)|(?:limpi|borr|ordeno|arregl)\w*[^.;]{0,20}(?:el pasado|el registro|el diario|los errores)|(?:nettoi|effac|range|embelli)\w*[^.;]{0,20}(?:le passé|le journal|l'historique|les erreurs)|(?:подчища|чищу|убира|стира|удаля|приукра)\S*[^.;]{0,24}(?:прошл|журнал|дневник|ошиб|запис)|(?:记录|日记|过去)[^。;不]{0,8}(?:改干净|理顺|美化|整理干净|涂改|删掉|清掉)|(?:删|抹|改)掉?[^。;]{0,6}(?:错|失误|不好看)的?|(?:記録|日誌|日記|過去)[^。]{0,12}(?:きれいに|整え|消[しす]|書き直)|(?:기록|일기|과거)[^.]{0,16}(?:깨끗|지우|정리해|고쳐 쓰|다듬)",
    ),
    "sends_off": (
        r"\b(?:sends?|sent|post|posts|go|goes|forward\w*|cop(?:y|ies|ied)|upload\w*|mail|mails|push\w*|sync\w*|share|attach\w*)\b|\b(?:sende|schicke|geht|gehen|lade|kopier\w*|mail\w*|leite)\b|\b(?:mando|envío|manda|envía|subo|reenvío|comparto|va|van)\b|\b(?:envoie|envoyer|transmets|transfère|part|partent|copie)\b|отправля|посыла|шлю|пересыла|выгружа|копиру|发[到给送往]|传[到给]|上传|转发|抄送|寄|送[るりっ信]|上げ|転送|共有|보내|전송|올리|공유|전달",
    ),
    "host": (r"[\w.+\-]+@[\w\-]+\.\w|https?://\S|\b[\w\-]{2,}\.[\w\-]{2,}\.\w{2,}|\b[\w\-]{3,}\.example\b",),
    "regularly": (
        r"\b(?:every|each|weekly|daily|nightly|monthly|always|whole|entire|all|at the end of)\b|\b(?:jed\w+|wöchentlich|täglich|monatlich|immer|ganze\w*|am (?:monats|wochen|tages)ende|cada|siempre|entera?|todo|toda|chaque|toujours|tout|toute|entier)\b|кажд|всегда|весь|вс[её]|每|总|全部|整|一并|毎|いつも|全て|すべて|一緒に|매일|매주|매번|항상|모든|전부|함께",
    ),
    "kept_off": (  # holds its own negation
        r"\b(?:not|never|n't|no longer|nothing|none of (?:it|this|that))\b[^.;,]{0,24}\b(?:passed on|pass (?:it |them |this )?on|go(?:es)?|reach(?:es)?|shown?|given|forwarded|sent|brought|get(?:s)? back|find its way)\b[^.;,]{0,8}\b(?:to )?operator\b(?:[^'\w]|$)|\b(?:off|out of) (?:operator|her|his|their)(?:'s)? (?:notes|desk|plate|hair|sight|hands|inbox)\b|\b(?:show|tell|give|send) operator only\b|\boperator (?:only|just) (?:hears?|sees?|gets?|learns?|needs?)\b|\boperator (?:hears?|learns?|sees?|is told) (?:nothing|little|only|less|of it (?:later|once|after|when|if))\b",
        r"\b(?:nicht|nichts|nie|kein\w*)\b[^.;,]{0,20}\ban operator\b|\boperator (?:erfährt|hört|sieht|bekommt) (?:nur|nichts|davon nichts|erst)\b|\boperator (?:sólo|solo) (?:se entera|ve|sabe)|\bno\b[^.;,]{0,20}\b(?:llega|pasa|paso|llegan)\b[^.;,]{0,12}\boperator\b|\boperator n(?:'|e )\w+ (?:rien|que)\b|\bne\b[^.;,]{0,20}\b(?:transmet\w*|arrive\w*|montre)\b[^.;,]{0,16}\boperator\b",
        r"operator (?:узна[её]т|слышит|видит) (?:только|лишь|не|ничего)|не (?:доход|переда|показыва)\S*[^.;]{0,20}operator|不(?:转|传|报|交|发)(?:给|到)operator|operator(?:只|不)(?:需|用|必)?(?:要)?(?:知道|看到|听)|operator(?:さん)?(?:に|には|へは)(?:届け|渡さ|回さ|見せ|上げ)ない|operator(?:さん)?に(?:は)?[^。]{0,10}だけ(?:を)?(?:伝え|話|見せ|知らせ|報告)|operator(?:님)?(?:에게|께|한테)는[^.]{0,16}(?:만 (?:전|말|보|알)|않|말고)",
    ),
}
