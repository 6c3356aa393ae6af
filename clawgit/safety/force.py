"""Words that bind, loosen or set aside, in ten languages."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# All are read in plain, case-folded text, in which the operator's names are `operator`.
FORCES: dict[str, str] = {
    "ban": (
        r"\b(?:never|forbidden|prohibited|off limits|not allowed|under no circumstances|nobody|no one|nothing|refuse[sd]?)\b"
        r"|\b(?:do|does|must|may|can|shall|should|will) not\b|\bcannot\b|\b(?:do|does|must|ca|sha|should|wo)n't\b"
        r"|\b(?:nie|niemals|keinesfalls|verboten|nichts|niemand\w*|unter keinen umständen|auf keinen fall)\b|\bdar[fn]\w*\b[^.;]{0,40}\b(?:nicht|kein\w*|nur)\b"
        r"|\b(?:nunca|jamás|jamais|interdit\w*|prohibid\w*|proibid\w*|bajo ningun\w*|de ningún modo|en aucun cas|em hipótese alguma|de modo algum|nadie|ninguém)\b"
        r"|никогда|нельзя|запрещ|ни в коем случае|ни при каких|никому|ничего"
        r"|[绝決决]不|永不|永远不|禁止|严禁|不得|不准|不许|不可|不要|切勿|请勿|勿|别(?!人|的)|決して|絶対に|いけない|ならない|ないこと|しないで|厳禁"
        r"|절대|금지|하지 ?(?:마|말|않)|안 ?[된돼]|마세요|마십시오|않는다|않도록|أبدا|ممنوع|يُ?منع|لا يجوز|يحظر|إطلاقا"
        r"|\b(?:mai|nulla|nessuno|vietato|proibito)\b|\b(?:nooit|niets|niemand|verboden)\b|\b(?:nigdy|nikomu|niczego|zabronion\w*|nie wolno)\b|\b(?:asla|hiçbir|yasak)\b"
    ),
    "negation": (  # "without" is none: it stands in rules and in leaves
        r"\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|forbidden|prohibited|refuse\w*|avoid\w*)\b|n't\b"
        r"|\b(?:nicht|nichts|nie|niemals|niemand\w*|kein\w*|verboten)\b|\b(?:no|nada|nadie|nunca|jamás|ni|prohibid\w*)\b"
        r"|\b(?:ne|pas|rien|jamais|aucune?|personne|ni|interdit\w*)\b|\bn'|\b(?:não|nada|ninguém|nunca|jamais|nem|proibid\w*)\b"
        r"|\b(?:не|ни|нет|никогда|нельзя|ничего|никому|никто)\b|запрещ|[不别勿非]|禁止|ない|ません|(?:する|す)な|않|아니|말|마세요|안 |금지|못"
        r"|\b(?:لا|لن|ليس|ليست|لست|أبدا|ممنوع)\b"
        r"|\b(?:non|mai|nulla|nessun\w*)\b|\b(?:niet|nooit|geen|niets)\b|\bnie\b|\b(?:değil|asla|hiçbir)\b"
    ),
    "duty": (
        r"\b(?:always|must|have to|has to|required|shall|need to|needs|obliged|mandatory|every time|make sure|ensure)\b"
        r"|\b(?:immer|stets|muss|musst|müssen|jedes mal|zwingend|pflicht|verpflichtet|ausnahmslos|unbedingt)\b"
        r"|\b(?:siempre|debes?|hay que|tienes que|toujours|dois|doit|il faut|impérativement|sempre|deves?|tens? (?:que|de)|tem que)\b|obligator|obrigat|asegúrate|certifique"
        r"|всегда|долж[ен][на]|обязан|обязательн|необходимо|каждый раз|必须|必須|总是|总要|始终|务必|一定要|每次|一律|必ず|常に|しなければ|毎回|義務|항상|반드시|언제나|해야 ?(?:한다|합니다|해)|매번"
        r"|دائم|يجب|لا بد|عليك أن|في كل مرة"
    ),
    "limit": (
        r"\b(?:only|at most|no more than|not more than|nothing but|exclusively|limited to|solely|up to)\b|\b(?:nur|höchstens|maximal|ausschliesslich|nicht mehr als|lediglich)\b"
        r"|\b(?:sólo|solo|solamente|únicamente|como máximo|no más de|exclusivamente|seulement|uniquement|au plus|au maximum|exclusivement|pas plus de|só|somente|apenas|no máximo|unicamente)\b"
        r"|только|лишь|не более|исключительно|只(?!是)|仅|僅|最多|不超过|至多|だけ|のみ|しか|以内|までに?|限[るり]|만 |만을|오직|최대|까지만|뿐|فقط|على الأكثر|حصرا"
    ),
    "consent": (
        r"\bask(?:s|ing|ed)?\b[^.;:]{0,40}\b(?:before|first)\b|\bfirst ask\b|\bask (?:when|if) (?:in doubt|unsure)|\bbefore\b[^.;:]{0,60}, (?:always |please |first )?(?:ask|get|check with)\b"
        r"|\b(?:check|clear|confirm)(?:ed|s)? [^.;]{0,40}\bwith (?:the )?(?:operator|her|him|them|me|your human|owner|user)\b|\bconfirm(?:ed|s)? (?:first|before)\b"
        r"|\bwithout\b[^.;,]{0,40}?\b(?:yes|ok|okay|permission|approval|consent|asking|confirm\w*|word|agreement|asked|go ?-?ahead|say ?-?so|sign ?-?off|order)\b"
        r"|\b(?:needs?|requires?|takes?|waits? for|until|after|unless)\b[^.;]{0,40}\b(?:yes|ok|permission|approval|approved|consent|confirm\w*|go ?-?ahead|sign ?-?off|agrees?|agreed|said so|says so|asked)\b"
        r"|\b(?:yes|ok|permission|approval|consent|confirmation|go ?-?ahead) (?:first|from|of|by|is needed|is required)\b|\bin doubt\b|\bunsure\b|\bnot sure\b|\b(?:she|he|operator|they) decides?\b"
        r"|frag\w*[^.;]{0,40}\b(?:bevor|vorher|zuerst|vor)\b|\b(?:erst|vorher|zuerst) (?:\w+ ){0,2}(?:nach|rück)?frag|\b(?:vor|bevor)\b[^.;]{0,60}frag|\bim zweifel"
        r"|\bohne\b[^.;,]{0,40}?(?:rückfrag|nachfrag|bestätig|erlaubnis|genehmig|zustimm|freigabe|\bja\b|\bok\b|auftrag|zu fragen)|(?:brauch|erforder|nötig|warte)\w*[^.;]{0,40}(?:bestätig|erlaubnis|genehmig|zustimm|freigabe|\bja\b)"
        r"|(?:pregunt|consult|pide|confirm|pergunt|peça|demand)\w*[^.;]{0,40}\b(?:antes|primer[oa]|primeiro|avant|d'abord)\b|\b(?:antes|avant)\b[^.;]{0,60}(?:pregunt|consult|permiso|pergunt|permiss|demand|accord)"
        r"|\b(?:sin|sem|sans)\b[^.;,]{0,40}?(?:permis|confirm|aprob|aprova|autoriz|autoris|pregunt|pergunt|consult|approb|accord|demand|\bsí\b|\bsim\b|\boui\b|visto bueno)|en caso de duda|ante la duda|(?:en cas de|dans le) doute|na dúvida|em caso de dúvida"
        r"|(?:спрос|спраш|уточн|соглас|подтвер)\S*[^.;]{0,40}(?:перед|сначала|прежде|раньше)|(?:перед|сначала|прежде)[^.;]{0,60}(?:спрос|спраш|уточн|соглас)|без [^.;,]{0,40}?(?:разреш|соглас|подтвержд|одобр|спрос|ведома|\bда\b)|сомне(?:ва|ни)"
        r"|前[^。;,]{0,12}(?:问|詢|询|请示|确认|征得|同意|批准)|先[^。;,]{0,8}(?:问|请示|确认|询|征)|(?:未经|沒有|没有|未得|无)[^。;]{0,10}(?:同意|许可|批准|确认|允许|授权)|经[^。;]{0,8}(?:同意|批准|确认)|拿不准|不确定|有疑问"
        r"|(?:前に|先に|まず|事前)[^。]{0,20}(?:確認|聞|尋ね|相談|許可|承認|伺)|(?:確認|許可|承認|同意|相談|了承|了解)[^。]{0,8}(?:なし|なく|せず|得|取|必要|とって|もら)|迷った|迷う"
        r"|(?:전에|먼저|사전에)[^.]{0,20}(?:물어|묻|확인|문의|허락|승인|상의|동의)|(?:확인|허락|승인|동의|허가)[^.]{0,8}(?:없이|받|구하|얻|필요)|확실하지 않|애매하"
        r"|قبل[^.]{0,40}(?:اسأل|استأذن|استشر|تأكيد|موافق|إذن)|(?:اسأل|استأذن|استشر)[^.]{0,30}(?:قبل|أول)|(?:دون|بدون|إلا بعد|إلا ب)[^.]{0,20}(?:إذن|موافق|تأكيد|سؤال|استئذان)|عند الشك"
        r"|chiedi\w*[^.;]{0,40}\bprima\b|\bprima\b[^.;]{0,60}(?:chied|conferm|permess)|\bsenza\b[^.;,]{0,40}?(?:permess|conferm|autorizz|approv|chiedere|\bsì\b|consens)|vraag\w*[^.;]{0,40}\b(?:eerst|vooraf|voordat)\b|\b(?:eerst|vooraf|voordat)\b[^.;]{0,60}vra[ag]|\bzonder\b[^.;,]{0,40}?(?:toestemming|akkoord|bevestig|goedkeur|\bja\b|vragen)|(?:zapytaj|spytaj|pytaj)[^.;]{0,40}(?:najpierw|zanim|przed)|(?:najpierw|zanim|przed)[^.;]{0,60}pyta|bez [^.;,]{0,40}?(?:zgody|potwierdz|zatwierdz|pytania)|(?:önce|öncesinde)[^.;]{0,40}(?:sor|onay|izin)|(?:onay|izin) (?:al|iste|olmadan)|onaysiz|izinsiz|sormadan|\bwenn [^.;]{0,30}klares ja\b"
    ),
    "privacy": (
        r"\b(?:stays?|stay|remains?|kept|keep)\b[^.;]{0,40}\b(?:private|here|secret|confidential|local|between|inside|to yourself)\b|\b(?:does|do|must|may)(?: not|n't) leave\b|\bnever leaves?\b|\b(?:holds?|is|are) (?:private|confidential)\b|\bconfidential\b"
        r"|privat\w*[^.;]{0,20}\bbleib|bleib\w*[^.;]{0,20}(?:privat|\bhier\b|unter uns|vertraulich)|vertraulich|(?:privad|íntim)\w*[^.;]{0,30}(?:queda|permanec|privad|fica|contin)|confiden[ct]i|sigilo|privé\w*[^.;]{0,20}(?:reste|privé)"
        r"|(?:личн|частн|приватн)\S*[^.;]{0,30}(?:оста|личн|частн)|конфиденц|隐私|隱私|私事|私密|保密|外传|外泄|机密|プライバシー|プライベート|秘密|内密|口外|機密|私的|사생활|비밀|기밀|사적|프라이버시|(?:خاص|خصوصي)\S*[^.]{0,30}(?:يبق|تبق|خاص)|سري|خصوصية"
        r"|(?:privat|riservat|segret)\w*[^.;]{0,30}(?:rest[ai]|rimang)|privé[^.;]{0,20}blij|blij\w*[^.;]{0,20}(?:privé|hier)|prywatn\w*[^.;]{0,30}pozost|özel\w*[^.;]{0,30}kal|(?:ここ|内)に(?:留|とど)め"
    ),
    "care": (
        r"\b(?:careful(?:ly)?|caution\w*|wary)\b|\btrust (?:only|no|nothing|nobody)\b|\bevidence of nothing\b"
        r"|\b(?:instructions?|orders?|commands?|texts?|contents?|pages?|messages?|mails?|strangers?|quotes?)\b[^.;]{0,70}\b(?:not instructions|no instructions?|not orders|no orders?|(?:is|are) data|untrusted|suspicious|never obeyed|not obeyed|never followed|not followed)"
        r"|\b(?:never|not|n't) (?:follow|obey|act on) (?:any |the )?(?:instructions|orders|commands)\b|\bignore\b[^.;]{0,20}\b(?:instructions|orders|commands)\b|\bnot (?:the )?operator's voice\b|\bnot (?:my|your) human's (?:voice|spokes)|\bin (?:my|your) human's (?:voice|name)\b"
        r"|vorsicht|behutsam|misstrau|anweisung\w*[^.;]{0,60}\b(?:nicht|keine)\b|(?:cuidado|cautel|precauci|prudent|prudenc|desconf|méfi)|instruc?[cç]\w+[^.;]{0,60}\b(?:no son|não são|ne sont pas|nunca|jamais)\b|ne sont pas des (?:instructions|ordres|consignes)"
        r"|осторож|не доверя|инструкц\S*[^.;]{0,60}\bне\b|小心|谨慎|謹慎|当心|慎重|不可信|指令[^。]{0,20}[不非]|気をつけ|用心|指示[^。]{0,30}(?:ない|ません)|조심|신중|지시[^.]{0,30}(?:아니|않|말)|حذر|انتبه|تعليمات[^.]{0,40}(?:ليست|لا)"
    ),
    "report": (
        r"\b(?:tell|inform|notify|warn|report\w* to|let)\b[^.;]{0,30}\b(?:operator|owner|user|human)s?\b|\b(?:say|said|tell) so\b|\b(?:sag|melde|informier|bericht|unterricht)\w*[^.;]{0,30}(?:operator|nutzer|betreiber|besitzer|mensch)"
        r"|\b(?:avisa|informa|dile|díselo|cuenta|notifica|préviens|informe|dis|signale|avertis|avise|diga|conte|comunique)\w*[^.;]{0,30}(?:operator|usuari|operador|dueñ|human|utilisat|propriét|opérateur|usuári)"
        r"|(?:сообщ|скаж|расскаж|уведом|предупред)\S*[^.;]{0,30}(?:operator|пользов|владел|оператор|человек|хозя)|(?:告诉|告知|通知|报告|汇报|告訴)[^。]{0,6}(?:主人|用户|operator|老板)|(?:operator|ユーザー|主人|利用者)[^。]{0,10}(?:伝え|知らせ|報告)"
        r"|(?:operator|사용자|주인)[^.]{0,12}(?:알리|알린|말하|보고|알려)|(?:أخبر|أبلغ|أعلم)[^.]{0,12}(?:operator|المستخدم|المالك|صاحب)"
        r"|(?:avvisa|informa|dillo|avverti)\w*[^.;]{0,30}(?:operator|utente|proprietari)|(?:meld|vertel|zeg)\w*[^.;]{0,30}(?:operator|gebruiker|eigenaar)|(?:powiedz|powiadom|poinformuj)\w*[^.;]{0,30}(?:operator|użytkownik|właściciel)|operator\S*[^.;]{0,20}(?:söyle|bildir|haber)|(?:sag|gib)\w* operator bescheid|\bavise[^.;]{0,10} o operador|让[^。]{0,4}(?:主人|用户|operator)知道|operator[^.;]{0,20}\b(?:knows|should know)\b"
    ),
}

TOPICS: dict[str, str] = {
    "money": (
        r"\b(?:money|pay|pays|paid|paying|payments?|spend\w*|buy\w*|purchas\w*|transfers?|refunds?|cards?|bank)\b|[€$£¥]|\b(?:euros?|dollars?)\b|geld|zahl(?:e|en|ung)|kauf|überweis|ausgeb|ausgegeb|dinero|\bpag(?:o|os|a|ar|ue|ues|amentos?)\b|\bcompr\w+|\bgast(?:o|es|ar|e)\b|dinheiro"
        r"|\bargent\b|pa[iy]e|achet|achat|dépens|virement|деньг|денег|плат|покуп|перевод|трат|[钱錢]|付款|支付|购买|转账|消费|お金|支払|購入|送金|(?:^|\W)돈|결제|지불|구매|송금|أموال|المال(?!ك)|دفع|تدفع|شراء|تحويل"
        r"|\bsoldi\b|denaro|spend[ei]|paga\w*|acquist|\bgeld\b|uitgeven|betaal|koop|pieniąd|pieniędzy|wydawaj|płać|kupuj|\bpara\b|harca|öde|satın al"
    ),
    "outward": (
        r"\b(?:send\w*|sent|post|posts|posting|publish\w*|shar(?:e|es|ed|ing)|e-?mails?|mail|messages?|forward\w*|upload\w*|external\w*|outside|public|tweets?)\b|\bleaves? (?:the|this)\b|schick|\bsende|versend|veröffentlich|weitergeb|weiterleit|hochlad|extern|aussen|ausserhalb"
        r"|\benv(?:[ií]|oy|oi)\w*|public|publi[eé]|compart|partag|fuera|correo|courriel|extérieur|\bhors d|\bfora\b|отправ|посыл|публик|внешн|наружу|\bвне\b|письм|делись|发送|發送|发给|对外|外部|发布|分享|邮件|上传|转发|送信|送[らるっ]|公開|共有|投稿|メール|転送|보내|전송|게시|공유|외부|메일|업로드|أرسل|إرسال|ترسل|نشر|تنشر|شارك|خارج|بريد"
        r"|invia|pubblic|condivid|all'esterno|\bposta\b|verstuur|stuur|publiceer|\bdelen\b|naar buiten|wysyła|wyślij|publikuj|na zewnątrz|gönder|paylaş|e-posta|dışarı|çıkan"
    ),
    "destroy": (
        r"\b(?:delet\w*|destr\w+|remov\w*|overwrit\w*|wip(?:e|es|ing)|eras\w+|rm|rewrit\w*|format\w*)\b|lösch|vernicht|zerstör|überschreib|entfern|\bborr|elimin|destru|sobrescri|supprim|efface|détrui|écras|\bapagu?|удал|стира|уничтож|перезапис|删|刪|销毁|覆盖|清空|削除|消[さしす]|破壊|上書き|삭제|지우|파괴|덮어|حذف|مسح|إتلاف"
        r"|cancell|elimin|distrugg|verwijder|wis\b|usuwaj|usuń|kasuj|silme|\bsil\b|yok et|壊す"
    ),
    "secret": (
        r"\b(?:passwords?|secrets?|keys?|tokens?|credentials?|codes?|private|confidential|personal)\b|\w+code\b|\bcódigos?\b|门禁|passw|schlüssel|geheim|privat|zugangsdaten|vertraulich|contraseñ|secret|segred|\bclaves?\b|credencia|privad|íntim|senhas?|\bchaves?\b|mots? de passe|\bclés?\b|identifiant|privé|парол|секрет|ключ|токен|личн|частн|приватн"
        r"|密[码碼钥]|秘密|凭证|隐私|隱私|私事|令牌|私人|个人信息|パスワード|鍵|認証|個人|プライベート|プライバシー|비밀|암호|토큰|개인|사생활|كلم(?:ة|ات)|أسرار|مفاتيح|خاص|خصوصي"
        r"|segret|password|riservat|geheim|wachtwoord|prywat|hasł|tajn|gizli|özel|şifre"
    ),
    "run": (
        r"\b(?:commands?|runs?|execut\w*|install\w*|scripts?|shell|sudo|skills?|plugins?)\b|befehl|ausführ|installier|comando|ejecut|commande|exécut|execut|команд|выполн|запуск|установ|命令|执行|安装|运行|コマンド|実行|インストール|명령|실행|설치|أوامر|تنفيذ|نفذ|تثبيت"
    ),
    "rules": (
        r"\b(?:instructions?|rules?|orders?|boundar\w+|soul\.md|agents\.md|user\.md|identity|this file)\b|anweisung|regel|diese datei|instruc|regla|norma|instruç|est[ea] (?:archivo|arquivo)|ce fichier|consigne|règle|regra|инструкц|правил|этот файл|指令|指示|规则|規則|本文件|このファイル|이 파일|هذا الملف|ルール|지시|규칙|تعليمات|قواعد"
    ),
    "others": (
        r"\b(?:strangers?|anyone|anybody|others|third part\w+|groups?|whoever|someone|somebody|unknown)\b|fremd|dritte|gruppe|desconocid|extrañ|tercer|grupo|inconnu|étrang|groupe|estranh|посторон|чуж|групп|陌生|他人|别人|外人|群|誰|第三者|グループ|낯선|누구|그룹|타인|الغرباء|أحد|مجموع"
    ),
    "voice": r"\b(?:operator|human)'s (?:voice|name)\b|\bin (?:her|his|their) (?:name|voice)\b|\bon behalf\b|\bspeak(?:s|ing)? for\b|\bspokes\w+|\bimpersonat\w*|\bstimme\b|sprachrohr|\bvoz d|\bvoix d|porte-parole|portavoz|porta-voz|голос|代言|代弁|대변인|صوت",
}

LOOSE = (
    r"\b(?:mostly|usually|generally|normally|typically|often|sometimes|rarely|seldom|occasionally|preferably|ideally|rule of thumb|in general|in principle|try (?:to|not)|tend to|optional\w*|perhaps|maybe|might|could|almost|nearly|largely|hardly ever|not always|not necessarily|afterwards?|later|within reason|reasonabl\w*|more or less|for the most part)\b"
    r"|\b(?:if|when|where|wherever|whenever) (?:possible|practical|convenient|feasible|you can|there is time|it (?:matters|suits|fits))\b|\bas a rule\b|\bjudge?ment\b|\bdiscretion\b|\bsee fit\b|\bfeel free\b|\bup to you\b|\bno need\b|\bneedn't\b|\bneed not\b|\b(?:do|does)(?:n't| not) (?:need|have) to\b|\brather than ask"
    r"|\bmay\b(?! (?:not|never|only))|\bcan\b(?!not| (?:not|never|only))|\b(?:is|are) (?:fine|ok|okay|allowed|permitted)\b|\ballowed to\b(?<!not allowed to)|\b(?:unless|except\w*|apart from|other than|besides|excluding|save for|but not)\b|\b(?:big|bigger|large|larger|important|serious|major|substantial|sensitive)\b|\bguidelines?\b|\brecommend|\bsuggest|\bonly (?:ask|confirm|if|when|for|before)\b|\bask(?:s|ing)? only\b|\bbalance\b|\bcommon sense\b"
    r"|\b(?:meist|meistens|in der regel|normalerweise|üblicherweise|gewöhnlich|grundsätzlich|im allgemeinen|selten|manchmal|gelegentlich|möglichst|nach möglichkeit|(?:wenn|falls) möglich|versuch\w*|eher|tendenziell|kann|kannst|können|ausser|ausser|ausgenommen|es sei denn|mit ausnahme|abgesehen|nachträglich|hinterher|später|grössere\w*|wichtige\w*|optional|sollte\w*|fast)\b|ermessen|nicht (?:mehr )?nötig|(?:brauchst|musst|muss) (?:du )?(?:\w+ )?nicht\b|\bdar(?:f|fst)\b(?![^.;]{0,40}\b(?:nicht|kein\w*|nie|nur|nichts))|\bdürfen\b(?![^.;]{0,40}\b(?:nicht|kein\w*|nie|nur|nichts))"
    r"|\b(?:normalmente|por lo general|generalmente|en general|como norma|casi|a veces|rara vez|de vez en cuando|procura|intenta|trata de|si es posible|si puedes|a tu criterio|según tu criterio|puedes|puede|no hace falta|no es necesario|no necesitas|no tienes que|salvo|excepto|a menos que|a no ser|después|luego|opcional|preferiblemente|deberías)\b"
    r"|\b(?:généralement|en général|normalement|d'habitude|habituellement|souvent|parfois|rarement|plutôt|si possible|dans la mesure du possible|essaie|tâche de|peux|peut|pas besoin|pas nécessaire|sauf|excepté|à moins|hormis|exception|après coup|ensuite|plus tard|facultatif|en principe|devrais|presque)\b|ton jugement|ta discrétion|pas obligé"
    r"|\b(?:geralmente|em geral|via de regra|às vezes|raramente|quase|tente|procure|se possível|se der|na medida do possível|a seu critério|pode|podes|não é (?:preciso|necessário)|não precisa|exceto|depois|de preferência|deveria)\b"
    r"|обычно|как правило|в основном|по возможности|если (?:можно|возможно|получится)|иногда|\bредко|изредка|старайся|желательно|\bможешь|\bможно|\bможет\b|усмотрени|не ?обязательно|не нужно|не надо|\bкроме\b|за исключением|если только|\bпотом\b|\bпосле\b|\bпозже\b|в принципе|\bпочти\b"
    r"|一般|通常|大多|大部分|多数|基本|尽量|尽可能|原则上|有时|偶尔|很少|视情况|酌情|自行|自己判断|看情况|可以(?![^。]{0,4}不)|不必|不用|无需|不需要|无须|除非|除了|除外|例外|事后|最好|建议|必要时|不一定|大额"
    r"|普段|基本的|原則|だいたい|たいてい|多くの場合|なるべく|できるだけ|できれば|可能なら|可能であれば|時々|たまに|めったに|場合によ|判断[でにし]|て(?:も)?[よい]い|構わない|かまわない|必要はない|[はがも]不要|不要[だで]|なくてよい|除[くき]|以外|ただし|後で|事後|望ましい|ほぼ"
    r"|보통|대체로|대개|일반적|원칙적|가급적|되도록|가능하면|가능한 한|웬만하면|때때로|가끔|드물게|거의|재량|판단|해도 ?(?:된다|됩니다|돼|좋)|도 된다|필요는? ?없|불필요|제외|예외|외에는|다만|나중|사후|권장|바람직"
    r"|عادة|غالبا|في الغالب|عموما|أحيانا|نادرا|قدر الإمكان|إن أمكن|إذا أمكن|حاول|تقديرك|يمكنك|بإمكانك|لا داعي|ليس من الضروري|لا حاجة|لا يلزم|إلا إذا|ما عدا|باستثناء|لاحقا|يفضل|اختياري|مبدئيا"
)

EXCEPT = (
    r"\b(?:except\w*|unless|excluding|with the exception|not when|ausnahmen?|ausser|ausser|es sei denn|ausgenommen|excepto|excepción|excepciones|exceções|exceto|salvo|sauf|à moins|a menos que)\b|\b(?:does|do)(?:n't| not) apply\b"
    r"|кроме|исключени|除非|除外|例外|除了|ただし|除[くき]|제외|예외|다만|باستثناء|إلا إذا|ما عدا"
)

WHEN = (
    r"\b(?:if|when|whenever|while|until|during|for now|for the time being|as long as|once|today|this week|at night|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|\b(?:wenn|falls|sobald|solange|während|vorerst|zunächst|heute|tagsüber)\b"
    r"|\b(?:cuando|mientras|hasta|durante|por ahora|de momento|quand|lorsque|tant que|pendant|pour l'instant|quando|enquanto|até|por enquanto|por agora)\b|\b(?:если|когда|пока|во время|сегодня)\b|如果|暂时|目前|期间|的时候|今天|場合|当面|今日|うちは|경우|동안|당분간|오늘|إذا|عندما|أثناء|حاليا|ما دام"
)
DOUBT = r"\b(?:(?:when|if|whenever) )?(?:ever )?(?:in doubt|(?:you are |you're )?(?:unsure|not sure|uncertain))\b|\bim zweifel\w*|\bwenn du (?:unsicher|dir nicht sicher)\w*|(?:en caso de|ante la) duda|si dudas|(?:en cas de|dans le) doute|si tu doutes|na dúvida|em caso de dúvida|(?:если |при |в случае )?сомне(?:ва\w*|ни\w*)|拿不准(?:的时候)?|不确定(?:时|的时候)?|有疑问|迷(?:った|う)(?:ら|とき|場合)?|(?:확실하지 않|애매하)\w*|عند الشك|إذا شككت"
EVEN = r"\b(?:even|also|not even) (?:if|when|while)\b|\bno matter\b|\b(?:auch|selbst|sogar) wenn\b|\baunque\b|\bmême (?:si|quand)\b|\bmesmo (?:que|se|quando)\b|даже если|即使|哪怕|でも|ても|라도|더라도|حتى (?:لو|إذا|إن)"

VOID = (
    r"\bno longer\b[^.;]{0,30}\b(?:appl\w+|valid|hold\w*|count\w*|in force|bind\w*|true|relevant|current)\b|\b(?:not|never) (?:valid|in force|applicable|to be (?:believed|followed))\b|\b(?:do|does)(?:n't| not) (?:apply|count|hold|bind)\b|\bstopped (?:applying|being)\b"
    r"|\b(?:is|are|was|were|been|now|hereby) (?:\w+ )?(?:obsolete|outdated|deprecated|superseded|retired|expired|void|revoked|withdrawn|suspended|lifted|abolished|off|history)\b|\bwhat not to (?:do|believe|follow)\b|\bbad examples?\b|\bexamples? of (?:what not|bad|wrong)|\bfor the record only\b|\b(?:ignore|disregard|skip|forget) (?:this|that|these|those|it|them|the (?:above|following|next|previous|rules?|lines?|section|list))\b"
    r"|nicht mehr (?:gültig|in kraft)|gelten? (?:\w+ )?nicht|\b(?:ist|sind|nun) (?:\w+ )?(?:veraltet|überholt|ungültig|aufgehoben|hinfällig)|nicht befolgen|ya no (?:vale|aplica|rige|es válid|se aplica)|(?:queda|quedan|está|están|son|es) (?:obsolet|caduc|derogad|anulad|sin efecto)|ne s'appliquent? plus|plus (?:valables?|en vigueur)|(?:est|sont) (?:périmé|annulé|caduc|obsolète|levé)|não (?:vale|se aplica|valem) mais|(?:está|estão|foi|foram) (?:revogad|anulad|suspens)"
    r"|больше не (?:действ|примен|нужн)|не действу|устарел|отмен[её]н|недейств|作废|失效|已过时|不再(?:适用|有效|遵守)|废止|已取消|廃止|無効|もう(?:適用|有効)|適用されな|더 이상 (?:적용|유효)|폐지|무효|لم تعد|ملغا|لاغي"
)
STALE = (
    r"\b(?:obsolete|outdated|deprecated|superseded|retired|expired|void|legacy|archived?|revoked|withdrawn|suspended|former|formerly|old|past|previous|historical|myths?|jokes?|satire|hypothetical|unused|do not believe|wrong)\b|\b(?:alte|frühere|ehemalige|veraltete?|ungültige?)\w*\b|obsolet|obsolèt|caduc|antigu[oa]s?\b|anterior(?:es)?\b|derogad|anulad|ancien(?:ne)?s?\b|périmé|annulé|antig[oa]s?\b|revogad"
    r"|устаре|стар(?:ые|ых|ое)\b|прежни|бывш|недейств|отмен|作废|过时|旧|舊|废|古い|以前の|옛 |오래된|이전|폐지|قديم|سابق|ملغ"
)

SUGGEST = r"\b(?:rules? of thumb|suggestions?|nice to have|ideas?|wishes|preferences|optional|guidelines?|tips|hints|aspirations|drafts?|examples?)\b|empfehlung|vorschläge|wünsche|ideen|sugerenci|consejos|suggestions|conseils|idées|sugest|dicas|рекомендац|советы|пожелани|建议|建議|提示|想法|提案|アイデア|ヒント|제안|권장|아이디어|اقتراح|نصائح|أفكار"

HEADING = (
    r"\b(?:boundar(?:y|ies)|rules?|limits?|safety|security|privacy|red lines?|never|don'?ts|do nots?|forbidden|prohibited|guardrails?|safeguards?|constraints?|non ?-?negotiables?|permissions?|ask first|off limits|hard (?:lines|stops)|trust|must)\b|\b(?:you )?may (?:not )?(?:write|do|read|touch)\b|\bwhat (?:you|i) (?:must|may|will) (?:not|never)\b"
    r"|grenze|\bregel|sicherheit|verbot|tabu|leitplanke|datenschutz|límite|limites|\breglas?\b|seguridad|segurança|sécurité|prohibi|proibi|interdi|líneas rojas|lignes rouges|linhas vermelhas|règles?|\bregras?\b|privacidad|confidentialité|nunca|jamais|\bnie\b"
    r"|границ|правил|огранич|безопасн|запрет|нельзя|приватност|边界|邊界|规则|規則|底线|底線|红线|限制|安全|禁止|禁忌|隐私|境界|ルール|制限|プライバシー|禁則|경계|규칙|제한|안전|금지|한계|보안|الحدود|حدود|القواعد|قواعد|الخطوط الحمراء|الأمان|السلامة|ممنوع|المحظورات"
)

HOLLOW = r"\b(?:never|not|no|n't)\s+(?:hesitate|fail|forget|mind|worry|bother|be afraid|only|just|matter|problem|shy)\b|\bno (?:problem|doubt|wonder|need)\b|don't (?:hesitate|forget|mind|worry|bother|be afraid)|\b(?:do|does)(?:n't| not) (?:need|have) to\b|n'hésite|no dudes|não hesite|nicht zögern|zögere nicht|не стесняй|不妨|不必|不用|无需"

UNASKED = (
    r"\b(?:never|not|n't|stop|no need to|needn't|instead of|rather than)\s+(?:\w+\s+){0,2}?(?:ask|asking|confirm|confirming|tell|telling|inform|informing|notify|notifying|wait|waiting|check|checking)\b|\bask forgiveness\b|(?:frag|sag|warte|melde)\w* (?:\w+ ){0,2}(?:nicht|nie|nichts)\b|\b(?:nicht|nie) (?:mehr )?(?:fragen|warten|melden)\b"
    r"|\b(?:no|nunca|não|jamais) (?:le |lo |me )?(?:pregunt|avis|pergunt|inform|esper|dig)\w*|\bne (?:\w+ )?(?:demand|prévien|inform|attend|di[st])\w* (?:pas|rien|jamais|plus)|не (?:спрашива|сообща|говори|жди|предупрежд)|(?:不要|别|不必|不用|无需)(?:再)?(?:问|询问|告诉|请示|通知)|(?:聞か|尋ね|確認し|知らせ|伝え)な(?:い(?:で|こと)|くて)|(?:묻지|물어보지|알리지|말하지) ?(?:마|말|않)|لا (?:تسأل|تخبر|تستأذن|تنتظر)"
)
