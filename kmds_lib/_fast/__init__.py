"""Code that is tuned for speed."""
