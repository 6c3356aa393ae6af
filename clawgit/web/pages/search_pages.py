"""The pages that look something up."""

from clawgit.web.web_site import Look, Shown

_MESSAGES = 400


def search(look: Look) -> Shown:
    """Return what is found, with the reasons, and the story of the topic; nothing of it is noted as a recall."""
    words = look.get("q")
    if not words.strip():
        return Shown("Search", {})
    options = {"as_of": look.get("as_of"), "deleted": bool(look.get("deleted")), "category": look.get("category")}
    found = look.ask(
        "memory search",
        words,
        **options,
        since=look.get("since"),
        until=look.get("until"),
        explain=True,
        top=20,
        min_score="0" if look.get("all") else None,
    )
    parts = {"search": found}
    if look.get("story"):
        parts["story"] = look.slow("memory story", words)
    return Shown("Search", parts)


def context(look: Look) -> Shown:
    """Return what an agent is given for a conversation, slot by slot, and what OpenClaw itself cuts."""
    parts = {"check": look.ask("context", check=True)}
    text, session = look.get("text"), look.get("session")
    if text or session:
        parts["context"] = look.slow(
            "context", text or "", session=session, as_of=look.get("as_of"), budget=look.get("budget")
        )
    return Shown("Context", parts)


def conversation(look: Look) -> Shown:
    """Return one conversation as it is kept, or the list of them."""
    wanted = look.get("id")
    if not wanted:
        return Shown("Conversations", {"sessions": look.ask("session list")}, {"messages": [], "left": 0})
    found = look.ask("session show", wanted)
    messages = found.record.get("messages", [])
    more = {"messages": messages[-_MESSAGES:], "left": max(0, len(messages) - _MESSAGES)}
    return Shown("A conversation", {"session": found}, more)
