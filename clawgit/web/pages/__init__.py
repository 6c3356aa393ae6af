"""What each page asks, and what it draws."""
