"""How the operator wants the agent to behave."""
