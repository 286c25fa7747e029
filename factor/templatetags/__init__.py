"""Template filters for scores."""
