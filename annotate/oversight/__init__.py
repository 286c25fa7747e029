"""The manager's view: who did how much in what time, how well and at what cost, and what is stuck."""
