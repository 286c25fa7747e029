"""The manager's view: amounts, time, quality and cost of each person's work, and stuck work."""
