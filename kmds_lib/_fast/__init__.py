"""What is tuned for speed, behind the field's names."""
