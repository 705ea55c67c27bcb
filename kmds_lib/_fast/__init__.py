"""Code that is optimised for speed.

Of the library's other modules, it imports only `_types`, `_rounding` and `_messages`.
"""
