"""Searches of the web for runs: asked once, frozen, and their pages read through the guard of fetching."""
