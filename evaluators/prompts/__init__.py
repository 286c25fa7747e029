"""The pages of prompt sets."""
