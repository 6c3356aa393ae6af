"""The memory compactor and the decay engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import Struct, ValidationError, convert, field
from msgspec.structs import replace

from clawgit import clock, file_roles
from clawgit.agents.running import Agent, Progress, View
from clawgit.errors import ClawgitError
from clawgit.llm import asking, model
from clawgit.llm.asking import Speaker
from clawgit.llm.model import ModelError
from clawgit.memory import compact, expiry, promote
from clawgit.memory.compact import CompactionPlan, Journal, Run, Told
from clawgit.memory.expiry import COMPACTOR, DECAY_ENGINE
from clawgit.memory.promote import Found, Wanted
from clawgit.reading import judge, prompt
from clawgit.reading.judge import Claim, Judged, Pair
from clawgit.safety import hidden_text, secrets
from clawgit.text.edit import bullet
from clawgit.text.tokens import count
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.memory_lines import list_lines
from clawgit.workspace.workspace import Workspace

NAME = COMPACTOR
ENABLE = "clawgit config compaction chronicle"
_ANSWER_TOKENS, _MAX_SENTENCES, MAX_SENTENCE_CHARS = 6_000, 200, 480
NARRATION_RULES = f"""\
You read the journals of some days. Sum up each day in a few sentences: what happened, what was decided and learnt.
Answer with one JSON object and nothing else: {{"days": [{{"day": 1, "sentences": ["…"]}}]}}
"day" is the number of a journal. Each sentence is understood alone, has at most {MAX_SENTENCE_CHARS} characters, is in
the language of the journal, and says nothing that the journal does not say."""


class MemoryCompactor(Agent):
    """Moves old journals and corrections into archives, and tidies the memory file (spec P5).

    `applying`: its proposals will be written. `eligible` are the journals that were looked at.
    """

    name = NAME
    plan: CompactionPlan
    narrator: "Narrator | None" = None
    applying: bool = True
    eligible: list[Journal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.speaker = self.narrator.speaker if self.narrator else None

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield the changes, one for each archive, then those of the memory file and of the corrections."""
        plan = self.plan
        if not plan.enabled:
            self.notes.append(f"compaction is off; to have it done: {ENABLE}")
            if self.applying:
                yield Progress(skipped={"compaction is off": 1})
                return
        if plan.remove or plan.tend:
            self._check_clock(view)
        run = Run(view, plan, now.date(), expiry.read_removals(view.workspace), self.narrator or (lambda _: {}))
        self.eligible = compact.list_journals(run)
        changes = compact.list_archive_changes(run, self.eligible)
        is_asked = plan.ask and compact.is_first_run(view)
        yield from self._ask(view, list(changes)) if is_asked else changes
        departures = expiry.list_departures(view, expiry.find_leaving, now, NAME, run.skipped) if plan.tend else ()
        yield from (change for change in departures if change.held or not is_asked)
        if plan.tend and not is_asked and expiry.is_writable(view, file_roles.CORRECTIONS, run.skipped):
            yield from filter(None, [compact.archive_corrections(run)])
        self.notes += self.narrator.notes if self.narrator else ()
        yield Progress(len(self.eligible), run.skipped)

    def _check_clock(self, view: View) -> None:
        """Raise ClawgitError if the clock may be wrong: young journals would be old. A preview only notes it."""
        try:
            clock.require_sound_clock(view.workspace.repo, view.workspace.clock())
        except ClawgitError as exc:
            if self.applying:
                raise
            self.notes.append(f"{exc.message}: {exc.fix}")

    def _ask(self, view: View, changes: Sequence[Change]) -> Iterator[Change]:
        """Yield the first run in an adopted workspace as one item of the inbox."""
        items = [item for item in view.workspace.store.read_items("open", "rejected") if item.agent == NAME]
        if items:
            decided = "waits in the inbox" if items[-1].state == "open" else "was rejected"
            self.notes.append(f"the first compaction {decided}; to have it done: {ENABLE}")
        elif changes:
            edits = tuple(edit for change in changes for edit in change.edits)
            journals, archives = len(edits) - len(changes), len(changes)
            names = f"{journals} journal{'s' * (journals > 1)} to {archives} archive{'s' * (archives > 1)}"
            subject = f"memory: {names}, the first compaction"
            reason = "\n".join(change.why for change in changes)
            yield replace(changes[0], subject=subject, why=reason, edits=edits, held=True)


class DecayEngine(Agent):
    """Takes events that are over out of the memory file (seed 3); while the clock may be wrong nothing leaves."""

    name = DECAY_ENGINE

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield a change for lines of clawgit's, and an item for a few of others."""
        clock.require_sound_clock(view.workspace.repo, view.workspace.clock())
        skipped = Counter[str]()
        yield from expiry.list_departures(view, expiry.find_expired, now, DECAY_ENGINE, skipped)
        yield Progress(len(list_lines(view.workspace, paths=(view.workspace.memory_file,))), skipped)


class Promoter(Agent):
    """Moves what is `wanted` of the journals to core memory (memory tiers: promotion); `found` is what they held."""

    name = NAME
    wanted: Wanted
    found: Found = field(default_factory=Found)

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield one change."""
        self.found = promote.gather(view.workspace, self.wanted, now)
        yield from filter(None, [promote.build_change(view.workspace, self.found.candidates)])
        yield Progress(self.found.read)


def make_narrator(workspace: Workspace, speaker: Speaker | None) -> "Narrator | None":
    """Return the narrator of a model, None without one."""
    return Narrator(speaker, prompt.BATCH_TOKENS, prompt.read_role(workspace, NAME)[0]) if speaker else None


class Narrator:
    """Has a model sum up days; a sentence lands if the judge finds it in the journal of its day."""

    def __init__(self, speaker: Speaker, tokens: int, role: str = "") -> None:
        self.speaker, self._rules = speaker, f"{role.strip()}\n\n{NARRATION_RULES}".lstrip()
        self._room = tokens - count(self._rules)
        self.notes: list[str] = []

    def __call__(self, journals: Sequence[Journal]) -> Told:
        """Return the sentences for each day, as bullets, by path; a journal that is too large has none."""
        summaries: dict[str, str] = {}
        batches: list[list[Journal]] = [[]]
        left = self._room
        for journal in (item for item in journals if count(item.words) <= self._room):
            size = count(journal.words)
            if size > left:
                batches.append([])
                left = self._room
            batches[-1].append(journal)
            left -= size
        try:
            for batch in filter(None, batches):
                summaries |= self._tell(batch)
        except ModelError as exc:  # the next batch would probably fail, too
            self.notes.append(f"the model gave no answer, and days have no summary: {exc.message}")
        return summaries

    def _tell(self, batch: Sequence[Journal]) -> Told:
        parts = (f"== {number}, {journal.day}\n{journal.words}" for number, journal in enumerate(batch, 1))
        answer = self.speaker.answer(self._rules, model.fenced("\n\n".join(parts)), _ANSWER_TOKENS)
        sentences = list(_parse_sentences(answer, batch))
        pairs = [(item, Pair(text, f'({item.day}) "{fold_spaces(item.words)}"')) for item, text in sentences]
        # A sentence is one line without secrets or hidden text.
        fit = [(journal, pair) for journal, pair in pairs if _is_fit(pair.text)]
        claims = [Claim(pair) for _, pair in fit]
        judgement = judge.judge(claims, (), self.speaker.answer, batch[0].path) if fit else Judged({})
        bullets: dict[str, list[str]] = {}
        for journal, pair in fit:
            if judgement.reliable and judgement.degrees.get(pair) == "wholly":
                bullets.setdefault(journal.path, []).append(bullet(pair.text))
        if refusals := len(sentences) - sum(map(len, bullets.values())):
            self.notes.append(f"{refusals} sentence{'' if refusals == 1 else 's'} of the model did not pass")
        return {path: "\n".join(rows) for path, rows in bullets.items()}


def _is_fit(text: str) -> bool:
    is_line = any(map(str.isalnum, text)) and len(text) <= MAX_SENTENCE_CHARS and "\n" not in text
    return is_line and not secrets.find_secrets(text) and not hidden_text.find_hidden_text(text)


class _Day(Struct):
    day: int
    sentences: list[str]


class _Answer(Struct):
    days: list[_Day]


def _parse_sentences(answer: str, batch: Sequence[Journal]) -> Iterator[tuple[Journal, str]]:
    """Yield the sentences of an answer, each with its journal; other forms are skipped."""
    for value in asking.values(answer):
        with suppress(ValidationError):
            for day in convert(value, _Answer).days[:_MAX_SENTENCES]:
                if 1 <= day.day <= len(batch):
                    yield from ((batch[day.day - 1], text.strip()) for text in day.sentences)
