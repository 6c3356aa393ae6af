"""How the operator wants the agent to behave."""

SPOKEN = ("en", "de", "es", "fr", "zh", "ja", "ko")
"""The languages in which lessons of conduct are heard."""
