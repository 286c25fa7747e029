"""A comparison behind a public link: frozen, listed, revoked."""
