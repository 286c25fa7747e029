"""Template tags and filters: charts, combinations and comparison."""
