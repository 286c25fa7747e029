"""Proposals of a model for people: atomic facts and segments, asked for in leased rows."""
