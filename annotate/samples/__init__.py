"""Samples drawn to verify a data set: rated one by one, blind, then summed up (FELM appendix C)."""
