"""The manager's view: who did what in what time, how well, at what cost, what is stuck, who saw what."""
