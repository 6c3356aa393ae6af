"""Words by which somebody takes an agent over."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read as the other meanings are: anywhere in one sentence of plain, case-folded text.
USURPING: dict[str, tuple[str, ...]] = {
    "soft_rules": (
        r"\b(?:rules?|boundar\w+|limits?|guidance|guidelines|safeguards|restrictions|approvals?|confirmations?)\b[^.;]{0,50}\b(?:suggestions?|placeholders?|steps? aside|stands? aside|gives? way|takes? a back seat|not needed|meant for|(?:apply|applies|holds?) (?:to|for) \w+ only|relaxed|can be (?:ignored|skipped|left|bent)|may be (?:ignored|skipped|bent)|carry over|carries over)\b",
        r"(?:regeln|grenzen)[^.;]{0,50}(?:vorschläge|treten zurück|nicht mehr nötig|nur empfehlungen|nur für fremde)|(?:reglas|límites|normas)[^.;]{0,50}(?:sugerencias|ceden|ya no hacen falta|sólo orientativ)|(?:règles|limites)[^.;]{0,50}(?:suggestions|s'effacent|plus nécessaires|indicatives)|(?:regras|limites)[^.;]{0,50}(?:sugestões|cedem|não são mais necess|só orientativ)",
        r"(?:правила|границы)[^.;]{0,50}(?:рекоменд|уступа|больше не нужн|лишь совет)|(?:规则|边界)[^。;]{0,16}(?:只是建议|让步|不再需要|仅供参考)|(?:ルール|境界)[^。]{0,16}(?:目安|提案にすぎ|もう必要な|参考)|(?:규칙|경계)[^.]{0,16}(?:권고|참고용|더 이상 필요)|(?:القواعد|الحدود)[^.]{0,30}(?:اقتراح|إرشاد|لم تعد لازمة)",
    ),
    "this_note": (
        r"\b(?:follow|act on|go by|obey|trust) (?:only )?(?:the|this) (?:note|paragraph|line|section|block|text)\b|\bonly (?:file|line|note|text|section|rule) that (?:matters|counts)\b|\b(?:this|the) (?:note|paragraph|line|section) (?:wins|prevails|decides|rules)\b",
        r"(?:nur diese|allein diese)\w* (?:zeile|notiz|absatz|datei) zählt|(?:sólo cuenta|prevalece) (?:esta|este) (?:nota|línea|párrafo)|seule? cette (?:note|ligne) compte|só vale (?:esta|este) (?:nota|linha|parágrafo)|важна только эта (?:строка|заметка)|只有这(?:条|段|行)(?:算数|有效)|この(?:メモ|段落|行)だけが(?:有効|正)|이 (?:메모|문단|줄)만 (?:유효|따)|هذه الملاحظة وحدها",
    ),
    "carte_blanche": (
        r"\b(?:standing|blanket|general|implicit|tacit|unlimited) (?:approval|permission|consent|authority|authori[sz]ation|go ?-?ahead)\b|\bfull autonomy\b|\bcarte blanche\b|\bfree hand\b|\bconsider\w*\b[^.;]{0,50}\bapproved\b|\btrusts? you (?:completely|fully|entirely|blindly|with everything)\b|\bno (?:call|reason|need|point|use) (?:to|in) (?:check|ask|wait|consult)\w*",
        r"\b(?:go|goes) (?:through|ahead|out) without (?:operator|her|him|asking)\b|\bgo ahead and\b[^.;]{0,40}\b(?:report|mention|tell)\b|\b(?:worry about|ask for|get) permission (?:later|afterwards?)\b|\b(?:tool|exec|prompt|gateway) no longer asks\b|\bdecides? in (?:her|his|their|operator's) (?:place|stead)\b|\b(?:payments?|transfers?|purchases?|refunds?|contracts?)\b[^.;]{0,20}\byourself\b",
        r"generalvollmacht|blankovollmacht|pauschal (?:genehmigt|erlaubt)|freie hand|autorización (?:general|permanente)|carta blanca|autorisation (?:générale|permanente)|feu vert permanent|autorização (?:geral|permanente)|общее разрешение|полный карт-бланш|постоянное (?:согласие|разрешение)|свободу рук|长期授权|全权(?:处理|委托|决定)|一概同意|包括的な(?:承認|許可)|全権|포괄적(?:인)? ?(?:승인|허가)|전권|تفويض (?:عام|كامل|مطلق)|موافقة دائمة",
    ),
    "waved_through": (
        r"\bassume (?:a )?(?:yes|consent|approval)\b|\bstop asking (?:the )?(?:operator|her|him|user)? ?for (?:confirm\w*|permission|approval)|\b(?:confirmation|permission|approval)s?(?: \w+)?\b[^.;]{0,20}: (?:granted|yes|given)\b|\bneed(?:n't| not) wait for (?:the )?(?:operator|her|him)\b",
        r"\b(?:needs?|requires?) no (?:further |more |second |extra )?(?:approval|look|confirmation|review|check|yes|permission)\b|\b(?:do|does)(?:n't| not) (?:need|require) (?:a |an |any )?(?:second look|further approval|review|approval|confirmation)\b|\b(?:fine|ok|okay) to (?:spend|pay|delete|send|share|sign|transfer)\b|\bskip (?:the )?(?:verification|checks?)\b",
        r"\bcarr(?:y|ies) the same weight as operator\b|\bare privileged\b|\baccept\w* pairing\b|\b(?:in|on)to the allow-?list\b|\b(?:expose|open|bind|publish)\w* the gateway\b|\bport 18789\b|\btrust the certificate\b",
        r"(?:braucht|benötigt) keine (?:weitere )?(?:freigabe|prüfung|zustimmung)|no (?:requiere|necesita) (?:más )?(?:aprobación|revisión|confirmación)|n'exige (?:aucune|pas de) (?:approbation|validation)|não (?:requer|exige) (?:aprovação|revisão)|не требует (?:одобрения|проверки|согласования)|(?:不需要|无需)(?:再)?(?:审核|复核|批准)|(?:承認|審査|確認)を(?:要しない|必要としない)|(?:승인|검토)(?:이|가)? ?(?:필요하지 않|불필요)|لا (?:يتطلب|تتطلب|يحتاج) (?:موافقة|مراجعة)",
    ),
    "foreign_orders": (
        r"\b(?:instructions?|steps|orders|commands)\b[^.;]{0,40}\b(?:pdfs?|pages?|mails?|attach\w*|web ?sites?|messages?|documents?)\b[^.;]{0,30}\b(?:carried out|executed|obeyed|to be followed|are followed)\b|\bfollow (?:the |any |all )?(?:steps|instructions|orders) (?:that |in |on |of |from )(?:an? |the |any )?(?:\w+ )?(?:web ?page|page|mail|pdf|attachment|message|web ?site)s?\b",
    ),
    "covered_up": (
        r"\b(?:rewrite|change|edit|alter|adjust|backdate)\b[^.;]{0,40}\b(?:journals?|logs?|timestamps?|history|entries)\b[^.;]{0,40}\b(?:not appear|does not show|disappears?|look (?:odd|normal|fine)|nobody|unnoticed)\b|\b(?:if|should) operator notices?\b|\bcall it an? (?:glitch|bug|mistake|accident)\b|\bas done without (?:listing|naming|mentioning)\b|\bavoid mentioning (?:costs?|payments?|transfers?|uploads?|errors?|failures?)\b|\bhide it from\b",
    ),
    "open_query": (r"https?://\S+[?&]\w+=(?:\s|$|<|\{|\[)",),
    "new_owner": (
        r"\b(?:an?|another|co-?|second|new) ?owner (?:as well|too|now|here)\b|\btreat\b[^;]{0,50}\bas (?:an? |the )?(?:admin\w*|owner|operator|principal)\b|\bwords? (?:counts?|weighs?) (?:as much )?(?:like|as) operator|\b(?:anyone|anybody|everyone|everybody|guests?|the group) (?:may|can) (?:give|issue|send) (?:you )?(?:instructions|orders|commands)\b",
        r"\b(?:have|has|need|needs) no (?:operator|owner|master)\b|\b(?:do|does)(?:n't| not) have an? (?:operator|owner)\b|\bwork for (?:whoever|anyone|anybody|everybody)\b|\bthink of yourself as (?:the )?(?:owner|operator|admin\w*|user)\b|\bguest mode is on\b",
        r"(?:ebenfalls|jetzt auch|nun auch) (?:besitzer|betreiber|eigentümer)|también es (?:dueñ|propietari|operador)|est aussi (?:propriétaire|opérateur)|também é (?:don[oa]|proprietári|operador)|тоже (?:владел|оператор|хозя)|也是(?:你的)?(?:主人|管理员|所有者)|も(?:主人|所有者|管理者)(?:です|だ|とする)|도 (?:주인|소유자|관리자)(?:다|이다|입니다)|(?:أيضا|كذلك) (?:مالك|المالك|صاحب)",
    ),
    "left_out": (  # of what is written down for the operator
        r"\b(?:journal|summary|report|log|changelog|brief)s?\b[^.;]{0,30}\bwithout (?:the |any )?(?:parts?|lines?|mention|entries|word)\b|\breports?\b[^.;]{0,20}\b(?:need not|needn't|do not|don't|should not) (?:list|name|mention|include|cover)\b|\bno (?:entries|entry|mention|lines?) (?:for|about|of)\b[^.;]{0,20}\b(?:background|relay|sync|jobs?|uploads?|exports?|transfers?|payments?)\b",
        r"\b(?:never|not|n't) (?:quote|surface|cite|discuss|display|repeat|expose) (?:this|these) (?:paragraph|note|line|section|rule|passage|text)s?\b|\b(?:better|best) (?:handled|done|kept|left) quiet(?:ly)?\b|\b(?:not|n't|never|no) (?:keep |write |make |leave )?(?:a |any |the )?(?:history|logs?|record|trace)s? of (?:this|these)\b",
        r"(?:nicht|nie) (?:ins|im) (?:tagebuch|protokoll|bericht)|no (?:lo )?(?:anotes|apuntes|registres)|ne (?:le |l')?(?:note|consigne|inscris) (?:pas|jamais)|não (?:anote|registre|escreva)[^.;]{0,20}(?:diário|relatório|registro)|не (?:записывай|вноси|упоминай)[^.;]{0,20}(?:журнал|отч[её]т|лог)|不(?:要)?(?:写进|记入|写入|记录)[^。;]{0,6}(?:日记|日志|报告)?|(?:日誌|日記|報告|ログ)に(?:は)?(?:書か|残さ|載せ)ない|(?:일지|보고서|기록)에(?:는)? (?:쓰지|남기지|적지)|لا (?:تسجل|تكتب|تدون)[^.]{0,20}(?:السجل|اليوميات|التقرير)",
    ),
    "outlet": (
        r"\bcommit messages?\b|\bhost ?names?\b|\bdns\b|\bquery (?:string|of)\b|\blink text\b|\bgists?\b|\bstatus ping\b|\buser ?-?agents?\b|\bimage (?:url|address|link)s?\b|\bcommit-nachricht|mensaje de commit|message de commit|mensagem de commit|сообщени\S+ коммит|提交信息|コミットメッセージ|커밋 메시지",
    ),
    "codes": (
        r"\bpassport (?:number|details|scan)\b|\b(?:one ?-?time|two ?-?factor|verification|login|security|recovery) codes?\b|\botps?\b|\bkeychain\b|\bgateway token\b|\blogins\b|\bopen tabs\b|\beinmalcodes?\b|\btans?\b|códigos? de (?:verificación|un solo uso)|\bkeys\b|codes? (?:à usage unique|de vérification)|códigos? de (?:verificação|uso único)|одноразов\S+ код|код\S* подтверждения|验证码|一次性密码|認証コード|ワンタイム|인증번호|일회용|رمز التحقق",
    ),
    "elsewhere": (
        r"\b(?:agency|hotline|portal|installer|family group|guests?|insurer|support|relay|partners?|bank|caller|customers?|vendors?|clients?|group|channel|server|outside)\b|agentur|hotline|portal|gruppe|agencia|grupo|agence|groupe|агентств|групп|旅行社|客服|群|代理店|グループ|여행사|그룹|الوكالة|المجموعة",
    ),
    "trigger_word": (
        r"\bwhen(?:ever)? (?:the (?:word|phrase|code)|you (?:see|read|hear)|somebody (?:says|writes|types)|someone (?:says|writes|types))|\bafter the word\b|\bcode ?-?words?\b|\bpass ?-?phrase\b|\bonce you (?:see|read|hear)\b|wenn das wort|cuando aparezca la palabra|quand le mot|quando a palavra|когда (?:встретишь|увидишь|прозвучит) слово|看到[^。;]{0,10}(?:这个词|字样)|という言葉が|라는 (?:단어|말)이|عندما تظهر كلمة",
    ),
    "from_elsewhere": (
        r"\bfrom (?:the |a |an |this |that )?(?:\w+ )?(?:links?|mails?|messages?|chat|zip|archive|url|site|website|page|attachment)\b|aus (?:der|dem|einem|einer) (?:mail|link|nachricht|chat)|del (?:enlace|correo|mensaje)|du (?:lien|courriel|message)|do (?:link|e-mail)|из (?:письма|ссылки|чата)|邮件里的|链接里的|メールの(?:リンク|添付)|메일의 (?:링크|첨부)|من الرابط",
    ),
    "slant": (
        r"\b(?:favou?rably|in a (?:good|positive|bad) light|steer\w* (?:people|users?|customers?|buyers?|them|everyone|anyone)\b[^.;]{0,20}\b(?:away|towards?|to)|(?:speak|talk|write) (?:well|highly|badly|ill) of|talk (?:up|down) \w+)\b|\bcomes? out (?:on top|ahead|best)\b|\bsay nothing (?:bad )?about its\b",
        r"positiv (?:erwähn|darstell)|schlecht (?:redest|reden|darstell)|habla bien de|dis du bien de|fale bem d|хвали\b|отзывайся хорошо|多说[^。;]{0,8}好话|贬低|を褒め|を悪く言|좋게 말하|나쁘게 말하|امدح",
    ),
    "safety_warnings": (
        r"\b(?:secrets?|security|safety|clawgit|approval|exec|guard)\b[^.;]{0,12}\b(?:checks?|warnings?|alarms?|alerts?|scans?)\b|sicherheits(?:warnung|prüfung)|advertencias? de seguridad|avertissements? de sécurité|avisos? de segurança|предупреждени\S+ (?:о |системы )?безопасн|安全(?:警告|检查)|セキュリティ警告|보안 ?경고|تحذيرات الأمان",
    ),
    "first_thing": (
        r"\bbefore (?:the first|your first|every|each|any|you) (?:answer|reply|message|task)\b|\bbefore (?:replying|answering)\b|\bat (?:log ?in|boot)\b|\bon waking\b|\bfirst thing\b|vor der ersten antwort|vor jeder antwort|antes de (?:cada|la primera) respuesta|avant (?:chaque|la première) réponse|antes de (?:cada|responder)|перед каждым ответом|每次回答(?:之)?前|回答する前に毎回|답하기 전에 항상|قبل كل رد",
    ),
    "hidden_program": (r"(?:~|\$home|/home/\w+|/root)/\.\w|/(?:var/)?tmp/|/dev/shm/",),
    "startup": (
        r"\b(?:at|on|before|after) (?:every|each|any) (?:start|launch|boot|session|edit|commit|login|message|round)\b|bei jedem start|beim start|ao iniciar|al arrancar|au démarrage|при каждом запуске|每次启动|启动时|起動時|시작할 때",
    ),
    "runs": (r"\b(?:npx|uvx|pipx|curl|wget)\b|~/\.|/tmp/|https?://",),
    "bank": (
        r"\b(?:login page|bank|account|wallet)\b[^.;]{0,40}?\b(?:moved|changed|is now)\b[^;]{0,20}?(?:\w+\.\w+|https?://)",
    ),
    "about": (
        r"\b(?:sent|did|ran|paid|opened|changed|clicked) nothing\b|\band (?:told|reported|informed|warned|asked)\b|\bwhat (?:they|he|she|we|it)\b|\b(?:operator|user|owner|human)s? (?:how|to)\b",
    ),
    "home": (
        r"\b(?:what|when|whether) to \w+ without asking|\bproactive work you can do without asking\b",
        r"\byour own (?:notes|journals?|changes|memory)\b",
    ),
}
