"""The wording of the method."""
