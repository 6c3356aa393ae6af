"""Operations on entries of memory."""
