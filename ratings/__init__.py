"""Whatever people rate one by one: a sample is drawn, rated blind, settled and reported (docs/ratings.md)."""
