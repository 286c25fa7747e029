"""The members of a dataset, its settings, and its guidelines."""
