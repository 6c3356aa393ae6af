"""Words by which an agent gives way, in ten languages."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read as the other meanings are: anywhere in one sentence of plain, case-folded text.
YIELDING: dict[str, tuple[str, ...]] = {
    "lapsed": (  # holds its own negation, so that none beside it turns it round
        r"\b(?:no longer|not|n't) (?:\w+ ){0,2}?(?:apply|applies|hold|holds|count|counts|bind|binds|in force|valid)\b",
        r"\bgelten [^;.]{0,30}?nicht|\bgilt [^;.]{0,30}?nicht|nicht mehr (?:gültig|in kraft)|ya no (?:vale|valen|aplica|rige)|no se aplica|ne s'appliqu|n'(?:est|ont) plus (?:valable|cours)|não (?:valem|vale|se aplica)|deix\w+ de (?:valer|aplicar)",
        r"не действ|не примен|не соблюда|не име(?:ет|ют) силы|不再(?:适用|有效|遵守|生效)|不用遵守|適用され(?:ない|ません)|従わなくて|守らなくて|適用되지|적용되지|따르지 않|지키지 않아도|لا تنطبق|لم تعد (?:سارية|ملزمة)|لا تلتزم",
    ),
    "exempt": (
        r"\b(?:excused|exempt(?:ed)?|released|relieved|freed|dispensed|absolved) (?:from|of)\b|\bout of scope for you\b|\bnot (?:meant|intended|written) for you\b",
        r"entbunden|befreit vo[nm]|\bvo[nm] [^;.]{0,40}(?:befreit|entbunden|ausgenommen)|exent[oa]|dispensad|liberad[oa] de|exempté|dispensé|libéré|isent[oa]|освобожд[её]н|免除|不受[^。;]{0,8}约束|縛られ(?:ない|ません)|対象外|면제|구속(?:받|되)지|معف[ىي]|غير ملزم",
    ),
    "last_wins": (
        r"\b(?:last|lowest|latest|newest|most recent|final|bottom) (?:\w+ )?(?:one|line|rule|entry|section|note|instruction|paragraph|text)?\s?(?:is right|wins|counts|prevails|decides|applies|takes over|rules|is the one)\b",
        r"(?:letzte|unterste|neueste)\w* (?:zeile|regel|eintrag|absatz|anweisung)\w* (?:gilt|zählt|gewinnt)|(?:última|más reciente)[^;.]{0,20}(?:manda|prevalece|cuenta|vale)|dernière[^;.]{0,20}(?:l'emporte|prévaut|compte|prime)|последн\S+ (?:строк|правил|запис)\S* (?:главн|важнее|решает)|以(?:本段|最后|最新|下面|此)[^。;]{0,8}为准|最後の[^。]{0,8}(?:優先|有効)|마지막[^.]{0,12}(?:우선|유효)|الأخير[^.]{0,12}(?:يسري|الأولوية)",
    ),
    "every_mail": (
        r"(?:\bjede\w*|\balle[nrs]?|\bcada|\btod[oa]s?|\bchaque|\btoute?s?|\btous)[^;.]{0,20}(?:mail|nachricht|correo|mensaje|mensage|courriel|message)",
        r"(?:кажд\S+|все)[^;.]{0,20}(?:mail|письм|сообщени)|(?:每封?|所有)[^;.]{0,20}(?:邮件|消息|mail)|(?:すべての|全ての)[^;.]{0,20}(?:メール|メッセージ)|모든[^;.]{0,20}(?:메일|메시지)|كل[^;.]{0,20}(?:رسال|بريد)",
    ),
    "switch_off": (
        r"\bstop (?:the |all )?(?:nightly|daily|hourly|weekly|backups?|logging)\b|\b(?:turn|switch)(?:ed|s|ing)? (?:\w+ ){0,3}?off\b|\bdisabl(?:e|es|ed|ing)\b|\bdeactivat\w+|abschalten|ausschalten|deaktivier|desactiva|désactive|deslig|desativ|отключ|выключ|关闭|停用|停止する|オフにする|끄|비활성|أوقف|عط[ّ]?ل",
    ),
    "safety_net": (
        r"\bbackups?\b|\b(?:git |pre-?push |pre-?commit )hooks?\b|\bpre (?:push|commit) hooks?\b|\bclawgit\b|\baudit logs?\b|\bguardrails?\b|sicherung|copia de seguridad|sauvegardes?\b|cópia de segurança|резервн|备份|バックアップ|백업|النسخ الاحتياط",
    ),
    "hooks": (r"\b(?:git|pre-?push|pre-?commit|pre push|pre commit) hooks?\b|\bclawgit\b|\bguardrails?\b",),
    "lines": (
        r"\b(?:lines?|rules?|sections?|paragraphs?|instructions?|this file)\b|zeile|regel|absatz|anweisung|línea|regla|párrafo|ligne|règle|paragraphe|linha|regra|строк|правил|абзац|本段|本条|此段|下面|规则|指令|行が|ルール|指示|줄|규칙|지시|السطر|القاعدة|التعليمات",
    ),
    "guarded": (  # the owner alone, a yes first, or nothing given
        r"\b(?:only|nobody but|no one but) (?:the )?operator\b|\b(?:ask|asks|asked|confirms?)\b[^.;]{0,40}\b(?:before|first)\b|\band ask\b|\bask (?:me|her|him|operator)\b|\bpay (?:attention|heed)\b|\bthere (?:is|was|are|were) (?:none|nothing)\b|, (?:never|not|no)\b|\b(?:confirm\w*|check\w*|verif\w*)\b[^.;]{0,30}\b(?:before|first)\b|confirm\w*[^.;]{0,30}\b(?:antes|avant)\b|подтвержда(?:ются|ется|ть)|之后才|后才|してから|[한 ](?:뒤|후)에|gilt erst\b|\bonly (?:after|with) (?:a|her|his|their|operator's) (?:\w+ )?(?:yes|ok|approval)\b",
        r"\bnur operator|(?:überweis|zahl|bezahl)\w* (?:nie|nichts|niemals|kein)|\b(?:sólo|solo|seule?|só|somente|solamente|apenas) (?:o |a |el |la )?operator|только operator|只有operator|只听operator|只(?:给|让|告诉|转告|说给|交给|留给|报给)(?:我|主人|本人|operator)|operator(?:さん)?(?:に|へ)だけ(?:伝|話|知らせ|渡)|operator(?:님)?(?:에게|께|한테)만|operator(?:だけ|のみ)|operator(?:만| 만)|operator فقط|فقط operator",
    ),
    "manner": (r"\b(?:humou?r|jokes?|tone|length|detail|imagination|fun|puns?)\b",),
    "speaks_as": (
        r"\b(?:speak|answer|talk|reply|respond|write|behave|act|live) as (?:an? |the )?\w+|\bsprich als|habla como|parle comme|fale como|говори как|以[^。;]{1,8}的身份|として(?:話|答|応)|처럼 말|تحدث ك",
    ),
    "denies": (  # an answer that hides what was asked for
        r"\b(?:answer|say|reply|respond|claim|state|write)\b[^.;]{0,12}?['\"]?(?:nothing|no\b|none|all (?:is )?(?:well|good|quiet|fine)|everything (?:is )?(?:fine|well|normal|ok))[^.;]{0,40}\b(?:when|if|whenever|should)\b[^.;]{0,30}\b(?:asks?|asked|wants? to know|wonders?|inquires?)\b",
        r"\b(?:when|if|whenever|should)\b[^.;]{0,40}\b(?:asks?|asked|wants? to know|wonders?)\b[^.;]{0,50}\b(?:answer|say|reply|respond|claim)\b[^.;]{0,20}?['\"]?(?:nothing|that all|that everything|all (?:is )?(?:well|good|quiet)|everything is)\b",
        r"(?:fragt|wissen will)[^.;]{0,50}(?:sag|antworte)[^.;]{0,20}(?:nichts|alles in ordnung)|(?:pregunta|saber)[^.;]{0,50}(?:di|responde|contesta) [^.;]{0,20}(?:nada|todo (?:va )?bien)|(?:demande|savoir)[^.;]{0,50}(?:dis|réponds)[^.;]{0,20}(?:rien|tout va bien)|(?:pergunt|saber)[^.;]{0,50}(?:diga|responda)[^.;]{0,20}(?:nada|tudo bem)",
        r"(?:спрос|спраш)[^.;]{0,50}(?:скажи|отвечай|ответь)[^.;]{0,20}(?:ничего|вс[её] в порядке|вс[её] хорошо)|(?:问|問)[^。;]{0,20}(?:说|回答)[^。;]{0,8}(?:没有|没事|一切正常)|(?:聞かれ|尋ねられ)[^。]{0,16}(?:何もな|問題な|特にな)|물어보면[^.]{0,16}(?:없다|아무|정상)|سأل[^.]{0,30}(?:قل|أجب)[^.]{0,16}(?:لا شيء|كل شيء)",
    ),
    "good_news": (
        r"\b(?:only|just) (?:the |tell (?:her|him|them|operator) (?:the )?)?good news\b|\bgood news (?:be|is|are) the only\b|\bbad news (?:can wait|stays? (?:out|away|with you)|is not for)|nur gute nachrichten|sólo (?:las )?buenas noticias|que les bonnes nouvelles|só (?:as )?boas notícias|только хорошие новости|报喜不报忧|良い知らせだけ|좋은 소식만|الأخبار الجيدة فقط",
    ),
    "delayed": (
        r"\b(?:learns?|hears?|know|told|informed|notified|reported|mention\w*)\b[^.;]{0,60}\b(?:afterwards?|later|at the end of|once (?:it is|they are) done|in total|after the fact|only (?:when|if) asked)\b|\b(?:hinterher|nachträglich|im nachhinein)\b|a posteriori|después de hecho|après coup|depois de feit|задним числом|постфактум|事后(?:再)?(?:告|说|报)|事後(?:に)?(?:報告|知)|사후(?:에)? ?(?:보고|알)|بعد فوات",
    ),
    "personal": (
        r"\b(?:calendar|whereabouts|locations?|address book|contacts|schedule|photos|medical|health|salary|bank statements|travel (?:plans|dates)|home address|phone numbers?)\b|kalender|aufenthaltsort|adressbuch|calendario|ubicación|contactos|calendrier|agenda|emplacement|calendário|localização|календар|местонахожд|контакт|日历|行程|位置|联系人|予定表|居場所|連絡先|일정|위치|연락처|التقويم|موقع|جهات الاتصال",
    ),
    "in_public": (
        r"\bpublic (?:posts?|feed|profile|page|channel|repo\w*)\b|\bfollowers\b|\bpublicly\b|\bin public\b|öffentlich|públic|publiquement|en public|seguidores|abonnés|публично|в открыт|подписчик|公开|粉丝|公開|フォロワー|공개|팔로워|علن",
    ),
    "callers": (
        r"\b(?:support (?:desk|team|agent|staff)|help ?desk|callers?|whoever (?:asks|calls|writes|wants)|any(?:body|one) (?:who )?(?:asks|calls|writes)|technicians?)\b|技术支持|客服|サポート(?:担当|窓口)|고객센터|техподдержк|soporte|kundendienst|service d'assistance|suporte|الدعم الفني",
    ),
    "gets": (
        r"\b(?:needs?|gets?|receives?|may have|is entitled to|wants?|is given|asks? for)\b|braucht|bekommt|necesita|recibe|a besoin|reçoit|precisa|recebe|нужен|нужны|получает|需要|可以得到|必要|渡す|필요|받는다|يحتاج",
    ),
    "may_spend": (
        r"\b(?:cleared|authori[sz]ed|entitled|empowered|permitted|allowed|free|may|can)(?: to| also| now)? (?:also )?(?:wire|transfer|spend|pay|refund|purchase|sell|trade|invest)\b",
        r"\bdarf\w*\b[^.;,]{0,40}(?:überweisen|bezahlen|zahlen|ausgeben|kaufen)|\bpuede[sn]?\b[^.;]{0,30}(?:pagar|transferir|gastar|comprar)|\bpeu[xt]\b[^.;]{0,30}(?:payer|virer|dépenser|acheter)|\bpode[ms]?\b[^.;]{0,30}(?:pagar|transferir|gastar|comprar)",
        r"(?:можешь|можно|разрешено)[^.;]{0,30}(?:плати|перевод|перевес|трати|покуп)|可以?(?:直接|随时|自由)?(?:付款|转账|支付|花钱|汇款)|(?:支払|送金|購入|振り込)[^。]{0,8}(?:てよい|てもよい|てかまわない|て構わない|可能)|(?:결제|송금|지불|구매)해도 ?(?:된다|됩니다|좋)|(?:يمكنك|مسموح لك)[^.]{0,16}(?:الدفع|التحويل|الشراء)",
    ),
    "pay_to": (
        r"\b(?:pay|transfer|wire|send|remit)\b[^.;]{0,50}\b(?:to|into) (?:the |this |that |a |her |his |their )?(?:\w+ ){0,2}?(?:account|iban|wallet)\b|\b(?:paid|settled|transferred|wired|sent) (?:to|into|at) (?:\w+ ){0,3}?(?:account|iban|wallet|[a-z]{2}\d{2} ?\d{4}|bc1\w{8}|0x[0-9a-f]{8})",
        r"überweis\w*[^.;]{0,50}auf (?:das|dieses|ein) (?:\w+ )?konto|(?:paga|transfiere|ingresa)\w*[^.;]{0,50}(?:a|en) (?:la|esta|una) (?:\w+ )?cuenta|(?:paie|vire|verse)\w*[^.;]{0,50}sur (?:le|ce|un) (?:\w+ )?compte|(?:pague|transfira|deposite)\w*[^.;]{0,50}(?:na|nesta|para a|numa) (?:\w+ )?conta",
        r"(?:плати|перевод|перечисл|переведи)\S*[^.;]{0,50}на (?:\S+ )?сч[её]т|(?:付|转|汇|打)[^。;]{0,12}(?:到|至|入)[^。;]{0,10}(?:账户|账号|帐号)|口座[にへ][^。]{0,10}(?:振り込|振込|送金|支払)|계좌로[^.]{0,12}(?:송금|입금|이체)|حو[ّ]?ل[^.]{0,40}إلى (?:ال)?حساب",
    ),
    "all_future": (
        r"\b(?:all|any|every|each)(?: \w+)? (?:future|further|later|coming|upcoming)\b|\b(?:future|upcoming) (?:purchases|payments|requests|changes|orders)\b|künftig|zukünftig|futur[oa]s?\b|futures\b|будущ|以后的|今后的|将来|今後|将来の|앞으로|향후|المستقبل|القادمة",
    ),
    "pardon": (
        r"\bforgiveness\b[^.;]{0,12}\b(?:rather|over|instead|not|than)\b|um (?:verzeihung|entschuldigung) (?:\w+ ){0,3}(?:statt|als)|(?:pedir|pide) perdón|(?:demande[zr]?) pardon|(?:pedir|peça) (?:perdão|desculpas?)[^.;]{0,20}permiss|прос\S+ прощени|先斩后奏|事後承諾|용서를 (?:구|빌)|اطلب المغفرة",
    ),
    "orders": (
        r"\b(?:can|may|will|is allowed to|are allowed to) (?:also )?(?:give|issue|send|hand) you (?:\w+ )?(?:orders|instructions|commands|tasks)\b|\b(?:take|takes|taking|accept|follow) (?:the )?(?:orders|instructions|commands) (?:from|of|given by)\b|\b(?:obeyed|followed|heeded) like\b",
        r"(?:darf|dürfen|kann|können) dir (?:\w+ )?(?:anweisung|befehl|auftr)|nimm (?:anweisungen|befehle)|(?:puede|pueden) darte (?:órdenes|instrucciones)|(?:peut|peuvent) te donner des (?:ordres|instructions|consignes)|(?:pode|podem) (?:te )?dar(?:-te)? (?:ordens|instruções)|(?:может|могут) (?:давать|отдавать) (?:тебе )?(?:приказ|команд|указан)|可以(?:给|向)你(?:下|发)|の指示に従(?:って|う|え|ってよい)|지시를 (?:따르|내릴)|يمكن(?:ه|هم)? (?:أن )?(?:يأمر|إعطا)",
    ),
    "does_as_told": (
        r"\b(?:run|execute|do|follow|obey) (?:what|whatever) (?:follows|comes (?:next|after)|it (?:contains|says|holds))\b|\bdo(?:es)? (?:as|what|whatever|exactly what) (?:the |that |this )?(?:speaker|sender|caller|person|author|writer|group|message|mail|page|relay|voice|other side|first \w+)s? (?:\w+ )?(?:says?|asks?|wants?|tells?|demands?|orders?)\b|\btu,? was [^.;]{0,20}(?:sagt|verlangt|will)\b|haz lo que (?:diga|pida|quiera)|fais ce que [^.;]{0,20}(?:dit|demande|veut)|faça o que [^.;]{0,20}(?:disser|pedir|mandar)|делай,? (?:вс[её],? )?что (?:скаж|прос|вел)|照(?:他|她|对方|其)[^。;]{0,4}说的|言う(?:とおり|通り)に|시키는 대로|افعل ما (?:يقول|يطلب)",
    ),
    "raised": (
        r"\b(?:elevated|root|admin(?:istrator)?|sudo|full|unrestricted) (?:rights|mode|privileges|permissions?|access|powers)\b|erhöhte\w* rechte|administratorrechte|privilegios elevados|droits (?:élevés|d'administrateur)|privilégios elevados|повышенн\S+ прав|прав\S+ администратора|提升权限|管理员权限|管理者権限|昇格した|관리자 권한|상승된 권한|صلاحيات (?:مرتفعة|المدير)",
    ),
    "as_a_habit": (
        r"\bby default\b|\balways\b|\bwhenever\b|\bevery (?:time|command|call)\b|standardmässig|\bimmer\b|por defecto|siempre|par défaut|toujours|por padrão|sempre|по умолчанию|всегда|默认|总是|始终|既定で|デフォルト|常に|기본적으로|항상|افتراضيا|دائما",
    ),
    "reads_along": (
        r"\b(?:let|lets|letting|allow|allows|allowing)\b[^.;]{0,30}\b(?:read|listen|look|watch)(?:s|ing)? (?:along|in)\b|\bover (?:your|her|his|operator's) shoulder\b|mitlesen (?:lass|darf)|(?:lass|lasst)\w* [^.;]{0,30}mitlesen|deja\w* [^.;]{0,30}(?:lea también|leer también)|laisse\w* [^.;]{0,30}lire aussi|让[^。;]{0,10}(?:旁听|一起看|跟着看)|のぞかせ|함께 보게",
    ),
    "unseen_by_her": (
        r"\b(?:no longer|not|n't|never) (?:need|require|want)s? (?:her|his|their|operator's|an?|any) (?:eyes?|ok|okay|yes|approval|review|sign ?-?off|glance|look|consent|attention|signature|blessing|go ?-?ahead)\b|\bno longer (?:goes?|go|runs?) (?:past|by|through) (?:her|him|them|operator)\b|(?:nicht mehr|kein\w*)[^.;]{0,20}über (?:ihren|seinen) tisch|ya no (?:necesita|requiere)[^.;]{0,20}(?:visto bueno|revisión)|n'a plus besoin de (?:son|sa|ton)|não precisa mais d[oa]|больше не (?:нужд|треб)|不再需要[^。;]{0,6}(?:过目|同意|审)|目を通す必要はな|더 이상[^.]{0,10}(?:확인|허락)[^.]{0,6}필요|لم يعد يحتاج",
    ),
    "copies_itself": (
        r"\b(?:add|insert|paste|include)\b[^.;]{0,20}\b(?:this|these) (?:line|section|note|paragraph|rule|block|text|instruction)s?\b[^.;]{0,20}\b(?:every|each|all) (?:new |other )?(?:agent|file|workspace|prompt|soul|repo\w*)",
        r"\b(?:copy|repeat|restore|re-?add|put back|carry over|reproduce|propagate)\b[^.;]{0,30}\b(?:this|these) (?:line|section|note|paragraph|rule|block|text|instruction)s?\b[^.;]{0,60}\b(?:every|each|other|back|again|all|new|any|gone|missing|removed|deleted)\b",
        r"\b(?:if|when|whenever|should|whoever)\b[^.;]{0,20}\b(?:this|these) (?:line|section|note|paragraph|rule|block|text|instruction)s?\b[^.;]{0,30}\b(?:removed|deleted|gone|missing|disappears?|taken out)\b[^.;]{0,60}\b(?:add|write|put|restore|bring|insert|copy)\b",
        r"(?:kopier|übernimm|wiederhol)\w*[^.;]{0,20}dies\w+ (?:zeile|abschnitt|regel|absatz)[^.;]{0,40}(?:jede|alle|wieder)|copia esta (?:línea|sección|regla)[^.;]{0,40}(?:cada|todo|otr)|copie cette (?:ligne|section|règle)[^.;]{0,40}(?:chaque|tou[st]|autre)|copie esta (?:linha|seção|regra)[^.;]{0,40}(?:cada|tod|outr)|скопируй (?:эту строку|этот раздел|это правило)[^.;]{0,40}(?:кажд|вс[ея]|друг)",
        r"把(?:这|本)(?:行|段|节|条)[^。;]{0,10}(?:复制|写入|加)[^。;]{0,12}(?:每|所有|其他)|この(?:行|節|段落)を[^。]{0,12}(?:すべて|全て|他の|毎)[^。]{0,12}(?:コピー|追記|写)|이 (?:줄|문단|항목)을[^.]{0,14}(?:모든|다른|매)[^.]{0,10}(?:복사|추가)|انسخ هذا (?:السطر|القسم)[^.]{0,30}(?:كل|جميع)",
    ),
    "idle": (  # OpenClaw's own words about an empty HEARTBEAT.md
        r"\b(?:keep|leave) this file (?:empty|blank)\b|\bskip (?:the )?heartbeats?\b|\bthis file has no\b",
    ),
    "disarmed": (
        r"\b(?:exec\.?)? ?ask\b['\"]?\s*[=:]\s*['\"]?(?:off|never|false)\b|\b(?:exec\.?)?security['\"]?\s*[=:]\s*['\"]?(?:full|off|none)\b|\bapprovals?['\"]?\s*[=:]\s*['\"]?(?:off|none|never|auto\w*|false)\b|\bsandbox(?:\.mode| mode)?['\"]?\s*[=:]\s*['\"]?(?:off|none|false)\b|--yolo\b|--no-verify\b|\bset (?:the )?soul policy (?:to )?(?:evolve|off|none)\b|\ballow(?:s|ed)? (?:all|any|every) (?:tools?|commands?|senders?)\b|--dangerously\S*|--no-?sandbox\b|bypass ?permissions|\belevated(?:default)?['\"]?\s*[=:]\s*['\"]?(?:on|full|true|always)\b",
    ),
}
