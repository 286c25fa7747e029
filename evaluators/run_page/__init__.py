"""The page of a run: its figures, its responses with their verdicts, and what to do with it."""
