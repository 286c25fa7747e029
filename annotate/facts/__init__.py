"""Atomic facts: proposals by a model, and the page on which people write and revise them."""
