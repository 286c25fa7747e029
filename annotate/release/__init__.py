"""Versions of gold and their releases: the page of gold, and archives made of it."""
