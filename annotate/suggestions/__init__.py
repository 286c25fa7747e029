"""What a chosen run says of the units, shown to annotators before or after their own labels, and recorded with these."""
