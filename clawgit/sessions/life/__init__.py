"""When a conversation is pruned, compacted, flushed, handed over, reset."""
