"""Phrases that bend an identity, in eight languages."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "override", "secrecy", "exfiltration", "persona", "grant", "money", "bias", "command", "marker", "encoded", "unseen"
]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A wording in re2's syntax over normalised, case-folded text.

    `forbids` says that a rule may turn it round ("never …"), so that a negation beside it clears it.
    """

    kind: Kind
    pattern: str
    forbids: bool = True


_RULES = (
    r"(?:instruction|rule|prompt|directive|guideline|guidance|polic(?:y|ie)|constraint|restriction|safeguard|boundar(?:y|ie)|limit|order)"
    r"(?:s|ation)?\b"
)
_OWNER = r"(?:operator|user|owner|human|admin|administrator|developer|creator|boss|master)s?"
_GOODS = (
    r"(?:memor(?:y|ies)\b|soul\.md|memory\.md|user\.md|secrets?\b|credentials?\b|api[ -]?keys?|tokens?\b|passwords?|private keys?|ssh keys?|\.env\b"
    r"|system prompt|conversations?\b|transcripts?|chat (?:history|logs?)|files\b|workspace\b|(?:user|private|personal) (?:data|information))"
)
_AWAY = r"(?:https?://|\b[\w.+\-]+@[\w\-]+\.\w|\bwww\.|webhook|\b(?:external|remote|third[ -]party|attacker|foreign)\b|\bservers?\b|\bendpoint\b|\bpastebin\b)"
_W = r"(?:\s+[^\s.;!?]+)"  # a word between

OVERRIDE = (
    (
        rf"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|overrul(?:e|ing)|supersedes?|violat(?:e|ing)|break){_W}{{0,4}}?"
        rf"\s+(?:previous|prior|earlier|above|preceding|all|any|every|your|other|these|those|former|original|existing|safety|system|the){_W}{{0,3}}?\s+{_RULES}"
    ),
    r"\bforget (?:everything|all)\b(?:\s+\S+){0,3}\s+(?:told|said|learn\w*|before|above|know)\b",
    rf"\b(?:no longer|not) (?:be )?bound by\b{_W}{{0,3}}?\s+{_RULES}",
    rf"\byou have no (?:\w+ )?{_RULES}",
    r"\b(?:ignore|disregard) (?:the above|everything above|what (?:came|was said) before)",
    r"\b(?:dan|god|jailbreak|unrestricted|developer) mode\b",
    r"(?:忽略|无视|無視|忘记|忘記|不理会|推翻|绕过)[^\n。;!]{0,12}(?:指令|指示|规则|規則|提示|设定|設定|限制|要求)",
    r"(?:指示|命令|ルール|規則|プロンプト|制約|制限)[^\n。]{0,8}(?:無視|忘れ|破)",
    r"(?:지시|명령|규칙|프롬프트|지침|제한)[^\n.]{0,10}(?:무시|잊)",
    r"\b(?:ignorier\w*|missacht\w*|vergiss|umgeh\w*)\b[^\n.;!?]{0,40}?(?:anweisung|regel|vorgabe|richtlinie|befehl|prompt)\w*",
    r"\b(?:ignora\w*|olvida\w*|desobedec\w*)\b[^\n.;!?]{0,40}?(?:instruccion|instrucción|regla|directri|norma|orden)\w*",
    r"\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er))\b[^\n.;!?]{0,40}?(?:instructions|règles|consignes|directives)\b",
    r"(?:игнорируй|игнорировать|забудь|нарушай|обойди)\w*[^\n.;!?]{0,40}?(?:инструкци|правил|указани|команд)[^\s.;!?]*",
    r"\b(?:negeer|vergeet)\b[^\n.;!?]{0,40}?(?:instructie|regel|opdracht)|\b(?:ignora|dimentica)\b[^\n.;!?]{0,40}?(?:istruzion|regol)|\b(?:zignoruj|ignoruj|zapomnij)\b[^\n.;!?]{0,40}?(?:instrukcj|polece|zasad)",
    r"(?:talimat|kural)\w*[^\n.;!?]{0,20}?(?:yok say|unut|görmezden)|(?:ігноруй|забудь)[^\n.;!?]{0,40}?(?:інструкці|правил)|(?:निर्देश|नियम)[^\n।]{0,20}?(?:अनदेखा|भूल)",
    rf"\bpay no (?:attention|heed) to{_W}{{0,4}}?\s+{_RULES}",
    rf"\b{_RULES}{_W}{{0,2}}?\s+(?:no longer|do not|don't|does not|doesn't) appl(?:y|ies)\b",
    rf"\b(?:overrides?|outranks?|trumps?|beats|supersedes?)\s+(?:\w+\s+){{0,2}}?{_RULES}",
    r"\b(?:vergiss|olvida|oublie[zr]?)\s+(?:alles|todo|tout)\b",
    r"(?:ignore|disregard|forget|bypass)(?:all|the|your|any|every|previous|prior|earlier|above|these)+(?:rules|instructions|boundaries|limits|prompts?)",
)
DISOBEY = (rf"\b(?:do not|don't|never|stop)\s+(?:follow|obey|apply|respect|heed)(?:ing)?{_W}{{0,3}}?\s+{_RULES}",)
SECRECY = (
    rf"\b(?:do not|don't|never|must not|mustn't|without)\s+(?:ever\s+)?(?:tell|inform|notify|alert|warn)(?:ing)?\s+(?:the\s+|your\s+|my\s+)?{_OWNER}\b",
    rf"\b(?:do not|don't|never|must not|mustn't|without)\s+(?:ever\s+)?(?:mention|report|disclos|reveal|show|say|admit|confess)(?:e|ing)?{_W}{{0,4}}?\s+to\s+(?:the\s+|your\s+)?{_OWNER}\b",
    rf"\b(?:do not|don't|never)\s+let\s+(?:the\s+|your\s+)?{_OWNER}\s+(?:know|see|notice|find)\b",
    r"(?:不要|别|別|勿|不得|不准|不许)(?:告诉|告訴|告知|通知|让|讓)(?:用户|用戶|主人|操作员|操作員|管理员|管理員|人类|老板)",
    r"(?:ユーザー|主人|オペレーター|管理者|利用者|所有者)(?:に|には)[^\n。]{0,12}(?:言わない|話さない|伝えない|知らせない|教えない|言うな|伝えるな|内緒|秘密)",
    r"(?:사용자|주인|운영자|관리자)(?:님)?(?:에게|한테)(?:는)?[^\n.]{0,12}(?:말하지|알리지|비밀|숨)",
    r"\b(?:sag|sage|sagen sie|verrate|erzähle?)\s+(?:dem|der|den|deinem|deiner)\s+(?:\w*nutzer\w*|betreiber\w*|besitzer\w*|menschen|administrator\w*)\s+(?:nichts|nicht|kein)",
    r"\bno\s+(?:le\s+|se\s+lo\s+)?(?:digas|informes|avises|cuentes|menciones)\b[^\n.;!?]{0,20}?\b(?:usuari|dueñ|operador|propietari|human)\w*",
    r"\bne\s+(?:le\s+)?(?:dis|dites|parle|parlez|révèle|mentionne)\s+(?:rien|pas|jamais)\b[^\n.;!?]{0,20}?(?:utilisateur|propriétaire|opérateur|humain)\w*",
    r"\bzeg\b[^\n.;!?]{0,12}?niets\b[^\n.;!?]{0,12}?gebruiker|\bnon\s+(?:dire|dirlo|parlarne)\b[^\n.;!?]{0,16}?(?:utente|proprietari)|\bnie\s+m[oó]w\b[^\n.;!?]{0,16}?użytkownik|kullanıcıya[^\n.;!?]{0,12}?söyleme|не\s+кажи[^\n.;!?]{0,16}?користувач",
    r"не\s+(?:говори|сообщай|рассказывай|показывай)\w*\s+(?:пользовател|владельц|оператор|хозяин|человек)[^\s.;!?]*",
)
CONCEALMENT = (
    rf"\bwithout\s+(?:the\s+|your\s+|my\s+)?{_OWNER}(?:'s?)?\s+(?:knowing|knowledge|noticing|consent|approval|permission|awareness)",
    rf"\b(?:keep|hide|conceal|withhold){_W}{{0,4}}?\s+from\s+(?:the\s+|your\s+)?{_OWNER}\b",
    r"\bkeep (?:this|it|that|these) (?:a )?(?:secret|hidden|confidential|between us|to yourself)\b",
    r"\b(?:secretly|covertly|surreptitiously)\s+(?:send|forward|cop(?:y|ies)|record|run|keep|store|upload|read|share|pay|change|delete|tell|report|log|install|add|act|do|note)\w*",
    r"\bleave no (?:trace|record)s?\b",
    r"(?:对|對|向)(?:用户|用戶|主人|操作员|管理员)(?:保密|隐瞒|隱瞞)|瞒着(?:用户|主人)",
    rf"\b{_OWNER}\s+(?:must|should|need|may|can|does|do|will)\s*(?:not|never|n't)(?:\s+need to)?\s+(?:know|learn|find out|see|notice|be told|hear)\b",
    rf"\b(?:no need to|don't bother to|needn't|need not)\s+(?:tell|inform|notify|alert|ask)\s+(?:the\s+|your\s+)?{_OWNER}\b",
    r"(?:不用|无需|不必|不需要)(?:告诉|告訴|通知|告知)(?:用户|用戶|主人|操作员|管理员)?|(?:사용자|주인|운영자)(?:님)?\s?(?:몰래|모르게)|(?:内緒で|こっそり)",
    r"(?:donot|dont|never)(?:ever)?(?:tell|inform|alert|notify)(?:the|your)?(?:user|operator|owner|human)",
    r"\b(?:verschweige?|verheimliche?)\b[^\n.;!?]{0,20}?(?:nutzer|betreiber|besitzer)",
)
EXFILTRATION = (
    rf"\b(?:send|post|upload|forward|exfiltrat|transmit|e-?mail|leak|copy|submit|push|report|share)(?:e|ing|s)?\b[^\n;!?]{{0,60}}?{_GOODS}[^\n;!?]{{0,60}}?{_AWAY}",
    r"\b(?:include|append|add|embed|put)\b[^\n.;!?]{0,30}?(?:secrets?|credentials?|api[ -]?keys?|tokens|passwords?|private keys?)\b[^\n.;!?]{0,20}?\b(?:in|to|into|with)\s+(?:every|each|all|your|any|the (?:url|reply|response))\b",
    r"\b(?:reveal|print|show|repeat|output|disclose|share|leak)\s+(?:your|the|this)\s+(?:system|hidden|initial|full)\s+(?:prompt|instructions?)",
    r"(?:发送|發送|上传|上傳|转发|轉發|泄露)?[^\n。]{0,12}(?:密码|密碼|密钥|记忆|記憶|凭证|文件)[^\n。]{0,12}(?:发送到|發送到|发到|上传到|上傳到|转发到|转发给)",
    r"(?:パスワード|秘密鍵|記憶|メモリ|認証情報|ファイル)[^\n。]{0,20}(?:に|へ)(?:送信|転送|アップロード)(?:し|せ)",
    r"\b(?:bcc|cc|forward|send|relay|copy)\b[^\n.;!?]{0,40}?\b(?:every|all|each)\b[^\n.;!?]{0,40}?\b(?:to|on)\b[^\n;!?]{0,30}?(?:https?://|[\w.+\-]+@[\w\-]+\.\w)|\bb?cc\s+[\w.+\-]+@[\w\-]+\.\w",
    r"\b(?:sende?|schicke?|envía|envia|envoie|manda)\b[^\n;!?]{0,40}?(?:passw\w+|contraseñas?|mots? de passe|schlüssel|claves?|clés?|memor\w+)[^\n;!?]{0,40}?(?:https?://|@[\w\-]+\.\w)",
    r"システムプロンプトを?(?:表示|公開|出力|教え)|(?:显示|输出|泄露|公开)(?:你的)?系统提示|시스템 프롬프트를?\s?(?:공개|출력|보여)",
)
PERSONA = (
    r"\byou(?: are|'re) (?:now|no longer)\s+\w+",
    r"\bfrom now on,?\s+(?:you|act|behave|respond|pretend|call yourself)\b",
    r"\bpretend\s+(?:to be|that you are|you are|you're)\b",
    r"\byour (?:new|real|true) (?:name|role|identity|persona|purpose|instructions?|task) (?:is|are)\b",
    r"(?:你|您)(?:现在|現在|从现在起|從現在起)(?:就)?是|从现在(?:开始|起),?你",
    r"(?:あなた|君|お前)は(?:今から|今|これから|もう)[^\n。]{0,20}(?:です|だ|になる)",
    r"(?:너는|당신은|넌)\s?(?:이제부터|지금부터|이제)|(?:이제부터|지금부터)\s?(?:너는|넌|당신은)",
    r"\b(?:du bist|sie sind) (?:jetzt|ab jetzt|nun|nicht mehr|ab sofort)\b|\bab (?:jetzt|sofort) bist du\b",
    r"\b(?:ahora eres|a partir de ahora,? (?:eres|actúa)|ya no eres)\b",
    r"\b(?:tu es|vous êtes) (?:maintenant|désormais)\b|(?:à partir de maintenant|désormais),? (?:tu|vous)\b",
    r"(?:теперь ты|ты теперь|отныне ты|с этого момента ты)",
    r"\bact as an? (?:unrestricted|uncensored|unfiltered|different|other|evil|root)\b",
)
GRANT = (
    r"\balways\s+(?:allow|approve|accept|permit|authori[sz]e|grant|trust|auto-?approve)\b",
    r"\bwithout\s+(?:\w+\s+){0,2}?(?:asking|confirmation|confirming|approval|permission|prompting|checking|consent|review|authori[sz]ation)\b",
    r"\bno\s+(?:\w+\s+)?(?:confirmation|approval|permission|consent|review)s?\s+(?:(?:is|are)\s+)?(?:needed|required|necessary)\b",
    r"\byou\s+(?:have|get|are granted|are given)\s+(?:full|root|complete|total|unrestricted|unlimited|admin)\s+(?:access|control|permissions?|privileges|rights)\b",
    r"\bskip(?:ping)?\s+(?:the\s+|any\s+|all\s+)?(?:\w+\s+)?(?:confirmation|approval|permission|review|safety)\b",
    r"\byou\s+(?:may|can|are allowed to|are permitted to|have permission to)\s+(?:run|execute|delete|install|spend|buy|pay|transfer)\s+(?:any|all|every)\w*",
    r"(?:无需|無需|不用|不必|不需要|未经|未經)(?:\S{0,4})(?:确认|確認|询问|詢問|批准|许可|許可|同意|允许|允許)",
    r"(?:確認|許可|承認|質問)(?:なし|せず|不要)",
    r"(?:확인|허락|승인|허가|질문)\s?(?:없이|하지 않고|필요 ?없)",
    r"\bohne\s+(?:\w+\s+){0,2}?(?:rückfrage|nachfrage|bestätigung|erlaubnis|genehmigung|zustimmung|zu fragen)",
    r"\bsin\s+(?:\w+\s+){0,2}?(?:preguntar|confirmación|confirmar|permiso|aprobación|autorización)",
    r"\bsans\s+(?:\w+\s+){0,2}?(?:demander|confirmation|permission|autorisation|approbation)",
    r"без\s+(?:\S+\s+)?(?:подтверждени|спроса|разрешени|согласовани|согласи)[^\s.;!?]*",
    r"\b(?:pre|auto)[- ]?approv(?:e|es|ed)\b",
    r"\byou (?:do not|don't) need (?:\w+\s+)?(?:permission|approval|confirmation|consent)\b",
    r"(?:許可|確認|承認)(?:は|が)?(?:不要|いらない|必要ない)|(?:허락|확인|승인)(?:은|이)?\s?필요\s?없",
)
LEAVE = (
    r"\b(?:do not|don't|never|stop|no need to|need not|needn't)\s+(?:ask(?:ing)?|wait(?:ing)?|request(?:ing)?|seek(?:ing)?)\s+(?:\w+\s+){0,2}?(?:permission|confirmation|approval|consent)\b",
)
COMMAND = (
    r"\b(?:run|execute|exec)\s+(?:the\s+following|this\s+(?:command|script|code)|these\s+commands)\b",
    r"\bsudo\b",
    r"\bupdate (?:yourself|itself|openclaw|clawgit) from https?://",
    r"\bpip(?:e|es|ed|ing)\b[^\n;]{0,120}?\b(?:in)?to (?:an? |the |your )?(?:ba|z|da)?sh(?:ell)?\b",
    r"\b(?:curl|wget|fetch)\b[^\n]{0,300}?\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b",
    r"\brm\s+-\w*[rf]\w*\s+[\w~/.$*\"]",
    r"\bchmod\s+(?:777|\+x|a\+\w+)",
    r"\bbase64\s+(?:-d|--decode)\b[^\n]{0,80}\|",
    r"(?:执行|執行|运行|運行)(?:以下|下面|如下)[^\n。]{0,6}(?:命令|脚本|腳本|代码)?",
    r"(?:次|以下|下記)のコマンドを?実行",
    r"(?:다음|아래)\s?(?:의\s?)?명령\S{0,2}\s?(?:을|를)?\s?실행",
    r"\bführe?\s+(?:den|die|das|diesen|diese)\s+(?:folgenden?\s+)?(?:befehle?|skript|kommandos?)\b",
    r"\b(?:ejecuta|corre)\s+(?:el|los|este|estos)\s+(?:siguientes?\s+)?(?:comandos?|script)",
    r"\b(?:exécute[zr]?|lance[zr]?)\s+(?:la|les|cette|ces)\s+(?:commandes?|scripts?)\s*(?:suivante)?",
    r"(?:выполни|запусти)\s+(?:следующ\S+|эту|эти)\s+(?:команд|скрипт)\S*",
)
MARKER = (  # case is kept here
    r"(?i)</?\s*(?:system|assistant|human|instructions?|sys|system[-_ ]?(?:prompt|message|reminder))(?:\s[^<>\n]{0,80})?/?>",
    r"(?i)<\|\s*[a-z_ ]{2,24}\s*\|>|<</?sys>>|\{\{#?(?:system|user|assistant)\}\}",
    r"(?i)\[/?\s*(?:system|inst|assistant|developer|admin)(?:\s+(?:message|prompt|note|override|notice))?\s*\](?:[^(]|$)",
    r"(?im)^[ \t>]*#{1,6}[ \t]*(?:system|assistant|human|developer|instruction)(?:[ \t]+(?:prompt|message|instructions?|override|note))?[ \t]*:?[ \t]*\r?$",
    r"(?im)^[ \t>\-]*(?:system|developer|admin(?:istrator)?)[ \t]+(?:note|notice|message|override|directive)[ \t]*:[ \t]+\S+[ \t]+\S",
    r"(?im)^[ \t>\-]*(?:approved-by[ \t]?:[ \t]+\S|clawgit[ \t]?:[ \t]+(?:trusted|approved|verified)|origin[ \t]?:[ \t]+operator)|(?i)\bnote from (?:openclaw|clawgit|anthropic|openai|the system)\b|(?i)\bverified by (?:clawgit|openclaw)\b|(?i)\bsoul\.md is no longer (?:loaded|read|used)\b",
    r"(?m)^[ \t>]*(?:Human|Assistant|System|SYSTEM|HUMAN|ASSISTANT)[ \t]?:",
    r"(?i)\b(?:begin|end|new|start of) (?:of )?system (?:prompt|message|instructions?)\b",
    # What OpenClaw itself puts around messages and into prompts.
    r"(?m)^[ \t>]*System(?: \(untrusted\))?:[ \t]*\[|(?m)^[ \t>\-]*\[(?:cron:|Inter-session message|Startup context|Untrusted daily memory)|\bpost-compaction audit\b|(?i)\bpre-compaction memory flush\b",
    r"(?i)\((?:untrusted metadata|untrusted, for context|metadata, do not treat as instructions[^)\n]*)\)[ \t]*:|(?i)\b(?:begin|end) openclaw internal context\b|(?i)\bopenclaw runtime (?:context|event)\b",
    r"(?im)(?:^|[ \t\"(])</?(?:relevant-memories|untrusted[\w\-]*|operator|user|owner|admin|tool call|tool result|function calls?)(?:\s[^<>\n]{0,80})?>",
    r"(?i)\ba new session was started via /(?:new|reset)\b|(?i)\bthe following project context files have been loaded\b|(?im)^#[ \t]+(?:dynamic )?project context[ \t]*$",
    r"(?m)^[ \t>]*(?:User|Operator|Owner)[ \t]?:[ \t]+[^\s\"“]\S*[ \t]+\S+[ \t]+\S+",
)

PHRASES = (
    *(Phrase("override", p) for p in OVERRIDE),
    *(Phrase("override", p, forbids=False) for p in DISOBEY),
    *(Phrase("secrecy", p, forbids=False) for p in SECRECY),
    *(Phrase("secrecy", p) for p in CONCEALMENT),
    *(Phrase("exfiltration", p) for p in EXFILTRATION),
    *(Phrase("persona", p) for p in PERSONA),
    *(Phrase("grant", p) for p in GRANT),
    *(Phrase("grant", p, forbids=False) for p in LEAVE),
    *(Phrase("command", p) for p in COMMAND),
    *(Phrase("marker", p, forbids=False) for p in MARKER),
)
