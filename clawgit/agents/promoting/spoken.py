"""What of a line is really said."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

_SHOWN = re.compile(
    r"`{1,3}[^`\n]{1,300}`{1,3}|\b[a-z][a-z0-9+.-]*://\S+|!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]{1,200}>"
    r"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|(?<!\w)\"[^\"\n]{1,300}\"(?!\w)|「[^」\n]{1,300}」|『[^』\n]{1,300}』|«[^»\n]{1,300}»"
    r"|(?<![\w])'[^'\n]{2,300}'(?!\w)"
    r"|(?:[\w.~-]*/)+[\w.-]*\.\w{1,5}\b|\b[\w-]+\.(?:py|ts|tsx|js|go|rs|c|h|java|kt|rb|sql|md|json|ya?ml|toml|css|html|sh|log|csv|png|pdf)\b"
    r"|\b\w*_\w+\b|(?<!\w)(?:\$[A-Za-z_]\w*|\$\{[^}\n]*\}|\$\([^)\n]*\)|--?[a-z][\w-]+)"
    r"|^\s*[$>#%] \S.*$",
    re.MULTILINE | re.IGNORECASE,
)
_HELPERS = (
    r"yet|been|be|has|have|is|are|was|were|really|formally|officially|finally|quite|even|anything|ever|to|it|them|they"
    r"|we|this|that|being|fully|for|a|an|the|our|its|the \w+"
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|nothing|nobody|(?:has|have|is|was|were|are|did|do|does|wo|ca|could|would)n.?t|without"
    r"|cannot|once|until|before|if|unless|whether|when|will|can|could|should|must|might|may|needs|wants?|hopes?|plans?"
    r"|going|waiting|who|planned|upcoming|to be|get(?:s|ting)?)\b"
    rf"(?: (?:{_HELPERS}))*|没有?|尚未|还没有?|還沒有?|未|未经|不|待|等|是否|未だ|まだ|미|안|못|아직) ?$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"^(?:[이은는도을를]|되|하|을 |된 | ){0,3} ?(?:하지 ?(?:않|못|말)|되지 ?(?:않|못)|안 |못 |전(?:이|까지|에)?\b|보류|없|해야|할 |예정)"
    r"|^(?:して|されて|ていない|は|を|が|も)?(?:いない|いません|ない|ません|せず|できな|前|保留|待ち|予定|するか|すべき)"
    r"|^(?:不了|不下来|前|之前|了吗|与否)|^ (?:nothing|nobody|yet to)\b",
)
_REACH = 48
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|might|may want|could|should we|wonder(?:ing|s|ed)?|not sure|unclear|undecided|tbd|tba|to be (?:decided|confirmed)"
    r"|thinking (?:about|of)|considering|rumou?rs?|someday|if we ever|would be nice|not yet|yet to|draft idea|brainstorm(?:ed|ing)?|pending|still open)\b"
    r"|也许|可能|考虑中|待定|还没|尚未|是不是|要不要|かもしれ|検討中|未定|まだ|どうする|아마|검토 ?중|미정|아직|고민|할까",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\s*[\"')*_]*\s*$|(?:까|나요|吗|呢|か)[.。]?\s*$")


def told(text: str) -> str:
    """Return `text` with what it only shows blotted out: code, quotes, links, paths, prompts; places stay."""
    return _SHOWN.sub(lambda match: "\0" * len(match[0]), text)


def denied(text: str, start: int, end: int) -> bool:
    """Tell whether what stands there did not happen, or not yet: words before it or after it say so."""
    before = re.split(r"[.;!?。；！？\n]", text[max(0, start - _REACH) : start])[-1]
    return bool(_DENIED.search(before) or _DENIED_AFTER.match(text[end : end + _REACH]))


def doubted(text: str) -> bool:
    """Tell whether the line says that it is not settled."""
    return bool(_DOUBT.search(text))


def asked(text: str) -> bool:
    """Tell whether the line is a question."""
    return bool(_ASKS.search(text))
