"""Leased work in rows of the database: what all kinds of it share."""
