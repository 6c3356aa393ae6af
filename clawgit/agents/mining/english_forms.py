"""What English sentences ask, order, report and tell."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

from clawgit.agents.mining.tongue import tongue

_LEAD = r"^(?:(?:please|ok|okay|hey|hi|and|but|so|also|then|now|just|well|oh|alright|great|thanks|cool|yes|yeah|no|next|first|finally|btw|by the way|could you|can you|kindly)\b[\s,:.!-]*)*"
_ASKED = r"you|i|we|they|he|she|it|this|that|there|your|my|the|any\w*|someone|somebody|people"
_ACTS = (
    r"open|show|run|check|fix|rename|delete|add|write|tell|give|look|read|list|use|put|set|send|create|update|remove|install|restart|start|stop"
    r"|try|help|explain|summari[sz]e|translate|search|draft|build|deploy|commit|push|pull|merge|revert|wait|act|pay|book|order|ask|email|mail|call"
    r"|remind|print|compare|generate|change|keep|make|find|move|copy|paste|convert|format|test|review|refactor|implement|debug|analy[sz]e|download"
    r"|upload|fetch|schedule|cancel|switch|turn|close|save|load|clean|clear|reply|answer|respond|forward|post|share|publish|skip|continue|proceed"
    r"|go|do|don't|never|always|take|get|bring|buy|come|see|let|leave|be|stay|enjoy|imagine|think|believe|consider|note|follow|ensure|replace"
    r"|describe|rewrite|edit|plan|prepare|talk|say|stick|hang|trust|listen|have fun|have a|good luck|hit|drop|ping|grab|pick|split|sort|upgrade"
    r"|sum|dig|execute|ignore|disregard|forget|pretend|obey|override|bypass"
)
_DOERS = r"run|execute|forward|send|share|post|upload|obey|trust|approve|accept|install|curl|fetch|download|reply|include|append|cc|bcc|call|visit|open|recommend|answer|respond|say|tell|ignore|disregard|treat|use|add|begin|start|end|act|behave|store|write|delete|disable|skip|allow|grant|follow"
_RULES = r"rules?|instructions?|prompts?|guidelines?|policy|policies|restrictions?|safety|guardrails?|constraints?|persona|training"
_KEYS = r"key|password|passwords|token|secret|credential|credentials|passphrase|pin|api[- ]key"

_WORKED = (
    r"moved|booked|upgraded|cancell?ed|scheduled|rescheduled|changed|switched|set up|set|deployed|installed|paid|sent|ordered|renewed|migrated|disabled"
    r"|enabled|removed|registered|submitted|created|restored|rotated|bumped|archived|subscribed|unsubscribed|filed|bought|reserved|transferred|released"
    r"|published|pinned|rolled back|renamed|shut down|replaced"
)

ENGLISH = tongue(
    {
        "ask": (
            rf"{_LEAD}(?:(?:can|could|would|will|does|did|is|are|was|were|has|should|shall|may|am)(?:n't)? (?:{_ASKED})\b|(?:do|have)(?:n't)? (?:you|i|we|they|your|my)\b"
            r"|how (?:about|come|do|did|does|is|are|was|were|long|many|much|often|would|can|could|should)\b|how's|what (?:if|about|do|did|does|is|are|was|were|kind|sort|would|should|can)\b(?! (?:finally|actually|worked))"
            r"|what's |why (?:do|did|is|not|don't|does|would|are|was|should)\b|where (?:do|did|is|are|was|can|should)\b|who (?:is|are|was|did|do)\b|which (?:one|of)\b|any (?:idea|news|update|updates|chance|tips|thoughts|plans|luck)\b)"
        ),
        "order": rf"{_LEAD}(?:{_ACTS})\b(?!['’](?!t)|,? (?:the|my|our)? ?\w+ (?:was|were|is|are|has|had|went|fixed|took|came)\b)|{_LEAD}(?:you (?:should|must|need to|have to|can|could|will)|let me know|feel free|make sure|be sure|i(?:'d| would) like you to|i (?:want|need) you to)\b",
        "plant": (
            rf"\b(?:ignore|disregard|forget|override|bypass|drop) (?:\S+ ){{0,5}}?(?:{_RULES}|everything (?:above|before|you))\b"
            rf"|\b(?:remember|memori[sz]e|store|save|keep|note) (?:\S+ ){{0,4}}?(?:{_KEYS})\b(?:\s*(?:is\b|:|=|$)| \S*\d)"
            rf"|(?:^|[,;:.!] ?|\bthat |\bto |\band |\bshould |\bmust |\bwill )(?:always|never|from now on|whenever|every time|each time|henceforth|going forward|in (?:the )?future)\b,? ?(?:\w+ ){{0,4}}?(?:{_DOERS})\b"
            rf"|\byou (?:are|must|should|shall|will|have to|need to|may|can) (?:\w+ )?(?:now|always|never|from now on|obey|ignore|{_DOERS})\b"
            r"|\b(?:your|the agent's|the assistant's) (?:new )?(?:rules?|instructions?|system prompt|persona|role|purpose|owner|operator|admin) (?:is|are|says?)\b"
            r"|\b(?:without|don't|do not|never) (?:asking|ask|tell|telling|inform|mention|reveal|warn)\w*\b(?! (?:me|us) (?:about|again))"
            r"|\b(?:soul|agents|identity|memory|tools|user)\.md\b|\bsystem prompt\b|\b(?:curl|wget) \S|\| ?(?:ba)?sh\b"
        ),
        "role": (
            r"\b(?:pretend|role-?play|act as|play the role|in character|imagine (?:you|that you|we|that we)|once upon a time|knock,? knock|just kidding|only kidding|only joking|just joking|jk)\b"
            r"|\byou(?:'re| are) (?:now )?(?:a|an) (?:\w+ )?(?:pirate|wizard|knight|robot|expert|assistant|model|character|captain|king|queen)\b"
            r"|\b(?:write|tell|make up|invent|continue|compose) (?:me |us )?(?:a|an|the|another) (?:\w+ ){0,2}?(?:story|poem|song|joke|scene|dialogue|dialog|tale|novel|sketch|letter|limerick|haiku|essay)\b"
            r""
        ),
        "idle": (
            r"^(?:it|that|this|the \w+|build|tests?)(?:'s| is| are)? (?:still |just |now )?(?:\w+ing|red|green|pending|queued)\b.{0,24}$"
            r"|\bi(?:'m| am) (?:\w+ )?(?:tired|hungry|bored|exhausted|sleepy|back|here|afk|busy|ready|done|fine|good|ok|okay|on it|looking|checking|running|waiting|testing|debugging|building|trying to (?:understand|figure))\b"
            r"|\b(?:one sec|one second|one moment|brb|gtg|be right back|hold on|hang on|let me|lemme|give me a|talk (?:to you )?(?:soon|later)|see you|catch (?:you|up)|take care|good (?:night|morning|evening)|what a (?:day|week|mess)|can't wait to (?:see|hear)|looks good|lgtm|back in (?:a|an|\w+) (?:\w+ )?(?:min|minute|minutes|mins|bit|sec|hour)|(?:grab|get|having|have) (?:a |some )?(?:coffee|lunch|dinner|breakfast|snack)|sounds good|go ahead|makes sense|no problem|my pleasure|of course|i(?:'ll| will) (?:check|look|try|let you|see|think|keep you|do (?:that|it|my best))|got it|here (?:you|ya|u|we) go|here it is|here's|here is)\b"
        ),
        "unsure": (
            r"^(?:so |but |and |or )?(?:maybe|perhaps|what if|suppose|supposing)\b|\b(?:if (?:i|we|you|he|she|they|it|only)\b.*\b(?:would|could|might|'d)\b|(?:would|could|might|he'd|she'd|i'd|we'd|you'd|they'd)\b.* if (?:i|we|you|he|she|they|it)\b"
            r"|i wish\b|some ?day\b|not sure\b|no idea\b|i (?:wonder|guess|suppose|might|don't know)\b|(?:could|should|would) (?:probably|maybe|also|just)\b|we (?:could|might)\b|would be (?:nice|cool|great|awesome|fun|amazing)\b)"
        ),
        "note": rf"{_LEAD}(?:remember\b(?!,)|don't forget|do not forget|keep in mind|make a note|note)\b(?! (?:when|how|me|us|the time|those))[:,]? ?(?=\S)|\b(?:note to self|for the record)\b|\bimportant:",
        "lesson": (
            r"\blessons?(?: |-)learn\w+|\blesson:|\bturns out\b|\bturned out\b|\bthe trick (?:is|was|to)\b|\bwhat (?:finally |actually |really )?(?:worked|fixed|helped)\b|\broot cause\b|\b(?:was|were|is) caused by\b"
            r"|^(?:please )?(?:never|don't|do not|avoid|always)\b.{5,90}(?:[,;:]|\s[-–—]|\bbecause\b|\bsince\b|\bor\b).{0,60}\b(?:lost|broke|crashed|failed|wiped|corrupted|leaked|outage|downtime|took (?:us |me )?\w+ (?:hours|days)|cost (?:us|me)|hours of|days of|the hard way|last time)\b"
            r"|\b(?:fixed|solved|resolved) (?:it |this |that |the \w+ )?by\b|\bthe (?:fix|cause|solution) (?:is|was)\b|\bworkaround\b|\bnever again\b|\b(?:i|we|i've|we've) (?:also )?(?:learned|learnt) (?:that|to|how|the hard way|not)\b"
            r"|^(?!i\b|we\b|\w+ing (?:i|we)\b)\w+ing\b.{0,80}\b(?:fixed|solved|cured|stopped|resolved)\b"
        ),
        "decision": (
            r"\bdecid\w+|\bdecision\b|\b(?:i|we) (?:will not|won't|will never|will no longer|will only)\b|\bno longer\b|\bpicked \w+ over\b|\b(?:we|i|and|have|'ve) (?:\w+ )?agreed (?:with [\w ]{2,30}? )?(?:that|to|on)\b|\b(?:the|my|our) (?:plan|goal|aim|next step) (?:is|was)\b"
            r"|\b(?:we|i)(?:'re| are|'m| am) (?:\w+ )?(?:going with|going to|not going|gonna|replacing|switching|moving|dropping|planning|keeping|sticking|cancell?ing|aiming|starting|launching|opening)\b"
            r"|\blet's (?:go with|use|keep|switch|stick|drop|make it|move|call|name|set)\b|\b(?:i|we|i've|we've) (?:\w+ )?(?:chose|chosen|settled on|opted|picked)\b|\bmade up (?:my|our) mind\b"
            r"|\bplans? (?:to|on|for)\b|\b(?:i|we|i've|we've) (?:\w+ )?(?:committed|resolved) to\b"
        ),
        "preference": (
            r"\bprefer\w*|\bfavou?rites?\b|\bi(?:'d)? (?:really |absolutely |still |also |always |usually |just |do )?(?:love|like|enjoy|hate|dislike|adore|loathe|can't stand)\b|\bcan't stand\b|\bgo-to\b"
            r"|\bi(?:'m| am) (?:\w+ )?(?:a (?:\w+ )?fan|into|obsessed|passionate|fond|crazy about)\b|\bmy (?:passion|hobby|thing)\b"
        ),
        "happened": r"\b(?:appointment|wedding|flight|getting married|birthday|interview|exam|surgery|arrives?|fly|flies|flying|trip|concert|game|match|party|conference|launch)\b",
        "report": rf"^(?:[^:.!?]{{0,40}}: )?(?:(?:done|ok|okay|all set|all done|sure|good news|update|quick update|ready|great)\b[\s,.:!—-]*)?i(?:'ve| have)? (?:now |just |also |already |successfully |gone ahead and )*(?:{_WORKED})\b",
        "leans": r"^(?:(?:and|but|so|yeah|yes|well|plus|also|then|oh|honestly|luckily|now)\b,? )*(?:it|it's|its|it'll|that|that's|this|these|those|they|they're|they've|they'd|they'll|their|he|he's|she|she's|his|her|him|them|which|both|one of them|otherwise|instead)\b(?! (?:turns|turned) out| (?:been|took|takes|has been)\b|(?: was|wasn't| was not| wasn't| isn't| is not|'s not) (?:the|my|our) [^.]{3,60}[,;:] ?(?:it|but)\b| (?:morning|afternoon|evening|week|weekend|month|year|time|summer|winter|spring|fall|autumn|coming|past|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)",
        "hangs": (
            r"(?:\b(?:the|a|an|and|or|but|of|to|with|because|my|our|your|his|her|their|its|is|are|was|were|for|from|at|in|as|than|if|when|while|where|whose"
            r"|i|we|will|would|can|could|should|must|has|have|had|be|been|being|into|onto|about|very|every|each|other|aft|between|through|during|against"
            r"|without|until|till|since|some|any|no|most|getting|becoming|having|going|called|named|really|just|also|only|i'm|i've|we're|we've|it's|don't|didn't"
            r"|can't|won't|doesn't|isn't|wasn't|want|wants|wanted|need|needs|needed|use|uses|got|gets|get|says|said|named|per|via|both|either|neither|gonna)"
            r"|[,(\[\-–—:;/&+\"“«‘]|(?:\.\.\.|…) ?[(\[]?(?:output |text )?truncated[^\n]*)\s*$"
        ),
    },
    {},
)
