"""Verification samples: items drawn at random, rated blind one by one, and summed up (FELM appendix C)."""
