"""Boards on which outside teams are scored by gold that they never see."""
