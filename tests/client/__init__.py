"""The Python client against a whole Touchstone, over real HTTP."""
