"""The third stage of a build: filters for contradiction and fluency (FACTOR §3.2.3)."""
