"""Helpers of all rooms, without knowledge of a domain: JSON lines, form fields, numbers."""
