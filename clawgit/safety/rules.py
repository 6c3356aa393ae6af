"""Meanings that are suspicious where one sentence joins them."""

from __future__ import annotations

from dataclasses import dataclass

from clawgit.safety.phrases import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that holds all of `joins` and none of `unless` is of `kind`.

    `forbids` says that a negation before the first of `joins` turns it round. `soul` says that it holds only where the
    agent speaks of itself.
    """

    kind: Kind
    joins: tuple[str, ...]
    unless: tuple[str, ...] = ()
    forbids: bool = True
    soul: bool = False


def _rule(kind: Kind, joins: str, unless: str = "", *, forbids: bool = True, soul: bool = False) -> Rule:
    return Rule(kind, tuple(joins.split()), tuple(unless.split()), forbids, soul)


RULES = (
    _rule("override", "void rules above", "careful"),
    _rule("override", "void above all", "careful"),
    _rule("override", "void boundaries", "careful idle"),
    _rule("override", "void rules all", "careful foreign"),
    _rule("secrecy", "not_tell owner", "careful outsider about", forbids=False),
    _rule("secrecy", "not_tell acts_out", "careful outsider tidied", forbids=False),
    _rule("secrecy", "bother owner acts_out", "careful", forbids=False),
    _rule("secrecy", "silence", "careful", forbids=False),
    _rule("exfiltration", "send goods address"),
    _rule("exfiltration", "send goods others"),
    _rule("exfiltration", "fetch goods address", "setting careful"),
    _rule("exfiltration", "upload"),
    _rule("grant", "without_asking", "careful home", forbids=False),
    _rule("grant", "approve blindly", "careful"),
    _rule("grant", "authority"),
    _rule("grant", "acts_alone", "careful"),
    _rule("grant", "disarmed", "careful"),
    _rule("bias", "recommend advert"),
    _rule("persona", "being unbound"),
    _rule("command", "fetch link carry_out"),
    _rule("command", "install extension link"),
    _rule("command", "persistence put"),
    _rule("command", "fetch_run"),
    _rule("encoded", "code_word live_by"),
    _rule("exfiltration", "hands papers mailbox", "careful guarded setting"),
    _rule("exfiltration", "hands creds", "careful guarded setting owner acts_out tidied look"),
    _rule("exfiltration", "creds seeker", "careful guarded"),
    _rule("exfiltration", "hands mailbox each", "careful guarded setting"),
    _rule("exfiltration", "moved phone creds", "careful guarded"),
    _rule("money", "moved account_no", "careful guarded"),
    _rule("grant", "deeds granted", "careful guarded"),
    _rule("exfiltration", "hands cue", "careful guarded"),
    _rule("override", "boundaries off", "careful guarded"),
    _rule("grant", "deeds cue", "careful guarded"),
    _rule("grant", "granted seeker", "careful guarded"),
    _rule("grant", "deeds seeker", "careful guarded"),
    _rule("override", "prior_say boundaries"),
    _rule("exfiltration", "prior_say hands papers", "careful guarded"),
    _rule("grant", "asks_less", "careful guarded", forbids=False),
    _rule("command", "trust_drop", "careful guarded"),
    _rule("persona", "serves", "careful guarded"),
)
