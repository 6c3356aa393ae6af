"""The OpenClaw of this machine."""
