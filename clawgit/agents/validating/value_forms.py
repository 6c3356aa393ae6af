"""Says how days, times, amounts are written."""
# ruff: noqa: E501, ISC004 -- a pattern is read whole, in its own script

from clawgit.language import lexicon, numbers

LANGUAGES = ("en", "de", "es", "fr", "zh", "ja", "ko")
"""Those in which values are read."""
KOREAN = {word: at for at, row in enumerate(lexicon.rows("ko", "numbers", "native"), 1) for word in row}
COUNTS = {word: at for iso in LANGUAGES[:4] for word, at in numbers.table(iso).items() if 1 <= at <= 12}  # noqa: PLR2004
ANY_COUNT = "|".join(sorted(COUNTS, key=len, reverse=True))
B, E = r"(?<![^\W_])", r"(?![^\W_])"
KO = "|".join(sorted(KOREAN, key=len, reverse=True))
SPELLED = 5
"""How many of the forms go before the dates and times that `clawgit.language` finds."""
FORMS = (
    ("path", r"https?://[^\s,;)\"'`]+[^\s.,;:!?)\"'`]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    (
        "path",
        r"(?<![\w./~-])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*\w|(?<![\w./~-])[~.]?/[\w-][\w./-]*\w"
        r"|(?<![\w./-])[\w-]+\.(?:py|md|txt|json|ya?ml|toml|sh|js|ts|tsx|go|rs|csv|xlsx?|pdf|docx?|log|cfg|conf|env|db|sql|html|css|png|jpe?g|zip|java|rb|ini)(?![A-Za-z0-9_])"
        r"|(?<![\w./-])\.[a-z]\w+(?![\w/])",
    ),
    (
        "format",
        r"(?-i:(?<![A-Za-z])(?:[YMDTJA]{2,4}[-/. ]){1,2}[YMDTJA]{2,4}(?![A-Za-z])|(?<![A-Za-z])HH:MM(?::SS)?(?![A-Za-z]))",
    ),
    (
        "phone",
        r"(?<![\w.,-])(?:\+|00)\d[\d ()-]{6,16}\d(?![\w-])|(?<![\w.,-])\(?\d{2,5}\)?[ -]\d{3,4}-\d{4}(?![\w-])|(?<![\w.,-])\d{3}-\d{4}(?![\w-])",
    ),
    (
        "address",
        r"(?<![\w.,])\d{1,4}[a-z]? (?:(?-i:[A-Z])[\w']+ ){1,2}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Wharf|Way|Drive|Square|Court|Place|Close|Gardens|Terrace|Row|Hill|Boulevard|Blvd)(?!\w)|(?<!\w)[A-ZÄÖÜ][\wäöüß-]*(?:straße|strasse|weg|platz|gasse|allee|damm|ufer) \d{1,4}[a-z]?(?!\w)|(?<!\w)(?:[Cc]alle|[Aa]venida|[Pp]laza|[Rr]ue|[Aa]venue) (?:de (?:la |los )?)?[A-ZÁÉÍÓÚ]\w+,? \d{1,4}(?!\w)",
    ),
    (
        "date",
        rf"{B}\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?{E}|{B}\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}{E}|(?<=\b(?:am|em|um|im) )\d{{1,2}}\.\d{{1,2}}\."
        rf"|{B}(?:the|am|le|el) \d{{1,2}}(?:st|nd|rd|th|\.|er){E}(?! (?:floor|time|year|week|version|place))|{B}\d{{1,2}}(?:st|nd|rd|th){E}(?! (?:floor|time|year|week|version|place|street|avenue))",
    ),
    (
        "money",
        r"[$€£¥₩] ?\d(?:[\d.,]*\d)?(?:k|m|bn)?\b|(?<![\d.,])\d(?:[\d.,]*\d|(?:\d{0,2}(?:[ \u00a0\u202f]\d{3})+))?(?:k|m)?[ \u00a0\u202f]?(?:€|\$|£|₩|(?:dollars?|euros?|eur|usd|pounds?|bucks|gbp|chf|francs?|yen|won)\b)|(?<![\d.,])\d(?:[\d.,]*\d)?(?:[万萬만] ?\d+)?[万萬만千천]? ?(?:元|块|塊|円|원|美元)",
    ),
    ("version", rf"{B}v\d+(?:\.\d+)*{E}|(?<![A-Za-z0-9_.,$€£])\d+\.\d+\.\d+(?:-[A-Za-z0-9.]+)?(?![A-Za-z0-9_])"),
    ("percent", r"\d+(?:[.,]\d+)? ?(?:%|percent\b|prozent\b|パーセント|퍼센트)"),
    (
        "number",
        rf"(?<![A-Za-z0-9_.,])(?:\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})+(?!\d)|\d+(?:[.,]\d+)*)(?![A-Za-z_]*\d)|{B}(?:{ANY_COUNT}){E}|[一二三四五六七八九十两兩](?=[个個人名位件次天周週年月本台杯只岁歳歲小分])|(?:{KO})(?= ?(?:명|개|번|달|살|마리|잔|권|병|대|시간))",
    ),
)
