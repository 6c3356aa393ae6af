"""The eight categories, and the words that call them."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

Category = Literal["explicit", "decision", "legal", "financial", "architecture", "people", "milestone", "strategy"]
STRONG, WEAK = 0.5, 0.35


class Kind(Struct, frozen=True):
    """A category: the file of its own (empty: the memory file), the tag of its entries, its words.

    `strong` words hardly mean anything else, `weak` ones may, and count for more where something is said of them; an
    `act` did not happen where it is denied, while a topic stays one.
    """

    file: str
    tag: str
    strong: str
    weak: str = "(?!)"
    act: bool = False


KINDS: Mapping[Category, Kind] = {
    "explicit": Kind(
        "",
        "knowledge",
        r"기억해|(?-i:\b(?:IMPORTANT|CRITICAL)\b)|★|\bremember (?:this|that)\b|记住|記住|牢记|【重要】"
        r"|重要[：:]|覚えておいて|覚えておくこと",
        act=True,
    ),
    "decision": Kind(
        "memory/decisions.md",
        "decision",
        r"결정|\bdecided\b|\bconfirmed\b|\bapproved\b|决定|決定|确定|敲定|批准|選定|決まった|決まりました|承認|확정|승인",
        act=True,
    ),
    "legal": Kind(
        "memory/legal.md",
        "knowledge",
        r"상표|\btrademarks?\b|\bpatent(?:s|ed)?\b|(?-i:\bT[oO]S\b)|\bterms of service\b|\bGDPR\b"
        r"|商标|专利|服务条款|商標|特許|利用規約|개인정보보호법|특허|이용약관",
    ),
    "financial": Kind(
        "memory/financial.md",
        "knowledge",
        r"\bpricing\b|(?-i:\bBEP\b)"
        r"|\brevenue\b|定价|毛利|营收|盈亏平衡|価格設定|粗利|売上|損益分岐|매출|가격 ?정책",
        r"[$₩€¥￥£] ?\d(?:[\d.,]*\d)?|\d[\d.,]* ?(?:[$₩€£]|円|元\b|万元|万円|만 ?원|억 ?원|원\b)|\bmargins?\b|价格|価格",
    ),
    "architecture": Kind(
        "memory/architecture.md",
        "knowledge",
        r"아키텍처|架构|アーキテクチャ|\barchitecture\b|スキーマ|스키마|技术栈|기술 ?스택",
        r"\bdesigns?\b|\bdesigned\b|\bschemas?\b|\bstack\b|设计|設計|설계",
    ),
    "people": Kind(
        "memory/people.md",
        "knowledge",
        r"변리사|\bmeeting results?\b|专利代理人|弁理士|会议结果|打ち合わせの結果|会議の結果|회의 ?결과",
        r"\bpartners?\b|\bclients?\b|合作伙伴|客户|取引先|顧客|고객사|파트너",
    ),
    "milestone": Kind(
        "memory/milestones.md",
        "event",
        r"출시|\blaunch(?:ed|es)?\b|\bshipped\b|\breleased\b|\bphase (?:\d+|[ivx]+)\b|上线|发布|リリース|公開しました|フェーズ ?\d|第[一二三四\d]+阶段",
        act=True,
    ),
    "strategy": Kind(
        "memory/roadmap.md",
        "knowledge",
        r"로드맵|\broad ?map\b|路线图|ロードマップ",
        r"\bvision\b|\bstrategy\b|\bstrategic\b|战略|策略|戦略|전략",
    ),
}
"""The triggers in English and Korean as the memory tiers document has them, and their like in other languages."""

LOOKALIKES = re.compile(
    r"(?<![^\W_])(?:\bstack (?:trace|overflow|frame|pointer)\w*|\b(?:call|full|tech support) stack\b(?= (?:trace|frame))"
    r"|\b(?:http|https|mail|e-?mail|api|rest|ssh|git|ftp|sql|db|redis|chat|web|desktop|thin|test|grpc|mqtt|vpn)"
    r" ?-?clients?\b|\bclient(?:-| )(?:side|library|id|secret|code|error|timeout|certificate)s?\b"
    r"|\b(?:computer|night|machine|peripheral|double|tunnel) vision\b|\bvision (?:model|api|test)s?\b"
    r"|\b(?:retry|merge|caching|cache|backoff|eviction|branching|rebase|sampling|locking) strategy\b"
    r"|\bmargins?(?:-\w+)?: ?-?\d|\b(?:left|right|top|bottom|page|outer|inner|css) margins?\b|\bmargin of error\b"
    r"|\bmargins? (?:of|on|around) the (?:page|box|div|image|text)\b|\bin the margins?\b"
    r"|\b(?:json|xml|yaml|graphql) schema (?:error|validation|file)s?\b|\bby design\b|\bdesign (?:patterns? book|tool)\b"
    r"|\breleased (?:the |a |its |her |his )?(?:lock|memory|mutex|handle|connection|buffer|semaphore|port)s?\b"
    r"|\b(?:package|parcel|order|shoes|books?|replacement|item)s?\b(?: \w+){0,4}? shipped\b"
    r"|\bshipped (?:the |my |a |an )?(?:parcel|package|order|shoes|return|replacement)\b"
    r"|\b(?:rocket|browser|terminal) launch\w*|\blaunch(?:ed|es)? (?:the |a |an )?(?:app|browser|terminal|editor|emulator|script|container|job|process|debugger|shell|server)\b"
    r"|\b(?:training|sparring|dance|tennis|gym|running|drinking) partners?\b|\bapproved? (?:the )?(?:pr|pull request|mr)\b"
    r"|\b(?:bug|issue|fix|error|crash|it|this)s? (?:is |was )?confirmed\b|\bconfirmed (?:the (?:bug|fix|error|crash)|working|green|that (?:it|the tests?|tests|ci) )"
    r"|\b(?:pr|pull request|mr)s?(?: #?\d+)? (?:was |is |got )?approved\b|\bnot that important\b"
    r"|★{2,}|\$\d\b(?!\d| |[.,]\d|/)(?=\w*[\"')}])|\bstacks? of\b|\bdesigner\b)"
    r"|设计师|设计稿|发布会|客户端|デザイナー|クライアント側|클라이언트|리눅스 클라이언트|결정적(?:으로)?|결정론|確定申告|决定性|発表会",
    re.IGNORECASE,
)
"""What holds a trigger and speaks of something else."""


@cache
def pattern(category: Category, *, strong: bool) -> re.Pattern[str]:
    """Return what finds the strong or the weak words of a category."""
    kind = KINDS[category]
    return re.compile(kind.strong if strong else kind.weak, re.IGNORECASE)
