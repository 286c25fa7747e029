"""Facts that a run generates before it judges them."""
