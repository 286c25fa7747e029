"""Tokens: made, listed and revoked on one's account, and read from requests."""
