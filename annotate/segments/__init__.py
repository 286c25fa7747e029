"""Segments of a response, which can be cut anew as long as nothing depends on them."""
