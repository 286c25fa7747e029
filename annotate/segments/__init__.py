"""How a response is cut into segments, as long as nothing hangs on them."""
