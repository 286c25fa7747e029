"""The leaderboard of a dataset: its rows, out of the report, and its page."""
