"""Segments and atomic facts as a model proposes them, and the pages on which people start that and correct them."""
