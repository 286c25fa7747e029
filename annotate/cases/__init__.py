"""Addresses that wait for gold, and tasks that close once none is left."""
