"""Turns answers of a search into JSON in OpenClaw's names."""

from collections.abc import Mapping, Sequence

from clawgit.search.answer import Answer, Hit


def document(found: Sequence[tuple[str, Answer]], *, several: bool) -> Mapping[str, object]:
    """Return answers as OpenClaw names them; those of several agents as one, the best first."""
    first = found[0][1] if found else None
    rows = [_hit(one, name if several else "") for name, answer in found for one in answer.results]
    if several:
        rows.sort(key=lambda row: -float(str(row["score"])))
    degraded = "; ".join(dict.fromkeys(answer.degraded for _, answer in found if answer.degraded))
    repaired = {word: list(meant) for _, answer in found for word, meant in answer.repaired.items()}
    notes = list(dict.fromkeys(note for _, answer in found for note in answer.notes))
    return {
        "results": rows,
        "provider": first.provider if first else "clawgit",
        "model": first.model if first else None,
        "mode": first.mode if first else "core",
        "degraded": degraded or None,
        "commit": first.commit if first and not several else None,
        **({"repaired": repaired} if repaired else {}),
        **({"notes": notes} if notes else {}),
    }


def _hit(one: Hit, agent: str) -> dict[str, object]:
    return {
        "path": one.path,
        "startLine": one.start,
        "endLine": one.end,
        "score": one.score,
        "snippet": one.snippet,
        "source": one.source,
        "citation": one.citation,
        "tier": one.tier,
        "commit": one.commit,
        "date": one.day.isoformat() if one.day else None,
        "stale": one.stale,
        **({"agent": agent} if agent else {}),
        **({"explain": dict(one.explain)} if one.explain else {}),
    }
