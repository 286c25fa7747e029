"""The adjudicator's pages of a dataset: its members, its guidelines, its settings."""
