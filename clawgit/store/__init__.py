"""Keeps what is known of every line of memory."""
