"""Log-in by the lab's own identity provider (OpenID Connect), for people who were invited or have connected it."""
