"""Proposals of segments and atomic facts by a model, and the pages for starting and correcting them."""
