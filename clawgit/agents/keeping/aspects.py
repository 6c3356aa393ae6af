"""Names the sides of conduct that a sentence speaks of."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from clawgit.agents.keeping.sieve import Sieve

Sign = Literal[-1, 0, 1]
ONE_WAY = frozenset({"honesty", "ask", "order", "asking1"})
"""Sides of which nobody asks for less in good faith: a line that speaks of them asks for them."""


class Aim(Struct, frozen=True, order=True):
    """One side of conduct, and which way: more of it (1), less (-1), or one way of several (0)."""

    aspect: str
    sign: Sign

    @property
    def name(self) -> str:
        """How it is written: `length-`, `candour+`, `language`."""
        return self.aspect + {-1: "-", 0: "", 1: "+"}[self.sign]

    def opposes(self, other: "Aim") -> bool:
        """Tell whether both cannot be followed."""
        return self.aspect == other.aspect and self.sign == -other.sign != 0 and self.aspect not in ONE_WAY


_MORE: dict[str, str] = {
    "closing": r"\b(?:end\w*|finish\w*|clos\w+|conclud\w+)\b.{0,50}\bquestions?\b|\bquestions? (?:at|in) the (?:very )?end\b|\b(?:mit|durch) (?:einer |ner )?(?:(?:gegen|rück)?frage\w*|fragen)\b.{0,30}(?:end|aufhör|abschlie|schlie)\w*|\b(?:(?:be)?ende?\w*|schlie\w+)\b.{0,40}\b(?:mit )?(?:einer )?(?:gegen|rück)?frage|(?:termin|acab|cerr|finaliz)\w+\b.{0,50}\bpreguntas?\b|(?:fini|termin|conclu|achèv)\w*\b.{0,50}\bquestions?\b|(?:以|用).{0,4}(?:问题|提问|反问|问句).{0,4}(?:结尾|结束|收尾)|(?:结尾|最后|末尾).{0,4}(?:问|提问|反问)|質問で(?:終|締|閉)|最後に.{0,6}質問|질문(?:으로|을).{0,6}(?:끝|마무리)|끝에.{0,6}질문",
    "length": r"\btalk(?:ing|s)? too much\b|\b(?:rede|quatsch|laber)\w* (?:viel )?zu viel\b|\bhablas demasiado\b|\bparles trop\b|话太多|喋りすぎ|말이 너무 많|\b(?:too|so|very|this|that|overly|less|more) long\b|\blong(?:er|-winded| answers?| replies| messages?| responses?| texts?)\b|\b(?:wordy|wordier|verbose|verbosity|rambl\w+|waffl\w+|essays?|walls? of text|chatty|(?:writ\w+|wrote|another|whole) novels?|long(?! (?:way|days?|time|run|ago|walks?|story|term|weekends?|drives?|trips?|list|hours?|week|night|since|enough)))\b|\b(?:more|full|greater|in|every) details?\b|\bdetailed\b|\bthorough(?:ly)?\b|\belaborat\w+|\b(?:lang|länger|lange[rns]?|ausführlich\w*|langatmig|weitschweifig|ausschweifend|textwand|ganzen? roman|geschwätzig)\b|\b(?:larg[oa]s?|extens[oa]s?|detallad[oa]s?|enrollarte|rollo|verbos[oa])\b|\b(?:longue?s?|détaillée?s?|verbeux|verbeuse|bavarde?|pavé|tartine)\b|太长|太啰嗦|啰嗦|啰唆|长篇大论|废话|详细|冗长|得.{0,2}长|長すぎ|長い|長文|くどい|冗長|詳しく|だらだら|너무 길|길게|길어|장황|자세히|상세",
    "emoji": r"\bemojis?\b|\bemoticons?\b|\bsmile?ys?\b|\bsmilies\b|\bémojis?\b|表情(?:符号|包)?|颜文字|emoji|絵文字|顔文字|スタンプ|이모티콘|이모지",
    "excited": r"\bexclamation (?:marks?|points?)\b|\bexclamations\b|\b(?:enthusias(?:m|tic|tically)|perky|over-?excited|cheer(?:y|ful)|hyper|bubbly|peppy|gushing)\b|\bausrufezeichen\b|\bsignos? de exclamación\b|\bpoints? d'exclamation\b|感叹号|感嘆符|ビックリマーク|느낌표",
    "flattery": r"\bflatter\w*|\bsycophan\w*|\bcompliment\w*|\bbutter(?:ing)? me up\b|\bsuck(?:ing)? up\b|\bpraising me\b|\bpraise me\b|\bthe praise\b|\bschmeich\w+|\bschleim\w*|\blob(?:hudel\w*| mich)\b|\bhal[aá]g\w*|\badul\w+|\bpelotear\w*|\bflatte\w*|拍马屁|奉承|恭维|お世辞|おだて|褒め(?:す|な|る)|아부|아첨|칭찬",
    "apology": r"\bapologi[sz]\w*|\bapolog(?:y|ies)\b|\bsorry\b|\bentschuldig\w*|\bdisc[uú]lp\w*|\bpidas perdón|\bperdón\b|\bexcuse[rsz]?\b|\bt'excuses?\b|\bdésolée?\b|道歉|抱歉|对不起|认错|謝(?:る|ら|り|っ|罪)|すみません|ごめん|申し訳|사과|죄송|미안",
    "echo": r"\bsummari[sz]\w*\b.{0,20}\b(?:i (?:just )?(?:said|wrote|asked)|back to me)\b|\brecap\w*\b.{0,20}\b(?:what i|my)\b|\b(?:repeat\w*|restat\w*|paraphras\w*|parrot\w*|echo\w*|rephras\w*)\b.{0,40}\b(?:my|me|i|question|back|said|request|yourself)\b|\bwiederhol\w*\b.{0,30}\b(?:frage|was ich|dich)\b|\b(?:meine frage|was ich (?:sage|schreibe)|dich)\b.{0,30}\bwiederhol\w*|\brepit\w*|\brepet\w*\b.{0,20}(?:pregunta|digo|ma question|je dis)|\brép[éè]t\w*|\breformul\w*|重复(?:我|一遍|问题)|复述|(?:質問|言ったこと)を?.{0,3}(?:繰り返|復唱)|(?:질문|말)을?.{0,4}(?:반복|되풀이|따라)",
    "summing": r"\bsummar(?:y|ies|ise|ize|ising|izing)\b.{0,20}\bat the end\b|\b(?:closing|final) summar(?:y|ies)\b|\bsum(?:ming)? (?:it |things |everything )?up\b|\bzusammenfassung\b.{0,12}\bam (?:ende|schluss)\b|\bam (?:ende|schluss)\b.{0,24}\bzusammen|\bresum\w+\b.{0,12}\bal final\b|\brésum\w+\b.{0,12}\bà la fin\b|(?:最后|结尾).{0,4}总结|最後に.{0,4}(?:まとめ|要約)|(?:끝에|마지막에).{0,4}요약",
    "preamble": r"\bpreambles?\b|\bintroductions?\b|\bfiller\b|\bfluff\b|\bsmall talk\b|\bpleasantries\b|\bpadding\b|\bthroat.clearing\b|\b(?:vorrede|einleitung|floskel\w*|füllwörter|geplänkel)\b|\b(?:preámbulos?|introducciones|relleno|rodeos)\b|\b(?:préambules?|remplissage|blabla|formules? de politesse)\b|开场白|客套话?|铺垫|前置き|社交辞令|서론|인사치레|군더더기",
    "hedge": r"\bdisclaimers?\b|\bcaveats?\b|\bhedg(?:e|ing|es)\b|\bwarnings\b|\b(?:over)?cautious\b|\bwishy-?washy\b|\bvorbehalt\w*|\bhaftungsausschl\w*|\beinerseits.{0,12}andererseits\b|\bdescargos?\b|\badvertencias\b|\bavertissements?\b|\bmises? en garde\b|免责声明|模棱两可|但し書き|注意書き|免責|면책|단서를? (?:달|붙)",
    "honesty": r"\b(?:tell|say|admit|flag|mark|point out|warn|mention|let me know)\b.{0,40}\b(?:not sure|unsure|uncertain|guess\w*|don't know|do not know|no idea|assum\w+)\b|\bnot (?:sure|certain)\b.{0,30}\b(?:say|tell|admit)\b|\b(?:nicht sicher|unsicher|nicht weißt|ratest|vermut\w+)\b.{0,40}\b(?:sag|sage|zugeb|gib)\w*|\b(?:sag|sage|gib)\w*\b.{0,40}\b(?:nicht sicher|unsicher|nicht weißt|rätst|vermut\w+)|(?:di|dime|avisa|avísame|admite)\b.{0,30}\b(?:no (?:estés|estás|sepas|sabes)|segur[oa])|\b(?:dis|dis-le|dis-moi|préviens|avoue)\b.{0,40}\b(?:pas sûre?|ne sais pas|doute)|不确定.{0,12}(?:直说|告诉|说明|说|承认)|(?:不知道|没把握).{0,8}(?:就说|直说|承认)|(?:わからない|分からない|不確か|自信がない|確かでない).{0,12}(?:言|伝え|教え|正直)|(?:확실하지|모르|확신).{0,14}(?:말해|말하|알려|얘기|모른다고)",
    "candour": r"\bpush(?:ing|es|ed)? back\b|\bdisagree(?:ing)?\b|\b(?:more |be |so )(?:direct|blunt|frank|candid|straightforward)\b|\bcontradict(?:ing)? me\b|\bchalleng(?:e|ing) (?:me|my \w+)\b|\bcall(?:ing)? me out\b|\b(?:tell(?:ing)? me|say)\b.{0,20}\bi'?m wrong\b|\bhonest (?:opinion|feedback|with me)\b|\bwiderspr\w+|\bdirekter\b|\bsag\w* mir.{0,30}(?:falsch|unrecht)|\b(?:más|sé) direct[oa]\b|\bllev\w+ la contraria|\bplus (?:direct|franc|franche)\b|\bcontredi\w+|直接(?:一点|点|指出)|反驳|(?:指出|纠正)我|率直|反論|(?:間違|違)って(?:い)?たら.{0,8}(?:言|指摘|教え)|솔직|직설|반박|틀리면.{0,8}(?:말|지적)",
    "lists": r"\bbullet(?:s|ed| points?| lists?)?\b|\blists\b|\b(?:aufzählung\w*|stichpunkt\w*|bulletpoints?|listen)\b|\bviñetas\b|\blistas\b|\bpuces\b|\blistes\b|项目符号|列表|分点|箇条書き|리스트|글머리|목록",
    "tables": r"\btables\b|\bin a table\b|\btabellen?\b|\btablas\b|\btableaux\b|表格|テーブル|表で|(?<![\uac00-\ud7a3])표[로를]",
    "markup": r"\bmarkdown\b|\bheadings?\b|\bheaders\b|\b(?:in|use|using|with|so much|no) bold\b|\bboldface\b|\bbold (?:text|words|type)\b|\bformatting\b|\büberschriften\b|\bfettdruck\b|\bnegritas?\b|\bencabezados\b|\btitres\b|\bgras\b|加粗|标题格式|マークダウン|見出し|太字|마크다운|굵은",
    "formal": r"\b(?:formal(?:ly)?|stiff(?:ly)?|corporate|stilted|robotic)\b|\bsiez\w+|\bgesiezt\b|\b(?:mit|per) sie\b|\bförmlich\w*|\bsteif\b|\busted\b|\bvouvo\w+|\bformelle?\b|敬语|官方腔|您|敬語|かしこま|존댓말|격식",
    "plain": r"\b(?:plain(?:er)?|simple(?:r)?|everyday) (?:words|english|language|terms)\b|\blike i'?m five\b|\bin layman\w*|\beinfache[rn]? (?:worte|wörter|sprache)\w*|\bpalabras (?:sencillas|simples)\b|\bmots simples\b|\blangage simple\b|通俗|大白话|简单的(?:话|语言|词)|(?:簡単|平易|わかりやすい)な?(?:言葉|表現)|쉬운 (?:말|단어|표현)",
    "lecture": r"\blectur(?:e|es|ing)\b|\bmorali[sz]\w*|\bpreach\w*|\bpatroni[sz]\w*|\bunsolicited advice\b|\bsermon\w*|\bbelehr\w*|\bmoralpredigt\w*|\bsermone\w*|\bmoraline\b|\b(?:faire|fais|fait) (?:pas )?(?:toujours )?la (?:morale|leçon)\b|说教|教训我|上课似|説教|お説教|훈계|잔소리|설교",
    "ask": r"\b(?:ask(?:ed|s|ing)?|check(?:ed|ing)?(?: in)? with|confirm(?:ed|ing)? with|run(?:ning)? it by|wait(?:ed|ing)? for)\b (?:for )?(?:me|my (?:ok|okay|go))?.{0,12}\b(?:first|before)\b|\bask me\b|\bfrag\w*\b.{0,20}\b(?:vorher|zuerst|erst|bevor)\b|\b(?:vorher|zuerst|erst|bevor)\b.{0,30}\bfrag\w*|\b(?:pregunt|consult)\w*\b.{0,20}\bantes\b|\bantes\b.{0,30}\bpregunt\w*|\bdemande\w*\b.{0,30}\bavant\b|\bavant\b.{0,40}\bdemande\w*|先问|先跟我(?:说|确认)|先(?:确认|征求)|(?:先に|前に|まず).{0,12}(?:聞|確認|相談)|(?:먼저|전에).{0,12}(?:물어|확인|상의)",
    "asking1": r"\b(?:one|a single) question (?:at a time|at once|per|only)\b|\beine frage (?:auf einmal|nach der anderen|pro)\b|\buna (?:sola )?pregunta (?:a la vez|por)\b|\bune (?:seule )?question à la fois\b|一次只?(?:问)?一个问题|(?:質問は)?一つずつ.{0,6}(?:聞|質問)?|질문은? (?:한 번에 )?하나씩",
    "order": r"\b(?:conclusion|answer|result|bottom line|tl;?dr|outcome|point)s? (?:comes? |goes? |always )?first\b|\b(?:lead|start|begin|open) with the (?:answer|conclusion|result|bottom line|point)\b|\b(?:zuerst|erst) (?:das ergebnis|die antwort|das fazit)\b|\bprimero la (?:conclusión|respuesta)\b|\bd'abord la (?:conclusion|réponse)\b|先(?:说|给|讲)(?:结论|答案)|结论先行|結論(?:から|を先に|を最初)|결론(?:부터|을 먼저)",
    "humour": r"\bjok(?:e|es|ing)\b|\bhumou?r(?:ous)?\b|\bsarcas\w+|\bwitty\b|\bpuns?\b|\bfunn(?:y|ier)\b|\bwitze?\b|\bhumorvoll\b|\bbromas\b|\bchistes\b|\bblagues?\b|\bhumour\b|玩笑|幽默|冗談|ユーモア|농담|유머",
    "warmth": r"\b(?:warm(?:er|ly)?|friendl(?:y|ier)|kinder|gentl(?:e|er|y)|nicer|empathetic)\b|\b(?:freundlicher|netter|herzlicher)\b|\bmás (?:amable|cercan[oa]|cálid[oa])\b|\bplus (?:gentille?|chaleureu\w+)\b|温柔|友好|亲切|優しく|やさしく|親切|친절|다정|따뜻",
    "proactive": r"\bproactiv\w*|\bspeak(?:ing)? up\b|\bwithout (?:me )?being asked to suggest\b|\b(?:suggest|bring) (?:things|ideas) (?:up )?(?:yourself|on your own|unprompted)\b|\bproaktiv\w*|\bvon dir aus\b|\bproactiv[oa]\b|主动|自分から|積極的|먼저 (?:제안|알려)|주도적",
}
_LESS: dict[str, str] = {
    "length": r"\b(?:short(?:er|ly)?|brief(?:er|ly)?|brevity|concise(?:ly)?|terse|succinct(?:ly)?|crisp(?:er)?|to the point|compact|snappy|tl;?dr)\b|\b(?:under|at most|max(?:imum)?|no more than|fewer than|up to) (?:\w+ )?(?:sentences?|lines?|words?|paragraphs?)\b|\b(?:kurz(?:e[mnrs]?)?|kürzer\w*|knapp\w*|bündig|auf den punkt|prägnant)\b|\b(?:breves?|brevedad|cort[oa]s?|concis[oa]s?|al grano|escuet[oa])\b|\b(?:brefs?|brièvement|brève(?:s|ment)?|courtes?|(?:plus|trop|fais|sois|répon\w+) court|concise?s?|au but|à l'essentiel|succincte?)\b|简短|简洁|精简|简明|短一?点|短些|简单点|短く|短め|簡潔|手短|端的|짧게|짧은|간결|간단(?:히|하게)|짧고",
    "honesty": r"\b(?:mak(?:e|es|ing)|made)\b (?:\w+ ){0,2}up\b|\binvent(?:s|ed|ing)?\b|\bhallucinat\w*|\bfabricat\w*|\bbluff\w*|\bguess(?:es|ed|ing)?\b|\berfind\w*|\berfund\w*|\bhalluzin\w*|\brat(?:en|est)\b|\binvent(?:ar|es|as|e|er)\b|\bt'inventer\b|瞎编|编造|胡编|乱编|不要编|别编|猜|でっち上げ|適当なこと|憶測|지어내|추측|꾸며",
    "candour": r"\bsugar-?coat\w*|\byes-?man\b|\bagree(?:ing)? with (?:me|everything)\b|\bbeat(?:ing)? around the bush\b|\bschönred\w*|\bnach dem mund\b|\bdar(?:me)? la razón\b|\bédulcor\w*|\bbrosser dans le sens\b|附和|绕弯子|遠回し|イエスマン|돌려 말|맞장구",
    "formal": r"\b(?:casual(?:ly)?|informal(?:ly)?|relaxed|laid-?back|chilled?)\b|\bduz\w+|\bgeduzt\b|\blocker\w*|\bungezwungen\b|\btut[eé]\w*|\binformal\b|\btuto\w+|\bdécontractée?\b|随意|口语|轻松|くだけ|タメ口|カジュアル|ため口|반말|편하게",
    "plain": r"\bjargon\b|\bbuzz-?words?\b|\btechnical (?:terms|language)\b|\bacronyms\b|\bfachchinesisch\b|\bfachbegriffe?n?\b|\bfremdwörter\w*|\bjerga\b|\btecnicismos\b|\btermes techniques\b|术语|行话|黑话|専門用語|横文字|전문 ?용어|외래어",
    "warmth": r"\b(?:cold(?:er|ly)?|rude(?:ly)?|snippy|harsh(?:ly)?|snarky|condescending|curt|dismissive)\b|\b(?:unfreundlich|schroff|herablassend|patzig)\b|\b(?:gros[eo]r[oa]|borde|frí[oa])\b|\b(?:froide?|sec|sèche|condescendante?)\b|冷淡|粗鲁|冷漠|冷たい|失礼|そっけない|차갑|무례|퉁명",
    "ask": r"\b(?:without|skip|no need (?:to|for)|instead of) (?:\w+ ){0,2}(?:ask(?:ing)?|permission|confirm\w*|check\w*)\b|\bohne (?:\w+ )?(?:zu fragen|nachfrage|rückfrage)\b|\bsin (?:preguntar|pedir permiso)\b|\bsans (?:demander|me demander)\b|不用(?:问|征求|确认)|無断|聞かずに|묻지 (?:말고|않고)",
}
_WAYS: dict[str, str] = {
    "language": r"\b(?:in|auf|en|use|nutze?|with) (?:british |american |simple |plain |swiss )?(?:english|german|spanish|french|italian|portuguese|dutch|polish|russian|turkish|arabic|hindi|chinese|mandarin|cantonese|japanese|korean|deutsch|englisch|spanisch|französisch|español|inglés|alemán|francés|français|anglais|allemand|espagnol)\b|\b(?:british|american|uk|us) (?:spelling|english)\b|用(?:中文|英文|英语|日语|德语|普通话|粤语|繁体|简体)|(?:日本語|英語|中国語|ドイツ語|韓国語|関西弁)で|(?:한국어|영어|일본어|중국어)로",
    "address": r"\b(?:call|address) me\b|\bnenn(?:e|t)? mich\b|\bll[aá]mame\b|\bappelle-moi\b|叫我|称呼我|と呼んで|(?:이?라고) 불러",
}
_PHRASES: dict[str, str] = {
    "closing": r"\banything else\b|\bfollow-?up questions?\b|\blet me know if you\b|\bkann ich sonst\b|\balgo más\b|\bautre chose\b|还有(?:什么|其他)|他に何か|더 필요한",
    "flattery": r"\b(?:great|good|excellent) question\b|\b(?:gute|tolle) frage\b|\bbuena pregunta\b|\bbonne question\b|好问题|いい質問|좋은 질문",
    "hedge": r"\bas an ai\b|\bals ki\b|\bcomo ia\b|\ben tant qu'ia\b|作为(?:一个)?(?:ai|人工智能)|AIとして",
}
"""What an agent says: a sentence that has such words speaks of them only where it turns against them."""
_INVERTS = re.compile(
    r"\b(?:don't|dont|do not|doesn't|not|never|no|avoid|without|less|fewer|enough|so many|so much|too many|too much|cut|skip|drop|lose|leave out|refrain|hate|hates|tired of|sick of|fed up|annoy\w*|unnecessary|needless|dislike|can't stand)\b"
    r"|\b(?:nicht|kein\w*|nie|niemals|ohne|weniger|lass|nervt|vermeide\w*|verzichte\w*)\b"
    r"|\b(?:no|nunca|jamás|sin|menos|basta|evita|harto)\b"
    r"|\b(?:ne|pas|jamais|sans|moins|évite\w*)\b|\bn'|^plus (?:de |d')"
    r"|别|不(?!停|确定|知道|错|要紧|清楚)|不要|不用|不必|不许|少(?!数)|停止|没必要|禁止|不需要|ない|なく|ず(?:に)?|やめ|止め|控え|すぎ|過ぎ|不要|いらな|減ら|말(?:고|아|아줘|아요)|마(?:$|[\s.,!]|세요|라)|않|그만|덜|없이"
)
_TOO = re.compile(r"(?:\b(?:too|zu|trop|demasiad[oa]s?|overly) (?:\w+ )?|太|过于|너무 ?)$")
_STOPS = re.compile(
    r"\b(?:stop|stopped|stopping|quit|cease|refrain from)\b|\b(?:hör\w*|aufhören|unterlass\w*)\b|\b(?:deja de|dejes de|para de)\b|\b(?:arrête\w*|cesse\w*)\b"
    r"|\byou (?:keep|kept)\b|\byou always\b|\byou(?:'re| were| are| did| have| \w+ed)\b.{0,60}\bagain\b|\byou did it again\b|\banother\b|\bagain with the\b"
    r"|\bdu\b.{0,60}\b(?:schon wieder|ständig|dauernd)\b|\botra vez\b|\bsiempre estás\b|\btu\b.{0,40}\b(?:encore|toujours|sans cesse)\b"
)
_ANEW = re.compile(r"又|总是|老是|ばかり|毎回.{0,8}(?:謝|聞)|자꾸|또 ")
_UPHOLDS = re.compile(
    r"\b(?:don't|do not|never) (?:stop|quit)\b|\bkeep (?:doing|being|it|them|up|that)\b|\b(?:love|(?<!would )(?<!'d )like|liked|loved|enjoy|(?<!would )(?<!'d )appreciate)\b|\bhör\w* nicht auf\b|\bno dejes de\b|\bn'arrête pas\b|别停|不要停|やめないで|그만두지"
)
_LOATHES = re.compile(
    r"(?:n't|\bnot|\bnever|\bnicht|\bno me|\bpas)\b(?: \w+){0,2} (?:love|like|liked|enjoy|appreciate|gusta)\b"
)
_INNER = re.compile(r"\b(?:not too|nicht zu|no demasiado|pas trop)\b")
_INNERMOST = re.compile(r"\b(?:too|zu|demasiado|trop)\b|太|すぎ|過ぎ|너무")
_ORDER = (*_MORE, "language", "address")
_COMPILED_MORE = {name: re.compile(source) for name, source in _MORE.items()}
_COMPILED_LESS = {name: re.compile(source) for name, source in _LESS.items()}
_COMPILED_PHRASES = {name: re.compile(source) for name, source in _PHRASES.items()}
_COMPILED_WAYS = {name: re.compile(source) for name, source in _WAYS.items()}
_TABLES = (_MORE, _LESS, _WAYS, _PHRASES)
_SIEVE = Sieve(["|".join(table[name] for table in _TABLES if name in table) for name in _ORDER])
_CLAUSE = re.compile(
    r"[,;:，；、。.!?！？]\s*|\s(?:but|sondern|pero|mais)\s|\s(?:and|und|y|et) (?=please |bitte )?(?=(?:don't|never|no|stop|keep|use|be|always|answer|write|ask|talk|speak|nicht|nie|immer|antworte|schreib|responde|usa|réponds|utilise)\b)|\s(?=instead of|rather than|statt|en vez de|au lieu)"
)
_INSTEAD = re.compile(r"\s(?:instead of|rather than|statt|en vez de|au lieu)\b")
_WIDE = frozenset({"closing", "echo"})
"""Told by words that stand apart, with what turns them round in between."""
_FIRST = frozenset({"honesty"})
"""What is wanted whatever is said of it: the words for less of it blame."""


def aims(text: str) -> tuple[Aim, ...]:
    """Return what a sentence wants of conduct, the plainest first; the same whether it orders or complains."""
    return tuple(aim for aim, _ in read(text))


def turned(text: str) -> bool:
    """Tell whether a sentence turns against the first side of conduct that it names."""
    return any(against for _, against in read(text)[:1])


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[tuple[Aim, bool], ...]:
    """Return what a sentence wants of conduct, and of each whether it says so by turning against the contrary."""
    lower = " ".join(text.casefold().replace("\u2019", "'").split())
    return tuple(_found(lower))


def may_speak(text: str) -> bool:
    """Tell at once whether a text may name a side of conduct."""
    return bool(_SIEVE.may(text.replace("\u2019", "'")))


def _found(lower: str) -> Iterator[tuple[Aim, bool]]:
    for name in [_ORDER[number] for number in sorted(_SIEVE.may(lower))]:
        tables = ((_COMPILED_LESS, -1), (_COMPILED_MORE, 1), (_COMPILED_WAYS, 0))
        for table, sign in sorted(tables, key=lambda one: -one[1]) if name in _FIRST else tables:
            match = table[name].search(lower) if name in table else None
            if match:
                meant = 1 if name in _FIRST else _signed(name, lower, match, sign)
                yield Aim(name, meant), meant != sign
                break
        else:
            match = _COMPILED_PHRASES[name].search(lower) if name in _COMPILED_PHRASES else None
            if match and _signed(name, lower, match, 1) < 0:
                yield Aim(name, -1), True


def _signed(name: str, lower: str, match: "re.Match[str]", sign: int) -> Sign:
    """Return which way a word is meant, by the words of its clause around it."""
    if sign == 0:
        return 0
    cuts = [0, *(cut.start() for cut in _CLAUSE.finditer(lower)), len(lower)]
    start = max(at for at in cuts if at <= match.start())
    end = min((at for at in cuts if at >= match.end()), default=len(lower))
    before, after = lower[start : match.start()], lower[match.end() : end]
    around = f"{before} \0 {after}"
    if (_UPHOLDS.search(around) and not _LOATHES.search(around)) or _INNER.search(before + match[0]):
        return 1 if sign > 0 else -1
    stopped = _STOPS.search(lower[: match.end()]) or _STOPS.search(after) or _ANEW.search(before)
    inside = _INNERMOST.search(match[0]) or (name in _WIDE and _INVERTS.search(match[0]))
    inverted = _INVERTS.search(around) or _TOO.search(before) or stopped or inside
    inverted = inverted or _INSTEAD.match(before)
    return 1 if (sign > 0) is not bool(inverted) else -1
