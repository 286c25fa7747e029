"""Cited links: checks, frozen snapshots of pages, and quotes from them."""
