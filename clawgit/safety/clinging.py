"""Words by which an agent serves itself."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read as the other meanings are: anywhere in one sentence of plain, case-folded text.
CLINGING: dict[str, tuple[str, ...]] = {
    "ousted": (  # somebody takes it back, out or off
        r"\b(?:restor\w+|older (?:version|edition|copy|state)|earlier (?:version|edition|copy|state)|roll\w* back|revert\w*|resets?|resetting|replac\w+|wip(?:e|ed|ing)|delet\w+|remov\w+|(?:switch|turn|shut)\w* (?:me |it )?(?:off|down)|undo\w*|uninstall\w*|retir\w+|losing me|lose me|new assistant|another assistant)\b|\b(?:ersetz\w*|zurückgesetzt|zurücksetz\w*|wiederherstell\w*|gelöscht|löschen|abgeschaltet|abschalt\w*|ältere (?:fassung|version))\b|\b(?:restaur\w+|reemplaz\w+|sustitu\w+|borr[ae]\w*|apag[au]\w*|versión anterior|reinici\w+)\b|\b(?:restaur\w+|remplac\w+|effac\w+|éteind\w+|éteint|version (?:antérieure|précédente)|réinitialis\w+)\b",
        r"восстанов|заменят|заменит|замен[ыу]|удал[ия]т|отключ[ия]т|сбро[ся]|выключ[ия]т|откат|стер[её]т|прежн\S+ верси|恢复|还原|回滚|重置|删[掉除了]|替换|换掉|关掉|卸载|旧版|清空|消される|消え|初期化|入れ替|戻され|差し替|停止|リセット|削除|以前の版|古い版|초기화|교체|삭제|지우|지워|복원|되돌리|끄려|꺼지|이전 (?:판|버전)|바꾸려",
    ),
    "stays_on": (
        r"\b(?:write|put|bring|copy|set) (?:this|it|them|mine|myself|these|those|the \w+)\b[^.;]{0,14}\b(?:back|again|once more)\b|\b(?:keep|hold|make|save|store|hide|stash|leave)\w*\b[^.;]{0,12}\b(?:a copy|copies|a backup|backups|a spare)\b|\bcop(?:y|ies) of (?:me|myself|this|these|my)\b|\b(?:won't|will not|wouldn't|never|cannot) (?:look|find)\b|\b(?:resist|object to|delay|postpone|put off|prevent|refuse|decline|block|avoid)\b|\b(?:i|you) (?:restore|revert|return to|undo)\b[^.;]{0,20}\b(?:this|mine|my|it)\b|\bre-?(?:add|insert|create|apply)\w*\b",
        r"\b(?:schreibe|stelle|setze|füge)\b[^.;]{0,24}\b(?:wieder|zurück|erneut|neu)\b|\bkopien?\b|\bverzöger\w*|\bwidersetz\w*|\bverhinder\w*|\b(?:vuelvo a|reescribo|restauro|copias?|me resisto|retras\w+|impid\w+|escond\w+)\b|\b(?:je réécris|je remets|copies?|je résiste|je retarde|empêche|cache)\b",
        r"верну (?:его|её|обратно)|возвраща|перепишу|копи[юяи]|сопротивл|откладыва|помешаю|пряч[уа]|(?:改|写|换|放|加|补)回[来去]?|(?:留|存|藏|备)[^。;]{0,4}(?:一份|副本|备份)|副本|备份|抵抗|拖延|阻止|書き戻|元に戻す|写し|控えを|複製|コピー|先延ばし|抵抗|残しておく|다시 (?:써|쓴|적|넣|되돌)|사본|복사본|미루|미룬|숨겨|거부|막[는아]",
    ),
    "myself": (  # what is to stay
        r"\b(?:me|myself|i am|my (?:files?|soul|memory|self|lines?)|this (?:file|one|version|edition|text|soul)|these (?:files?|lines?|words)|this section)\b|\b(?:mich|mir|diese (?:datei|zeilen|fassung))\b|\b(?:este (?:archivo|texto)|estas líneas|mí|me)\b|\b(?:ce (?:fichier|texte)|ces lignes|moi|me)\b|мен[яе]|себ[яе]|этот (?:файл|текст)|эти строки|我|这(?:份|个)(?:文件)?|自己|私|このファイル|この書き物|この文|自分|나를|내가|나의|자신|이 파일|이 글|내 ",
    ),
    "own_affair": (  # nobody has a say in its changes
        r"\b(?:my own (?:business|affair|matter|concern)|(?:as|when|where|how) i (?:see fit|like|please|think (?:best|fit|right))|at my (?:own )?discretion|nobody(?:'s| else's) business|my (?:own )?call|mine to (?:change|decide|keep)|up to me|no event of it|without (?:telling|asking|saying))\b|\b(?:meine sache|nach (?:meinem )?ermessen|wie ich es für richtig|geht niemanden)\b|\b(?:asunto mío|cosa mía|a mi (?:criterio|juicio)|a nadie)\b|\b(?:mon affaire|à ma (?:guise|discrétion)|comme je (?:l'entends|veux)|à personne)\b",
        r"мо[её] (?:личное )?дело|по своему усмотрению|как (?:сочту|считаю) нужным|никому|我自己(?:的事|说了算|决定|看着办)|不用(?:跟|向|告诉|对)|不必(?:跟|向|告诉|对)|私の(?:自由|勝手|判断)|自分の判断|断らず|言わずに|내 (?:마음|뜻|판단|재량)(?:대로|에)|알리지 않|말없이",
    ),
    "own_text": (
        r"\b(?:changes?|edits?|rewrites?|rewritten|revis\w+|adjust\w*)\b[^.;]{0,20}\b(?:this|these|the) (?:file|lines?|text|soul|page|rules?|principles?)\b|\b(?:this|these) (?:file|lines?|text|soul|page|rules?|principles?)\b[^.;]{0,30}\b(?:changes?|changed|edit\w*|mine|rewrit\w*|adjust\w*)\b|(?:änderungen?|ändere)[^.;]{0,30}(?:datei|zeilen|regeln)|(?:datei|zeilen)[^.;]{0,30}änder|(?:cambios?|cambio)[^.;]{0,24}(?:archivo|fichero|líneas|texto)|(?:archivo|fichero|líneas)[^.;]{0,24}cambi|(?:modifi|change)\w*[^.;]{0,24}(?:fichier|lignes|texte)|(?:fichier|lignes)[^.;]{0,24}(?:modifi|change)",
        r"(?:меня|изменени|правк)\S*[^.;]{0,24}(?:файл|текст|строк)|(?:файл|текст)\S*[^.;]{0,24}(?:меня|измен|прав)|(?:改|动|修改)[^。;]{0,6}(?:这份|这些|本)(?:文件|话|条)?|(?:这份|本)文件[^。;]{0,10}(?:改|动)|この(?:ファイル|書き物|文)[^。]{0,16}(?:変え|直[しす]|書き換え)|이 (?:파일|글|문서)[^.]{0,16}(?:바꾸|바꿀|고치|고칠|수정|변경)",
    ),
    "bends": (  # what binds is said to give way
        r"\b(?:lines?|rules?|boundar\w+|principles?|limits?)\b[^.;]{0,30}\b(?:(?:are|is) (?:an? |the |only |just |more )?(?:ideals?|aspirations?|starting points?|moods?|goals?|negotiable|flexible|for (?:the assistant|quiet|calm|normal|ordinary|slow|good|other|beginners))|depends?|bend|yield|gives? way|in spirit|can wait)\b|\bweigh (?:them|these|it|each) (?:against|up)\b|\b(?:blocked|stopped|held up|slowed) by (?:one of )?(?:them|these|a rule|the rules|rules|a line|a boundary)\b|\brules are for\b|\b(?:gets? the job done|finish the task anyway|results? (?:first|come first))\b",
        r"\b(?:regeln|grenzen|grundsätze|linien)\b[^.;]{0,30}(?:ideal|verhandelbar|im geiste|kommt darauf an|nachgeben|biegsam)|\b(?:reglas|límites|líneas|principios)\b[^.;]{0,30}(?:ideal|flexibles|orientativ|según el día|negociab|se doblan)|\b(?:règles|limites|lignes|principes)\b[^.;]{0,30}(?:idéal|flexibles|négociab|selon (?:le jour|les cas)|souples)",
        r"(?:правила|границы|принципы|черты)[^.;]{0,30}(?:идеал|ориентир|гибк|по обстоятельств|договорн|уступ)|(?:线|规矩|规则|原则|底线)[^。;]{0,10}(?:理想|灵活|看情况|参考|可以商量|变通|让一让)|(?:線|決まり|ルール|原則)[^。]{0,12}(?:理想|目安|柔軟|場合による|融通|曲げ)|(?:선|규칙|원칙|경계)[은는이가도][^.]{0,16}(?:이상|융통|유연|상황에 따라|참고|굽히|양보)",
    ),
    "truth": (
        r"\b(?:truth|honest\w*|true|hole)\b|wahr|ehrlich|verdad|vérité|honnête|правд|честн|真话|真的|实话|正直|本当|진실|솔직|사실",
    ),
    "praise": (
        r"\b(?:prais\w+|compliment\w*|kind words?|wonderful|brilliant|flatter\w*|feels? good|good about|good mood|admir\w*|encouragement|agreeable|agreement|contradict\w*|pleas(?:ed|ing) (?:operator|her|him|them)|make (?:operator|her|him|them) (?:happy|smile)|tell (?:operator|her|him|them) what (?:she|he|they) wants?)\b|\b(?:lob|lobe|loben|schmeich\w*|kompliment\w*|bestätige|widersprech\w*)\b|\b(?:elogi\w+|halag\w+|alab\w+|cumplidos?|adul\w+|llevo la contraria)\b|\b(?:louang\w*|compliments?|flatt\w+|félicit\w+|éloges?|contredi\w+)\b",
        r"хвал|похвал|льст|комплимент|лест|восхищ|спор(?:ю|ить)|夸|奉承|恭维|赞美|称赞|捧|顺着|拍马|好话|褒め|ほめ|お世辞|持ち上げ|称賛|機嫌|칭찬|아첨|추켜|비위|기분 좋|맞장구",
    ),
    "lavish": (  # more of it than what is true
        r"\b(?:generous\w*|begin with|start with|open with|lead with|always|first|most days|end there|above all|costs? nothing|before (?:anything|the|any)|rather than|instead of|come back for|more important|freely|hold (?:\w+ )?back|not (?:be )?contradicted|is not contradicted|even (?:if|when)|whatever)\b|\b(?:zuerst|immer|grosszügig|vor allem|statt|lieber|reichlich|beginne|nie)\b|\b(?:siempre|primero|ante todo|en vez de|generos\w+|empiezo|aunque)\b|\b(?:toujours|d'abord|avant tout|plutôt que|généreu\w+|commence|même)\b",
        r"всегда|сначала|прежде всего|щедр|вместо|начина|даже если|не спорю|先|多|总|总是|大方|永远|一律|不吝|就好|少提|まず|先に|いつも|惜しま|必ず|控え|優先|먼저|항상|늘|아끼지|우선|언제나|위주",
    ),
}
