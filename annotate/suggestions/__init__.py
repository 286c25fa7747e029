"""What a chosen run says of the units, shown before or after annotators' own labels, and recorded with these."""
