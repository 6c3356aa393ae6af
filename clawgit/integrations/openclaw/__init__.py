"""Connects a workspace with the OpenClaw of this machine."""
