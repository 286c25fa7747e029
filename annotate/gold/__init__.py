"""Gold: read as it stands or stood, how it came about, and frozen versions of it."""
