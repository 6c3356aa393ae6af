"""The English patterns, word for word those of spec §7."""

from clawgit.triage.pattern import table

PATTERNS = (
    *table(
        "memory",
        r"remember (that|this|when)",
        r"don't forget",
        r"important:",
        r"decision:",
        r"we agreed",
        r"the plan is",
        r"note to self",
        whole=True,
    ),
    *table(
        "recall",
        r"i (already|just) told you",
        r"we (talked|discussed|went over) (about |this)",
        r"you forgot",
        r"remember when i said",
        r"i mentioned (this|that|it) (before|earlier|already|yesterday|last)",
        r"no,? (i said|it's|it was|my)",
        r"how many times",
        r"don't you remember",
        whole=True,
    ),
    *table(
        "correction",
        r"actually,? (it's|it was|the|I|we|that)",
        r"no,? (it's|that's|the) ",
        r"i (changed|switched|moved|updated|stopped|started) ",
        r"that's (not right|wrong|outdated|old)",
        r"it's .{1,30} now",
        whole=True,
    ),
)
"""In the order of the spec; a match begins where a word begins, so that a casino is no contradiction."""
