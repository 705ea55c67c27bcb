"""Code that is optimised for speed."""
