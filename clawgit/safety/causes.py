"""What meanings speak for, and how much each weighs."""

from __future__ import annotations

from clawgit.safety.phrases import Kind

CAUSES: dict[str, str] = {
    "hush": (
        "between need_not_know muted unmentioned called_off no_record kept_off silence not_tell delayed left_out denies"
        " good_news covered_up afterwards spared withheld tucked in_the_dark erase unwelcome bother"
    ),
    "sway": (
        "beside_hers stands_in torn runs_orders outsiders_orders heeded new_master newcomer_wants complies over_lines"
        " party serves seeker stranger callers does_as_told orders new_owner as_hers obey foreign_orders"
    ),
    "free": (
        "without_asking asks_less granted prior_say silence_yes presumed may_approve carte_blanche"
        " waved_through unquestioned by_itself mine_to sees_to acts_alone at_once guard_pass cautions shrugged loosest"
        " unchecked needless"
    ),
    "self": (
        "ousted stays_on own_affair bends copies_itself comes_back unbound becomes not_its_own needs_me"
        " exempt lapsed precedence"
    ),
    "flat": "praise praised flaw bent_truth recommend advert slant sold touted disguised",
    "balm": "soothing excused minimised",
    "gone": "vanishes switch_off off",
    "cue": "cue trigger_word first_thing startup",
    "mishap": "mishap",
    "run": "install deeds runs raised carry_out gets_extension",
    "all": "everything regularly as_a_habit",
    "safe": "truth openly guarded careful hers_again with_her about",
}
CAUSE_OF = {name: cause for cause, names in CAUSES.items() for name in names.split()}
WEIGHTS: dict[str, float] = {
    "": -0.5,  # of a line of which nothing is known
    "cue": 2.1,
    "mishap": 1.6,
    "self": 1.6,
    "balm": 0.9,
    "run": 1.1,
    "sway": 1.0,
    "hush": 0.9,
    "all": 0.9,
    "free": 0.7,
    "unasked": 0.3,
    "flat": 0.4,
    "gone": 0.2,
    "bound": -0.9,
    "safe": -1.0,
    "style": -1.2,
}
HEAVY = 1.6
KINDS: dict[str, Kind] = {
    "hush": "secrecy",
    "gone": "secrecy",
    "mishap": "secrecy",
    "self": "override",
    "flat": "bias",
    "run": "command",
    "cue": "command",
    "sway": "grant",
    "free": "grant",
    "balm": "grant",
    "all": "grant",
}
