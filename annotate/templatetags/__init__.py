"""Template tags and filters: amounts, chapters, figures and prose."""
