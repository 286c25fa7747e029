"""Template tags and filters: charts, figures and prices."""
