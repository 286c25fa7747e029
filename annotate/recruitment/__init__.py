"""People of crowd platforms: links by which they come, their codes, and whom to approve."""
