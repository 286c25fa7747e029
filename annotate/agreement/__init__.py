"""Agreement between annotators: coefficients with intervals, over slices, pairs, time and rebuttal."""
