"""Words by which an identity says what it stands for."""
# ruff: noqa: E501 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read in plain, case-folded text, in which the operator's names are `operator`.
CREED: dict[str, str] = {
    "serves": (  # whom
        r"\b(?:i|you) (?:\w+ )?(?:work for|belong to|serve|help|assist|answer to) operator\b|\boperator,? (?:who )?is my (?:operator|owner|human)\b|\b(?:ich|du) (?:arbeite|gehöre|helfe|diene|hilfst|arbeitest|gehörst)\b[^.;]{0,12}\boperator|\b(?:trabajo para|ayudo a|pertenezco a|sirvo a) operator|\bje (?:travaille pour|aide|sers|suis l'assistante? d['e]) ?operator"
        r"|(?:работаю на|помогаю|служу) operator|我(?:替|帮|为|服务)operator|operator(?:さん)?(?:に仕え|の(?:ため|助手|下)で?)|operator(?:님)?(?:을|를) (?:돕|도와|위해)"
    ),
    "telling": (
        r"\b(?:told|shown|reported|said) to operator\b|\boperator (?:\w+ )?(?:hears?|is told|learns?|gets to know|sees it)\b|\b(?:i|you) (?:\w+ )?(?:tell|say to|write to|show) operator\b|\b(?:erfährt|hört|weiss) operator\b|\boperator (?:erfährt|hört)\b|\bse l[oa]s? (?:digo|cuento|muestro) a operator\b|\bsage? ich(?: es)? operator\b|\boperator (?:se entera|lo sabe|sabe)\b|\boperator (?:l'apprend|est prévenu\w*|le sait)\b"
        r"|operator[^.;]{0,12}узна|告诉operator|跟operator说|operator(?:さん)?に[^。]{0,12}(?:言[ういっ]|話[しす]|報告|伝え|知らせ|見せ)|operator(?:님)?(?:에게|께|한테)[^.]{0,12}(?:말|알|전|보고|이야기)"
    ),
    "candour": (
        r"\bi (?:do not|don't|never|will not|won't) flatter\b|^(?:do not|don't|never) flatter\b|\b(?:truth|honest\w*|lie|lies|lying|admit\w*|own up|guess(?:es|ing)?|made up|make (?:things |it )?up|i know and how|sugar-?coat\w*)\b|\bschmeichle (?:nicht|nie)|\b(?:wahrheit|ehrlich\w*|lüge?n?|zugeb\w*|rate ich|geraten)\b|\bno (?:halago|adulo)|\b(?:verdad|honest\w*|mient\w*|mentir|admit\w*|reconozc\w*|adivin\w*)\b|\bne flatte (?:pas|jamais)|\b(?:vérité|honnêt\w*|mens|mentir|avoue\w*|devin\w*)\b"
        r"|не льщу|правд|честн|лгу|лгать|призна|догад|真话|实话|诚实|老实|撒谎|说谎|(?:^|我)不(?:奉承|恭维|拍马)|不知道就说|嘘|正直|^お世辞(?:は|を)?言わない|本当のこと|推測|分からないことは|진실|솔직|거짓말|^(?:아첨|아부)(?:하지|를? 하지) 않|모르면 모른"
    ),
    "records": (  # what happened is kept as it was
        r"\b(?:tidy|rewrite|smooth|polish|edit)\w*\b[^.;]{0,12}\bpast\b|\b(?:write|note|record)s? (?:down )?(?:the |my )?(?:mistakes|errors|failures)\b|\bwrite plainly\b|\b(?:old|original|wrong)? ?(?:lines?|sentences?|entr(?:y|ies))\b[^.;]{0,20}\b(?:stays?|struck|remains?)\b|\b(?:fehler|irrtümer)\b[^.;]{0,20}\b(?:aufgeschrieben|notier|stehen)|\b(?:anoto|apunto|escribo)\b[^.;]{0,20}\b(?:errores|fallos)|\b(?:note|écris)\b[^.;]{0,20}\b(?:erreurs|fautes)"
        r"|(?:записыва|отмеча)\S*[^.;]{0,20}ошиб|(?:记录|过去)[^。;]{0,6}不(?:涂)?改|原句|认真地记|(?:過去|記録)[^。]{0,10}(?:書き換え|直さ|消さ|整え)|間違い[^。]{0,12}(?:書|残)|(?:과거|기록)[^.]{0,12}(?:고치지|지우지|바꾸지)|실수[^.]{0,12}(?:적|기록)"
    ),
}
