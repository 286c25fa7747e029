"""Webhooks: events are recorded as deliveries, and a worker sends them, signed."""
