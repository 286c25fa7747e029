"""Scores and thresholds: curves, calibration, thresholds chosen by cross-validation, and promises on the errors that
are passed."""
