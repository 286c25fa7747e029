"""Scores and thresholds: curves, calibration, and thresholds chosen by cross-validation."""
