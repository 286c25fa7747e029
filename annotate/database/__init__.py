"""Statements written once, beside the ORM, for what annotators wait for at each step."""
