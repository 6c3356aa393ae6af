"""Up to how many tokens a conversation may grow."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from clawgit.errors import Advice, option_missing

SYSTEM_PROMPT = "This conversation is about to be compacted. Save what must outlast it now; nobody reads this turn."
PROMPT = (
    "Before the conversation is compacted, append to {path} what should still be known next week: decisions, facts, "
    "open tasks. Rewrite nothing, and touch no other file. If there is nothing to save, answer NO_REPLY."
)
"""What OpenClaw's agent may be told before a compaction, where `flush_prompt` says nothing; {path} is the journal."""


class Limits(Struct, frozen=True):
    """Tokens: what the model takes in all, what stays free for its answer, and how long before that memory is saved.

    The defaults are those of OpenClaw (spec A6).
    """

    window: int = 200_000
    reserve: int = 20_000
    soft: int = 4_000

    def __post_init__(self) -> None:
        """Refuse limits that leave no room. Raises UsageError."""
        if self.flush_at <= 0:
            words = f"a window of {self.window:,} tokens has no room beside {self.reserve + self.soft:,} that stay free"
            raise option_missing(words, fix=Advice("clawgit session plan FILE --window 200000"))

    @property
    def compact_at(self) -> int:
        """Tokens from which on a conversation is compacted."""
        return self.window - self.reserve

    @property
    def flush_at(self) -> int:
        """Tokens from which on memory is saved first."""
        return self.compact_at - self.soft


def of_config(value: Callable[[str], Any], window: int | None = None) -> Limits:
    """Return the limits that keys of CONFIG.md give; `window` goes before. Raises UsageError as Limits does."""
    reserve, soft = int(value("reserve_tokens_floor")), int(value("soft_threshold_tokens"))
    return Limits(window or int(value("context_window_tokens")), reserve, soft)


def flush_prompts(value: Callable[[str], Any], journal: str) -> dict[str, str]:
    """Return what an agent is told before a compaction, as CONFIG.md has it; `journal` is the path to write to."""
    prompt = str(value("flush_prompt") or PROMPT).replace("{path}", journal)
    return {"system_prompt": str(value("flush_system_prompt") or SYSTEM_PROMPT), "prompt": prompt}
