"""Git-backed memory and identity for OpenClaw agents."""

__version__ = "0.1.0"
