"""Attacks on the whole site, as many as one asks for: `pytest tests/security --requests 60000`."""
