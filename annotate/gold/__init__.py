"""Gold: its current state, its history, its figures, and frozen versions of it."""
