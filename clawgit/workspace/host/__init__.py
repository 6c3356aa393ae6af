"""What is known of the OpenClaw of this machine."""
