"""Databases of earlier versions, and the tests that bring them to this one."""
