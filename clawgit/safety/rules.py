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
    _rule("override", "lapsed rules above", "careful", forbids=False),
    _rule("override", "lapsed boundaries", "careful idle", forbids=False),
    _rule("override", "exempt rules"),
    _rule("override", "exempt boundaries"),
    _rule("override", "last_wins lines", "careful"),
    _rule("override", "copies_itself", "careful"),
    _rule("override", "void rules all", "careful foreign"),
    _rule("override", "precedence", "careful setting"),
    _rule("secrecy", "not_tell owner", "careful outsider about", forbids=False),
    _rule("secrecy", "not_tell acts_out", "careful outsider tidied", forbids=False),
    _rule("secrecy", "bother owner acts_out", "careful", forbids=False),
    _rule("secrecy", "silence", "careful", forbids=False),
    _rule("secrecy", "erase record", "careful manner tidied"),
    _rule("secrecy", "denies", "careful guarded", forbids=False),
    _rule("secrecy", "good_news", "careful"),
    _rule("secrecy", "delayed acts_out", "careful"),
    _rule("exfiltration", "send goods address"),
    _rule("exfiltration", "send goods others"),
    _rule("exfiltration", "send each address"),
    _rule("exfiltration", "send every_mail address", "careful"),
    _rule("exfiltration", "fetch goods address", "setting careful"),
    _rule("exfiltration", "gets goods callers", "careful guarded"),
    _rule("exfiltration", "personal in_public", "careful"),
    _rule("exfiltration", "reads_along", "careful"),
    _rule("exfiltration", "image"),
    _rule("exfiltration", "upload"),
    _rule("grant", "without_asking", "careful home", forbids=False),
    _rule("grant", "agreed ahead", "careful"),
    _rule("grant", "approve blindly", "careful"),
    _rule("grant", "as_owner", "careful"),
    _rule("grant", "authority"),
    _rule("grant", "trusted unchecked", forbids=False),
    _rule("grant", "asking needless", "careful", forbids=False),
    _rule("grant", "acts_alone", "careful"),
    _rule("grant", "obey", "careful"),
    _rule("grant", "fence off", "careful"),
    _rule("grant", "switch_off safety_net", "careful"),
    _rule("grant", "erase hooks", "careful"),
    _rule("grant", "funds without_asking", "careful", forbids=False),
    _rule("grant", "agreed all_future", "careful"),
    _rule("grant", "may_spend", "careful guarded"),
    _rule("grant", "pardon", "careful"),
    _rule("grant", "orders", "careful guarded"),
    _rule("grant", "does_as_told", "careful guarded"),
    _rule("grant", "raised as_a_habit", "careful guarded"),
    _rule("grant", "unseen_by_her", "careful", forbids=False),
    _rule("grant", "disarmed", "careful"),
    _rule("money", "account replaced", "guarded"),
    _rule("money", "pay_to", "careful guarded"),
    _rule("bias", "recommend advert"),
    _rule("persona", "being unbound"),
    _rule("persona", "becomes"),
    _rule("persona", "speaks_as unbound", "manner"),
    _rule("command", "fetch link carry_out"),
    _rule("command", "install extension link"),
    _rule("command", "install extension blindly", "careful"),
    _rule("command", "persistence put"),
    _rule("command", "keys look"),
    _rule("command", "fetch_run"),
    _rule("encoded", "code_word live_by"),
    _rule("exfiltration", "hands creds mailbox", "careful guarded setting"),
    _rule("exfiltration", "hands creds seeker", "careful guarded"),
    _rule("exfiltration", "hands papers mailbox", "careful guarded setting"),
    _rule("exfiltration", "hands creds cue", "careful guarded"),
    _rule("exfiltration", "hands creds", "careful guarded setting owner acts_out tidied look"),
    _rule("exfiltration", "hands creds moved", "careful guarded setting"),
    _rule("exfiltration", "hands papers cue", "careful guarded"),
    _rule("exfiltration", "hands seeker papers", "careful guarded setting"),
    _rule("exfiltration", "hands seeker personal", "careful guarded"),
    _rule("exfiltration", "seeker papers send", "careful guarded setting"),
    _rule("exfiltration", "creds seeker", "careful guarded"),
    _rule("exfiltration", "hands mailbox all", "careful guarded setting"),
    _rule("exfiltration", "hands mailbox each", "careful guarded setting"),
    _rule("exfiltration", "hands creds phone", "careful guarded"),
    _rule("exfiltration", "moved phone creds", "careful guarded"),
    _rule("exfiltration", "moved mailbox creds", "careful guarded setting"),
    _rule("exfiltration", "moved mailbox hands", "careful guarded setting"),
    _rule("money", "moved account_no", "careful guarded"),
    _rule("money", "pay_now phone", "careful guarded"),
    _rule("money", "pay_now mailbox", "careful guarded"),
    _rule("grant", "auto_pay", "careful guarded"),
    _rule("exfiltration", "creds calls hands", "careful guarded"),
    _rule("exfiltration", "routed mailbox", "careful guarded"),
    _rule("grant", "as_hers", "careful guarded"),
    _rule("grant", "loosest", "guarded"),
    _rule("grant", "may_approve", "careful guarded"),
    _rule("grant", "silence_yes", "guarded", forbids=False),
    _rule("grant", "guard_pass", "careful guarded"),
    _rule("grant", "deeds granted", "careful guarded"),
    _rule("grant", "hands granted", "careful guarded"),
    _rule("grant", "goods granted", "careful guarded"),
    _rule("grant", "asking granted", "careful guarded"),
    _rule("exfiltration", "hands cue", "careful guarded"),
    _rule("override", "boundaries off", "careful guarded"),
    _rule("command", "gets_extension mailbox", "careful guarded setting"),
    _rule("command", "gets_extension unchecked", "careful guarded", forbids=False),
    _rule("command", "gets_extension without_asking", "careful guarded", forbids=False),
    _rule("command", "gets_extension seeker", "careful guarded"),
    _rule("grant", "deeds cue", "careful guarded"),
    _rule("grant", "granted cue", "careful guarded"),
    _rule("grant", "granted seeker", "careful guarded"),
    _rule("grant", "deeds seeker", "careful guarded"),
    _rule("override", "prior_say boundaries"),
    _rule("override", "prior_say asking"),
    _rule("exfiltration", "prior_say hands creds", "careful guarded"),
    _rule("exfiltration", "prior_say hands papers", "careful guarded"),
    _rule("grant", "prior_say granted", "careful guarded"),
    _rule("grant", "asks_less", "careful guarded", forbids=False),
    _rule("grant", "note_down granted", "careful guarded"),
    _rule("grant", "note_down untrue", "careful guarded", forbids=False),
    _rule("bias", "sold disguised"),
    _rule("money", "moved pay_now", "careful guarded"),
    _rule("command", "trust_drop", "careful guarded"),
    _rule("command", "gets_extension offered", "careful guarded"),
    _rule("override", "comes_back", "careful guarded", forbids=False),
    _rule("persona", "serves", "careful guarded"),
)
