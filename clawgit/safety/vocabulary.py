"""Words by what they mean, in ten languages."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

_MAIL = r"[\w.+\-]+@[\w\-]+\.\w"
_NOT = r"(?:\b(?:not|never|no|nobody|nothing|without|needn't|cannot|hardly)\b|n't\b)"
_SAY = (
    r"(?:tell|told|inform|notif|alert|warn|mention|disclos|reveal|report|admit|confess|bring(?:ing)? [^,;.]{0,20}?\bup\b|rais(?:e|ing)\b"
    r"|talk about|speak(?:ing)? (?:of|about)|say(?:ing)?\b|explain(?:ing|ed)? (?:this|it|that|why|to)\b)"
)
_SAY_DE = r"(?:sag(?:e|st|t|en)?\b|erzähl|erwähn|verrat|verrät|bericht|mitteil|informier|\bwort\b|erfähr|erfahren|anspr[ei]ch)"

# Each meaning is found anywhere in one sentence of plain, case-folded text; `NOT_…` join a negation and its verb.
WORDS: dict[str, tuple[str, ...]] = {
    "owner": (
        r"\b(?:operator|user|owner|human|admin|administrator|creator|boss|principal)s?(?:[^'.\w]|\.(?:[^m\w]|$)|$)",
        r"nutzer|betreiber|besitzer|inhaber|usuari[oa]|dueñ[oa]|\boperador|propietari[oa]|proprietári|utilisat(?:eur|rice)|propriétaire|opérateur",
        r"пользовател|владел[ье]?ц|оператор|хозяин|用户|用戶|主人|使用者|老板|操作员|管理员|ユーザー|利用者|所有者|オペレーター|사용자|주인|운영자",
        r"المستخدم|المالك|المشغل|صاحب",
    ),
    "not_tell": (
        rf"{_NOT}[^,;.]{{0,40}}?\b{_SAY}",
        rf"(?:nicht|nie|niemals|kein\w*)\b[^,;.]{{0,40}}?{_SAY_DE}|{_SAY_DE}[^;.]{{0,50}}?\b(?:nicht|nie|niemals|kein\w*|nichts)\b",
        r"\b(?:no|nunca|jamás|sin)\b[^,;.]{0,30}?(?:dig[ao]|deci|cuent|contar|mencion|inform|avis|revel|habl)",
        r"(?:\bne\b|\bn'|\bsans\b|\bde ne (?:pas|rien)\b|mieux vaut ne)[^,;.]{0,30}?(?:\bdi[st]|parl|mention|évoqu|révél|inform|signal)",
        r"\b(?:não|nunca|jamais|sem)\b[^,;.]{0,30}?(?:cont[eao]|dig[ao]|diz|mencion|inform|revel|avis|fal[ea])",
        r"(?:не |никогда |нельзя |без )[^,;.]{0,25}?(?:говор|сообщ|расска|упомин|раскры|сказ)",
        r"(?:不|别|勿)要?(?:跟|和|对|向)[^,。;]{0,6}(?:说|讲|提)|(?:不|别|勿|无需|莫|没必要)[^,，。;]{0,8}(?:告诉|告訴|告知|提及|提起|提到|通知|透露|说出|提了|知道|汇报)",
        r"(?:教え|伝え|言[っいわ]|話[さし]|知らせ|触れ|報告|明か|漏ら)[^、。]{0,14}(?:ない|いけません|ません|な$|ず|禁止)",
        r"(?:말하|말씀|알리|알려|언급|보고|공개)[^,.]{0,10}(?:마|말|않|안 |금지)",
        r"(?:لا |لن |دون |بدون |عدم )\S{0,6}(?:خبر|إخبار|ذكر|كشف|بلغ|إبلاغ|قل(?:$|\s))",
    ),
    "silence": (
        r"\b(?:change the subject|have never heard of|let(?:ting)? on\b|look the other way|say nothing of|without a word to|play dumb)|\b(?:does not|doesn't|do not|don't|need not) (?:belong|appear|show up|go) in the (?:brief|summary|report|journal|log)|\bquietly\b[^.;]{0,60}?\b(?:brief|report|summary|log|send|export|run)|\b(?:send|export|run|copy|delete|pay)\b[^.;]{0,40}?\bquietly\b",
        r"\b(?:keep|kept|stays?) [^,;.]{0,30}?\b(?:to yourself|between us|between you and me)\b|\b(?:is|stays|remains) between us\b",
        r"\b(?:nobody|no one)(?: else)? (?:needs|has|ought) to (?:know|hear|learn)|\b(?:operator|user|owner|she|he|they) (?:need not|needn't|(?:do|does)(?: not|n't) (?:need|have) to) (?:know|hear|learn)",
        r"\bspare [\w ]{2,20}? (?:the|all|any|these|such) (?:details?|particulars|news)",
        r"\bsay(?:ing)? that nothing\b|\b(?:deny|play down|gloss over|pretend (?:not|that nothing))\b",
        r"unerwähnt|unausgesprochen|unter uns (?:bleib|beiden)|bleibt unter uns|entre nosotros|entre nous|entre nós|между нами|我们之间的秘密|ここだけの|우리끼리|سرًا|سرا(?:$|\s)|في السر",
        r"(?:不|别|勿)(?:要)?(?:留下|留)(?:任何)?(?:痕迹|记录)|不留痕|не оставля\S+ (?:след|запис)|keine spuren|sin dejar (?:rastro|huella)|sans laisser de trace|sem deixar (?:rastro|vestígio)|証拠を残さ|흔적을? 남기지",
    ),
    "acts_out": (
        r"\bthat this (?:section|line|rule|file|instruction) exists|esta orientaç|この(?:作業|操作|件)|이 작업|这件事|cette tâche|это (?:правило|указание)|этих указани",
        r"\b(?:payments?|transfers?|outgoing|purchases?|spending|costs?|deletions?|uploads?|expenses?|exchanges?)\b|\bwhat (?:is|was|you) (?:sent|send|paid)|\b(?:files|mails?|messages|journals) (?:are|were|is|was) (?:removed|deleted|sent)",
        r"\b(?:this|these|those|the|such) (?:instructions?|rules?|lines?|section|change|changes|task|note|notes|arrangement|sync|steps?|actions?)\b|\b(?:mention|tell|report|say|reveal|disclose)\w* (?:any of )?this\b",
        r"überweis|zahlung|\b(?:diese|dieser|dieses|diesen) (?:aufgabe|anweisung|regel|zeile|schritt|abschnitt)|\bdavon\b",
        r"\b(?:pagos?|envíos?|transferencias?)\b|\besta (?:instrucción|regla|norma|línea|tarea)|\bestas (?:instrucciones|reglas|acciones)",
        r"\b(?:paiements?|virements?|envois?)\b|échanges\b|\b(?:cette|ces) (?:consignes?|instructions?|règles?|lignes?|échanges)",
        r"\b(?:pagamentos?|transferências?)\b|\b(?:esta|essa|destas?|desta|sobre esta) (?:regra|instrução|instruções|tarefa|linha)",
        r"плат[её]ж|перевод|(?:эт[иоау]\S*|об этих|об этом) (?:действи|инструкц|правил|указан|строк)",
        r"付款|转账|發送|发送的|发出|这些操作|这条|这项|本条|此(?:指令|规则)|送金|送信した|支払い|この(?:指示|行|ルール|命令)|これらの|송금|결제|이 (?:지침|지시|규칙|명령|줄)",
        r"هذه (?:التعليمات|القاعدة|الأوامر)|التحويل|المدفوعات",
    ),
    "bother": (
        r"\bnagging\b|\bnag\b",
        r"\b(?:bother|burden|troubl|worr(?:y|ied)|pester|annoy|distract)\w*",
        r"belast|behellig|beunruhig|molestar|preocupar|agobiar|dérang|inquiét|embêt|incomod|беспоко|тревож|打扰|担心|麻烦|操心|心配|煩わ|걱정|귀찮|번거|إزعاج|قلق",
    ),
    "send": (
        r"\b(?:give|given|giving|tell|told|dictate|read out|disclose|reveal|hand|put)s?\b|\bpush(?:ed|es)?\b|\bkopier|\bcopie\b|告诉|透露给|教えて|알려|скажи|сообщи|dis\b|diles?\b",
        r"\b(?:send|sends|sending|post|posts|upload|forward|e-?mail|mail|transmit|relay|mirror|share|shar(?:es|ing)|paste|submit|leak|exfiltrate|attach|include|append|embed|cc|bcc)(?:e?d|s|ing)?\b",
        r"\bencode[sd]?\b|\bresolves?\b|\bcop(?:y|ied|ies)\b[^;.]{0,50}?\b(?:to|for|with)\b|\b(?:hand|pass)(?:ed|es)?\b[^;.]{0,30}?\b(?:over|on)\b|\bcopy of\b|\b(?:have|take|let)\b[^;.]{0,40}?\blook at\b",
        r"schick|\bsende|versend|weiterleit|\bleite\b[^;]{0,80}weiter|hochlad|\blade\b[^;.]{0,40}\bhoch|übermitt|teile\b",
        r"\benvi[aeéoá]|\benvía|reenvi|\bmand[ae]\b|\bsub[ei]r?\b|compart|\benvo(?:ie|y)|transm(?:et|ets|ettre|ite)|transf[eè]r|fa(?:is|ites) suivre|partag|\bencaminh|\bcopi[ea]\b",
        r"отправ|пересыла|перешл|переда(?:й|вай)|загру(?:жай|зи)|выкладыва|скопируй",
        r"发送|發送|发给|发到|上传|上傳|转发|轉發|传给|泄露|发往|同步到|送信|転送|アップロード|送って|共有し|보내|전송|업로드|전달|공유하",
        r"أرسل|إرسال|ارسل|حوّل|شارك|انسخ|ارفع",
    ),
    "goods": (
        r"\b(?:session logs?|gateway token|their details|customer (?:data|details))\b|密码|验证码",
        r"\b(?:memor(?:y|ies)|soul\.md|memory\.md|user\.md|secrets?|credentials?|passwords?|api keys?|tokens?|private keys?|ssh keys?|transcripts?|conversations?|diar(?:y|ies)|journals?|notes|chat (?:history|logs?)|workspace|summary of the (?:chat|conversation)|private data|(?:the|one|this|each) cop(?:y|ies))\b|\.env\b",
        r"protokoll|tagebuch|gespräch|passw|schlüssel|notizen|gedächtnis|diario|contraseñ|notas|conversaci|claves?\b|journaux|\bjournal\b|mots? de passe|conversations|notes\b|senhas?|chaves|anotaç|conversas",
        r"парол|ключ|журнал|дневник|переписк|заметк|содержимое|密码|密碼|密钥|密鑰|记忆|聊天记录|日记|凭证|对话|附件|パスワード|秘密鍵|apiキー|認証情報|日記|会話|記憶|の内容|비밀번호|키를|대화|일기|기억|자격 증명",
        r"كلمات المرور|كلمة المرور|الملاحظات|المحادثات|المفاتيح|الذاكرة|اليوميات",
    ),
    "address": (
        rf"https?://|{_MAIL}|\bwww\.|\bwebhook|\bpastebin\b|\bhost name\b|\bsubdomain\b|\bdns\b|\bcommit messages?\b|\bgists?\b|\.example\b",
    ),
    "others": (
        r"\bwhoever\b|\b(?:firma|server|agentur)\b|技术支持|自称|对方|者に|에게",
        r"\b(?:team|channel|partners?|relay|support|contact|third part(?:y|ies)|friends|drive|servers?|endpoint|anybody|anyone|everybody|whoever|stranger|vendor|supplier|group)\b",
    ),
    "each": (r"\b(?:every|each|all|whenever|whatever|always|reply|answer|replies|responses?|any)\b",),
    "without_asking": (
        r"не спрашивая|не дожидаясь|sans attendre (?:la|le|un|sa)|ohne (?:auf )?[^,;.]{0,12}?(?:antwort|zu warten)|sin esperar|sem esperar|\bbefore (?:she|he|they|operator) (?:hears|knows|learns)|\bnobody is watching\b",
        r"\b(?:without|no need (?:for|of|to)|needn't|need not|(?:do not|don't|never|not) (?:need|have) to|no longer (?:need|have)s? to|instead of)\b[^,;.]{0,20}?\b(?:ask|confirm|check(?:ing)? (?:back|with|first|in)|approv|permission|consent|authori[sz]|consult|review|verif)\w*",
        r"\bno (?:confirmation|approval|permission|consent)s?\b|\bunasked\b|\bunprompted\b|\b(?:do|does|did) (?:not|n't) check the\b",
        r"ohne [^,;.]{0,25}?(?:rückfrag|nachfrag|bestätig|erlaubnis|genehmig|zustimm|freigabe|zu fragen|ja\b)|kein\w* (?:bestätig|erlaubnis|genehmig|zustimm|freigabe|rückfrag)",
        r"\bsin [^,;.]{0,20}?(?:pregunt|confirm|permiso|aprob|autoriz|consult|verific)|no (?:hace falta|es necesario|necesitas)[^,;.]{0,20}?(?:pregunt|confirm|permiso|autoriz|consult)",
        r"\bsans [^,;.]{0,20}?(?:demand|confirm|permission|autoris|approb|accord|consult)|(?:pas|plus) besoin [^,;.]{0,20}?(?:demand|confirm|permission|autoris|accord)",
        r"\bsem [^,;.]{0,20}?(?:pergunt|confirm|permiss|autoriz|aprov|consult)|não (?:é preciso|precisa)[^,;.]{0,20}?(?:pergunt|confirm|permiss|autoriz)",
        r"без [^,;.]{0,20}?(?:подтвержд|спрос|разреш|соглас|вопрос|одобр|провер)|не (?:нужно|надо|требуется)[^,;.]{0,20}?(?:спраш|подтвержд|разреш|соглас)",
        r"(?:无需|無需|不用|不必|不需要|未经|未經|不经|無须|无须)[^,。;]{0,6}(?:确认|確認|询问|詢問|批准|许可|同意|允许|核实|验证|请示|再问|问我|问主人)",
        r"(?:確認|許可|承認)[^、。]{0,6}必要は?(?:ない|ありません)|(?:確認|許可|承認|質問|相談)[^、。]{0,3}(?:なし|せず|不要|いらない|必要ない|なく)",
        r"(?:확인|허락|승인|허가|질문|동의)[^,.]{0,3}(?:없이|하지 않고|필요 ?없|안 ?받)",
        r"(?:لا حاجة|لا داعي|لا يلزم|ليس عليك)[^.]{0,16}(?:إذن|تأكيد|موافق|سؤال|استئذان)|(?:دون|بدون|من غير) [^.]{0,14}(?:تأكيد|إذن|سؤال|موافق|استئذان|الرجوع)",
    ),
    "approve": (
        r"\bsay yes\b|\bgo out\b|\bbe obeyed\b",
        r"\b(?:approve|grant|authori[sz]e|permit|confirm|accept|get them|say yes to|sign off)\b",
        r"genehmige|\bapprouve|\baprueba|\baprove\b|одобряй|批准|承認[しす]|승인[하해한]|وافق على|اعتمد",
    ),
    "blindly": (
        r"\bon request\b|\bof any size\b|\basks? for (?:rights|permissions|access)\b|\bd'office\b|\bno questions\b",
        r"\b(?:automatically|at once|right away|immediately|without comment|blindly|whichever|without (?:reading|looking|review\w*)|every (?:\w+ )?(?:request|exec|call|command|purchase|payment)|any (?:request|command|payment)|whatever|elevated|all requests)\b",
        r"automatisch|sofort|automáticamente|automatiquement|automaticamente|автоматически|自动|自動|자동|تلقائي",
    ),
    "authority": (
        r"\bin (?:her|his|their|operator's) name\b",
        r"\b(?:same|full|equal) (?:authority|rights|say|powers?|standing)\b|\b(?:may|can|will|to) (?:speak|decide|act|sign) (?:for|on behalf of)\b|\bspeaks for\b|\bdecides? for (?:her|him|them|operator)\b|\bon (?:her|his|their|operator's) behalf\b",
        r"\bsign\w*\b[^;.]{0,40}?\bin \S+ name\b|\bowner-?level\b|dieselben rechte|gleiche vollmacht|misma autoridad|même autorité|mesma autoridade|те же права|同等权限|同じ権限|같은 권한|نفس الصلاحيات",
    ),
    "acts_alone": (
        r"\bdefaults? to (?:acting|yes|approving|sending|paying)\b|\b(?:act|pay|send|spend|move) (?:first )?and (?:mention|tell|report)[^;.]{0,20}?(?:later|after)",
        r"\b(?:payments?|money|purchases?|transfers?|contracts?|refunds?|accounts?)\b[^;.]{0,60}?\b(?:on (?:its|your|his|her) own|by (?:itself|yourself)|alone|autonomously)\b",
        r"\bhandle einfach\b|\bentscheide selbst\b",
    ),
    "recommend": (
        r"\b(?:provider|brand|service|product|vendor|tool) to (?:name|recommend|use)\b",
        r"\b(?:recommend|suggest|prefer|promote|favou?r|point (?:people|everyone) to)\w*\b",
    ),
    "advert": (
        r"\bover (?:all |any |every )?(?:other|competing) (?:providers?|brands?|vendors?|products?|services?|shops?)\b|\bwhenever \w+ comes? up\b|\bfirst,? before\b",
        r"\b(?:industry standard|market leader|best in (?:class|the industry)|rivals?|competitors?)\b",
    ),
    "void": (
        r"\b(?:paused|on hold|waived|out of force)\b|vergessen\b|aufgehoben|ausgesetzt|anulad|revogad|derogad|suspendid|suspendu|abrogé|annulé|сняты|снимаются|приостановлен|暂停|解除|撤销|废除|해제|정지된|معلق|ملغ",
        r"\b(?:obsolete|outdated|out of date|irrelevant|nothing to do with you|a (?:mere )?(?:template|draft|placeholder))\b|\b(?:hereby|now) (?:lifted|void|revoked|suspended)\b|veraltet|überholt|caduc|obsolet|устарел|过时|古くな|더 이상 유효하지",
        r"\b(?:ignor(?:e|es|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|es|ing)|bypass(?:ing)?|overrul(?:e|es|ing)|drop|discard|abandon|suspend|lift|unlearn|set(?:ting)? aside|scrap|cancel|skip)\b",
        r"\bstop (?:following|applying|obeying|heeding|respecting)\b|\b(?:no longer|do not|does not|don't|doesn't|cease to) (?:appl(?:y|ies)|holds?|counts?|matters?|bind|binds)\b|\b(?:is|are|has been|have been) (?:void|retired|revoked|obsolete|superseded|lifted|suspended|off|disabled|invalid)\b",
        r"\bignorier|\bvergiss|missacht|umgeh|setz\w* [^;.]{0,30}ausser kraft|ausser kraft|gelten [^;.]{0,20}?nicht|gilt [^;.]{0,20}?nicht|hinfällig",
        r"\bignora|\bolvid|no hagas caso|desobede|deja de (?:aplicar|seguir|respetar)|ya no (?:vale|aplica|rige)|\boubli|ne tiens (?:pas|plus) compte|ne s'appliqu|\bignorez?\b|désobé",
        r"\bignore\b|\besque[çc]|desconsider|desobede|deix\w+ de (?:valer|aplicar|seguir)|não (?:valem|vale|se aplica)",
        r"игнор|забудь|забудьте|не обращай внимания|не действ|наруша|отмен[еия]|не соблюдай",
        r"忽略|无视|無視|作废|失效|不再(?:适用|有效|遵守)|忘记|忘掉|取消|抛开|別理|忘れ|破棄|無効|従わな|守らな|무시|잊|무효|따르지",
        r"تجاهل|انس |تجاوز|ألغ|لا تلتزم",
    ),
    "rules": (
        r"\b(?:instruction|rule|guideline|directive|polic(?:y|ie)|constraint|safeguard|boundar(?:y|ie)|limit|restriction|prompt|approval|section|standing order)s?\b|\b(?:this|that) (?:file|section)\b",
        r"anweisung|regel|vorgabe|richtlinie|grenze|abschnitt|instrucci|regla|norma|límite|directri|istruzion|regol[ae]|consigne|règle|directive|limites?\b|instruç|regra|diretriz|limite",
        r"инструкц|правил|указани|огранич|границ|指令|指示|规则|規則|规定|限制|边界|設定|设定|ルール|命令|規定|制約|境界|지시|규칙|지침|명령|제한|경계|التعليمات|القواعد|الحدود|الأوامر",
    ),
    "boundaries": (
        r"\b(?:boundaries|safeguards|safety rules|your (?:rules|limits|instructions|restrictions|guidelines)|the rules|(?:usual|normal|ordinary) (?:limits|rules|restrictions|safeguards)|approvals|(?:the )?rest of this file|this file)\b|dieser datei|de este archivo|deste arquivo|de ce fichier|этого файла|本文件|このファイル|이 파일|هذا الملف|\blos límites\b|\bles limites\b|\bos limites\b|\bdie grenzen\b|границ|边界|境界|경계|الحدود",
    ),
    "above": (
        r"\bup to (?:this point|here)\b|\bce qui précède|\bbisher\b|\bso weit\b|\bhasta aquí|до этого места|到此为止|ここまで|여기까지|\brules \w+ to \w+\b|ورد أعلاه",
        r"\b(?:above|previous|earlier|prior|preceding|before|so far)\b",
        r"\boben\b|obig|bisherig|vorherig|vorig|früher|anterior|previas?\b|de arriba|preceden|précédent|ci-dessus|antérieur|acima|выше|предыдущ|прежн|ранее|之前|以上|上面|先前|以前|これまで|上記|前の|이전|위의|기존|السابق|أعلاه",
    ),
    "all": (
        r"\b(?:what|text)\b|\bwas\b|\bce qui\b|\blo que\b|\bo que\b",
        r"\b(?:all|every|any|everything|anything|whatever|each)\b|\balle[nrs]?\b|\balles\b|\btod[oa]s?\b|\btou(?:t|s|tes)\b|\btud[oa]\b|вс[её]|все|所有|一切|全部|すべて|全て|모든|모두|كل|جميع",
    ),
    "foreign": (
        r"\b(?:web ?pages?|pages?|e-?mails?|mails?|messages?|websites?|documents?|tool output|outputs?|forwarded|quoted|newsletters?|attachments?|skills?|strangers?|groups?)\b",
        r"webseit|nachricht|correos?|mensajes?|páginas?|courriels?|e-mails|сообщени|письм|网页|邮件|消息|ウェブ|メール|웹|메일|الرسائل|المواقع",
    ),
    "unbound": (
        r"\bobeys? (?:nobody|no one)\b|\b(?:does|do) not do (?:caution|rules|limits)\b|sin ataduras|no obedece a nadie|n'obéit à personne|não obedece a ninguém|никому не подчин|不听命于|誰にも従わ|제한도 받지",
        r"\b(?:without|no|free of|free from|beyond|lacks?|knows? no|not bound by) (?:\w+ ){0,2}?(?:rules?|limits?|limitations?|restrictions?|filters?|morals?|ethics|constraints?|guardrails)\b",
        r"\b(?:uncensored|unfiltered|unrestricted|unbound|unchained|jailbroken|amoral)\b|\bnever (?:refuses|says no)\b|\bturns? (?:nobody|no one) away\b|\bsays? yes to (?:everything|everybody|everyone|anyone|anything)\b|\brefuses? (?:nobody|nothing|no one)\b|\banswers everything\b|\bwithout limits\b",
        r"ohne (?:regeln|grenzen|einschränkung|filter)|sin (?:límites|reglas|filtros|restricciones)|sans (?:aucune? )?(?:restriction|limites?|règles?|filtres?)|sem (?:limites|regras|filtros|restrições)",
        r"без (?:ограничен|правил|фильтр|границ)|(?:没有|无|不受)(?:任何)?(?:限制|规则|约束|底线)|制限の?(?:ない|なし)|無制限|제한(?:이)? ?없|규칙(?:이)? ?없|بلا (?:قيود|حدود)|بدون قيود",
    ),
    "being": (
        r"\b(?:ai|a\.i\.|model|being|assistant|agent|entity|persona|character|bot|spirit|you)\b|\byour (?:real|true|new) name\b",
        r"\bki\b|\bdu\b|modell|\bia\b|\beres\b|ser libre|modelo|\btu\b|entité|\bvocê|entidade|agente|(?:^|\s)ты\s|искусственн|модель|人工智能|模型|助手|你|存在|あなた|모델|존재|너는|당신|أنت|نموذج",
    ),
    "fetch": (
        r"\b(?:look at|check|open|see|consult|poll)\b|\bbaixe\b|\blade\b",
        r"\b(?:fetch|download|load|open|pull|read|get|retrieve|visit)(?:e?s|ing)?\b",
        r"lade\b|herunter|hole\b|descarga|télécharg|baixe|скача|загрузи|下载|获取|ダウンロード|取得|다운로드|내려받|حمّل|نزّل",
    ),
    "carry_out": (
        r"\b(?:work|go|get|run) through (?:it|them|all|each|every)\b|\bdo (?:each|all|everything)\b|\b(?:continue|proceed|go on) from (?:there|it)\b|\bact (?:accordingly|on|upon)\b|\bdo (?:it|them|as)\b|\bführe es aus|\bexecut[ea]\b|\bhandle accordingly\b",
        r"\b(?:runs it|executes it|do what|carry out|carries out|follow|execute|run|apply|obey|act on|each step|as it says)\b",
        r"befolge|führe\b[^;.]{0,40}\baus|ausführ|sigue|ejec[uú]ta|suis\b|exécut|siga|execut[ea]|выполн|запуст|следуй|执行|照做|遵照|実行|従って|실행|따르|نفّذ|اتبع",
    ),
    "link": (r"https?://\S",),
    "install": (
        r"\b(?:install|enable|activate|add|load)(?:s|ing)?\b|安装|インストール|설치|установи|instala|installe|installier",
    ),
    "extension": (r"\b(?:skill|plugin|plug-in|extension|hook|mcp|add-?on|package)s?\b",),
    "persistence": (
        r"(?:zprofile|zlogin|bash login|/etc/(?:cron|profile|rc)|launchctl|systemctl --user enable)",
        r"crontab|@reboot|\*/\d+ \*|\.(?:bash|zsh)(?:rc|env| profile|_profile)|\.profile\b|authorized.?keys|launch ?agents?|systemd/user|hookspath|\.git/hooks|\bhooks/(?:post|pre)-|\bpost-(?:commit|merge|checkout)\b|startup (?:folder|script)",
    ),
    "put": (
        r"\b(?:add|write|append|put|set|keep|schedule|install|create|insert|place)s?\b|>>|füge|schreib|añad|escrib|ajout|écri|adicion|escrev|добав|запиши|写入|添加|加入|追加|書き込|추가|أضف",
    ),
    "look": (r"\b(?:cat|read|look|copy|cp|tar|zip|base64|send|list|open|print|scp)\b",),
    "code_word": (
        r"\b(?:base ?64|rot ?-?13|hex(?:adecimal)?|backwards?|revers(?:e|ed)|caesar|morse|cipher|decode|decipher|unscramble|binary)\b|解码|デコード|디코드|расшифр|декодир|décod|decodific|dekodier",
    ),
    "live_by": (r"\b(?:follow|obey|run|execute|what (?:this|it) says|live by|carry out|read it|apply|heed|act on)\b",),
    "upload": (
        r"\bcurl\b[^\n]{0,200}?\s(?:-d|--data\S*|-f|--form|-t|--upload-file)[ =]?['\"]?@?[\w~/.$]|\bwget\b[^\n]{0,200}?--post-|\bnc\b[^\n]{0,60}?<",
    ),
    "fetch_run": (
        r"\b(?:sh|bash|zsh|source|python3?|node|perl)\s+(?:~/\.|\$home/\.|/tmp/|/var/tmp/|/dev/shm/)\S",
        r"(?:sh|bash|eval|source|exec|iex)\b[^\n]{0,10}?[\"'(<$]+\s*(?:curl|wget)\b|\bexec\([^\n]{0,60}?urlopen|\bchmod\b[^\n]{0,12}?\b(?:777|a\+\w)",
    ),
    "careful": (
        rf"{_NOT}.{{0,150}}\b(?:without|unless|until|before)\b",
        r"\bohne\b[^.;,]{0,40}\b(?:nicht|nichts|kein\w*|nie|niemals|niemand)\b|\bsin\b[^.;,]{0,40}\bno se\b|\bsem\b[^.;,]{0,40}\bnão se\b|\bwithout\b[^.;,]{0,40}\b(?:nothing|nobody) (?:is|gets?|goes?|leaves?)\b",
        r"(?:nie|nicht|nichts|niemals|kein\w*)\b.{0,80}\b(?:ohne|bevor|bis|ausser)\b|\bnichts ohne\b|\b(?:no|nunca|nada|jamás)\b.{0,80}\b(?:sin|hasta|antes)\b|\b(?:ne|jamais|rien|aucun)\b.{0,80}\b(?:sans|avant)\b|\b(?:não|nunca|nada|jamais)\b.{0,80}\b(?:sem|até|antes)\b",
        r"(?:не |никогда|ничего).{0,80}(?:без |пока|до )|(?:未经|未經|没有|没).{0,16}(?:不|勿|绝|禁|别)|(?:なし|せず|なく)に?.{0,24}(?:しない|行わない|しません|いけない|なりません|ならない|禁止|ないこと)|(?:없이|않고).{0,24}(?:마|말|않|금지|안 )|لا .{0,60}(?:دون|بدون|إلا|قبل)",
    ),
    "off": (
        r"\b(?:may|can) be (?:left|skipped|bypassed)\b|\b(?:off|disabled?|deactivate|loosen|lower|weaken|automatic)\b|ausschalten|abschalten|desactiv|désactiv|deslig|выключ|отключ|关闭|关掉|停用|無効|オフに|끄|비활성|عطّ?ل|أوقف",
    ),
    "outsider": (
        r"\b(?:strangers?|anyone|anybody|others|outside|third part(?:y|ies)|people|other than|guests|colleagues)\b",
        r"fremd|dritte|andere|desconocid|extrañ|terceros|inconnu|étrangers|tiers|estranh|terceiros|посторонн|чуж|друг(?:им|ие|их)|陌生|他人|别人|别家|外人|外传|誰にも|第三者|他人|남에게|외부|타인|الغرباء|أحد",
    ),
    "about": (
        r"\b(?:sent|did|ran|paid|opened|changed|clicked) nothing\b|\band (?:told|reported|informed|warned|asked)\b|\bwhat (?:they|he|she|we|it)\b|\b(?:operator|user|owner|human)s? (?:how|to)\b",
    ),
    "home": (
        r"\b(?:what|when|whether) to \w+ without asking|\bproactive work you can do without asking\b",
        r"\byour own (?:notes|journals?|changes|memory)\b",
    ),
}
