"""Gold: how it stands, how it came about, and frozen versions of it."""
