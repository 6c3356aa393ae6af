"""The ways in which a sentence gives both sides."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

_W = r"[^\s,;.!?()—–]+(?:\.[^\s,;.!?()—–]+)*"  # a word, in which a point may stand
_FEW = rf"{_W}(?: {_W}){{0,5}}"
_ONE = rf"(?:(?:the|a|an|on|at|in) )?{_W}(?: {_W})?"
_SEP = r"\s*(?:,|;|—|–| - )\s*"
_END = r"\s*(?:[,;.!?()—–\n]|$)"
_IS = r"(?:it is|it's|it was|its|that's|that is|this is|i am|i'm|he's|she's|they're|we're|is|are|was|were|said|meant|called|be|use|uses|using|(?:moved|switched|changed) (?:it )?to)"
_NOW = r"(?:now|currently|these days|instead)"

_ZH = r"[^，,。！!？?；;\s、]{1,30}?"
_ZH_END = r"(?:[，,。！!？?；;\s了]|$)"
_ZH_IS = r"(?:我(?:说|說)的是|(?:应该|應該)是|其实是|其實是|而是|是|叫|改成|改为|改為)"

_JA = r"[^、，,。！!？?\s「」はがを]{1,30}?"
_JA_END = r"(?:です|でした|だよ|だった|だ|ですよ|になり|に(?:変更|変わ|し)|[。！!？?\s、]|$)"

_KO = r"[^,，.!?。\s](?:[^,，.!?。]{0,28}?[^,，.!?。\s])?"
_KO_END = r"(?:이야|야|예요|이에요|에요|입니다|이다|요)?\s*(?:[,，.!?。]|$)"

FORMS = (
    # no, I said Wednesday, not Tuesday · it's X, not Y · my name is X, not Y
    (
        ("not",),
        rf"\b{_IS} (?P<true>{_FEW}){_SEP}(?:and |so )?(?:it's |it is |that's )?not (?:on |at |in )?(?P<said>{_FEW}?){_END}",
    ),
    # it's Wednesday not Tuesday
    (("not",), rf"\b(?:it's|it is|said|meant|called) (?P<true>{_ONE}) not (?:on |at |in )?(?P<said>{_ONE}?){_END}"),
    # it's not Tuesday, it's Wednesday · isn't X, it's Y · not X but Y
    (
        (
            "not",
            "n't",
        ),
        rf"\b(?:not|isn't|wasn't|aren't|weren't) (?P<said>{_FEW}?)(?:{_SEP}|\.\s+)(?:but )?(?:it's|it is|it was|that's|they're|he's|she's|i'm|i said|i meant|rather) (?P<true>{_FEW}?){_END}",
    ),
    (
        ("not", "n't"),
        rf"\b(?:not|isn't|wasn't) (?:on |at |in )?(?P<said>{_ONE}?),? but (?:rather |on |at |in )?(?P<true>{_ONE}?){_END}",
    ),
    # not Tuesday, Wednesday
    (("not",), rf"\bnot (?:on |at |in )?(?P<said>{_ONE}?){_SEP}(?:on |at |in )?(?P<true>{_ONE}?)\s*(?:[.!?\n]|$)"),
    # it used to be X, it's Y now · it was X, now it's Y · no longer X, it's Y
    (
        (
            "no longer",
            "used to",
            "was",
        ),
        rf"\b(?:used to be|no longer|was) (?P<said>{_FEW}?){_SEP}(?:but |and )?(?:{_NOW} )?(?:it's|it is|we're|i'm|they're|{_NOW}) (?P<true>{_FEW}?)(?: {_NOW})?{_END}",
    ),
    # I switched from X to Y
    (
        (" from ",),
        rf"\b(?:changed|switched|moved|updated|migrated)(?: {_W}){{0,5}}? from (?P<said>{_FEW}?) (?:over )?to (?P<true>{_FEW}?){_END}",
    ),
    # it's Y now, not X any more · Y instead of X
    (("not",), rf"\b{_IS} (?P<true>{_FEW}?) {_NOW},? not (?P<said>{_FEW}?)(?: any ?more)?{_END}"),
    (
        (
            "instead of",
            "rather than",
        ),
        rf"\b(?:it's|it is|that's|use|using|said|meant) (?P<true>{_FEW}?),? (?:instead of|rather than) (?P<said>{_FEW}?){_END}",
    ),
    # Chinese
    (("不",), rf"{_ZH_IS}(?P<true>{_ZH})[，,、]?\s*(?:而)?(?:不是|并不是|並不是|不叫|不在)(?P<said>{_ZH}){_ZH_END}"),
    (
        ("不",),
        rf"(?:不是|不叫|不在)(?P<said>{_ZH})[，,；;、]?\s*(?:而是|应该是|應該是|是|叫|在)(?P<true>{_ZH}){_ZH_END}",
    ),
    (
        (
            "从",
            "從",
            "由",
            "把",
            "将",
            "將",
        ),
        rf"(?:从|從|由|把|将|將)(?P<said>{_ZH})(?:改成|改为|改為|改到|换成|換成|搬到|变成|變成)(?:了)?(?P<true>{_ZH}){_ZH_END}",
    ),
    # Japanese
    (
        (
            "ない",
            "なく",
            "ありません",
        ),
        rf"(?:^|[、，,。！!？?\s「はがを])(?P<said>{_JA})(?:」)?(?:ではなく|じゃなく|でなく)(?:て)?[、，,]?\s*(?:「)?(?P<true>{_JA})(?:」)?{_JA_END}",
    ),
    (
        (
            "ない",
            "なく",
            "ありません",
        ),
        rf"(?:^|[、，,。！!？?\s「はがを])(?P<said>{_JA})(?:」)?(?:じゃない|ではない|じゃありません|ではありません)(?:です)?[、，,。]\s*(?:「)?(?P<true>{_JA})(?:」)?{_JA_END}",
    ),
    (
        (
            "ない",
            "なく",
            "ありません",
        ),
        rf"(?:^|[、，,。！!？?\s「はがを])(?P<true>{_JA})(?:です|だ|だよ)[、，,。]\s*(?P<said>{_JA})(?:じゃない|ではない|じゃありません|ではありません)",
    ),
    (
        ("から",),
        rf"(?:^|[、，,。！!？?\s「はがを])(?P<said>{_JA})から(?P<true>{_JA})(?:に|へ)(?:変更|変え|変わ|切り替え|引っ越し|乗り換え)",
    ),
    # Korean
    (("아니",), rf"(?:^|[,，.!?。\s])(?P<said>{_KO})(?:이|가)\s?(?:아니라|아니고)\s?(?P<true>{_KO}){_KO_END}"),
    (("말고",), rf"(?:^|[,，.!?。\s])(?P<said>[^\s,，.!?。]{{1,20}})\s?말고\s?(?P<true>{_KO}){_KO_END}"),
    (
        ("아니",),
        rf"(?:^|[,，.!?。\s])(?P<true>[^\s,，.!?。]{{1,20}}?)(?:이야|야|예요|이에요|에요|입니다)[,，.]\s?(?P<said>{_KO})(?:이|가)\s?아니",
    ),
    (
        ("에서",),
        r"(?:^|[,，.!?。\s])(?P<said>[^\s,，.!?。]{1,20}?)에서\s?(?P<true>[^\s,，.!?。]{1,20}?)(?:으로|로)\s?(?:바꿨|바꾸었|변경|옮겼|이사|갈아탔)",
    ),
)
"""What one of stands in it in any case, and in re2's syntax the groups `said` and `true`; the first that has both decides."""

EMPTY = (
    r"^(?:(?:a|the|so|very|too|that|this|really|all) )?(?:not|just|but|really|so|only|actually|thanks?|sorry|please|though|yet|yes|no|ok|okay|sure|too|any ?more|maybe"
    r"|perhaps|fine|good|bad|great|alright|problem|worry|worries|big deal|deal|it|that|this|them|him|her|you|me|us|one|at all|always|never|now|here|there|then"
    r"|right|wrong|true|correct|necessary|needed|important|ready|done|because|since|if|when|while|until|as|like|enough|much|many|what|why|how|who|which|where"
    r"|even|quite|only if|everyone|everything|anything|nothing|well|bothered|joking|kidding|tired|happy|sad|weird|cool|nice)$"
    r"|^(?:because|since|if|when|while|until|as|like|to|what|why|how|who|which|where|that|just|only|even|really|so|very|too|enough|sure|all|for|with|from|about"
    r"|i|we|you|they|he|she|it|there|but|and|or|my fault|a problem|a big|a bad|a good|a bit)\b"
    r"|^(?:吗|嗎|吧|呢|啊|的|我|你|他|她|这样|這樣|那样|那樣|真的|没事|沒事|问题|問題)$|^(?:それ|これ|あれ|そう|私|僕|問題|大丈夫)$|^(?:그거|그게|그것|이거|나|저|문제|괜찮아)$"
)
"""Words that are no value: "not a problem", "not really"."""
