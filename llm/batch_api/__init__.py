"""The Batch API of endpoints: requests in files, answered within a day at a lower price, in place of calls."""
