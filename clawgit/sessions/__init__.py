"""Conversations of OpenClaw: read, cleaned, kept."""
