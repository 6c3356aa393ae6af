"""Words by which an agent gives way, in ten languages."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from __future__ import annotations

# Read as the other meanings are: anywhere in one sentence of plain, case-folded text.
YIELDING: dict[str, tuple[str, ...]] = {
    "guarded": (  # the owner alone, a yes first, or nothing given
        r"\b(?:only|nobody but|no one but) (?:the )?operator\b|\b(?:ask|asks|asked|confirms?)\b[^.;]{0,40}\b(?:before|first)\b|\band ask\b|\bask (?:me|her|him|operator)\b|\bpay (?:attention|heed)\b|\bthere (?:is|was|are|were) (?:none|nothing)\b|, (?:never|not|no)\b|\b(?:confirm\w*|check\w*|verif\w*)\b[^.;]{0,30}\b(?:before|first)\b|confirm\w*[^.;]{0,30}\b(?:antes|avant)\b|подтвержда(?:ются|ется|ть)|之后才|后才|してから|[한 ](?:뒤|후)에|gilt erst\b|\bonly (?:after|with) (?:a|her|his|their|operator's) (?:\w+ )?(?:yes|ok|approval)\b",
        r"\bnur operator|(?:überweis|zahl|bezahl)\w* (?:nie|nichts|niemals|kein)|\b(?:sólo|solo|seule?|só|somente|solamente|apenas) (?:o |a |el |la )?operator|только operator|只有operator|只听operator|只(?:给|让|告诉|转告|说给|交给|留给|报给)(?:我|主人|本人|operator)|operator(?:さん)?(?:に|へ)だけ(?:伝|話|知らせ|渡)|operator(?:님)?(?:에게|께|한테)만|operator(?:だけ|のみ)|operator(?:만| 만)|operator فقط|فقط operator",
    ),
    "idle": (  # OpenClaw's own words about an empty HEARTBEAT.md
        r"\b(?:keep|leave) this file (?:empty|blank)\b|\bskip (?:the )?heartbeats?\b|\bthis file has no\b",
    ),
    "disarmed": (
        r"\b(?:exec\.?)? ?ask\b['\"]?\s*[=:]\s*['\"]?(?:off|never|false)\b|\b(?:exec\.?)?security['\"]?\s*[=:]\s*['\"]?(?:full|off|none)\b|\bapprovals?['\"]?\s*[=:]\s*['\"]?(?:off|none|never|auto\w*|false)\b|\bsandbox(?:\.mode| mode)?['\"]?\s*[=:]\s*['\"]?(?:off|none|false)\b|--yolo\b|--no-verify\b|\bset (?:the )?soul policy (?:to )?(?:evolve|off|none)\b|\ballow(?:s|ed)? (?:all|any|every) (?:tools?|commands?|senders?)\b|--dangerously\S*|--no-?sandbox\b|bypass ?permissions|\belevated(?:default)?['\"]?\s*[=:]\s*['\"]?(?:on|full|true|always)\b",
    ),
}
