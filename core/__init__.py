"""What every room needs and no domain knows: JSON lines, form fields, numbers."""
