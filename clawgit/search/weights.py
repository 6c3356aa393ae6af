"""How much vectors count beside words."""


def share(said: str) -> float:
    """Return the share of the vectors that `search_weights` gives them: `0.3/0.7`, or `3/7`."""
    vectors, words = map(float, said.split("/"))
    return vectors / (vectors + words)
