"""Log-in by an identity provider."""
