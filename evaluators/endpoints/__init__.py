"""The pages of endpoints: addresses, limits, prices and probes."""
