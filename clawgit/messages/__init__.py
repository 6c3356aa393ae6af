"""Tells at once what a message is a sign of."""
