"""The prompt of a reading, the answer, and its checks."""
