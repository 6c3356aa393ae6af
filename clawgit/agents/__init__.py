"""The agents that tend memory: they propose, and never write."""
