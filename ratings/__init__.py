"""Ratings of people, one item at a time: a sample is drawn, rated blind, settled and reported (docs/ratings.md)."""
