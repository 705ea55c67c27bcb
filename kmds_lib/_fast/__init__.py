"""Code that is optimised for speed.

Of the modules outside this folder, it imports only `_types`, `_rounding` and `_messages`, which
import nothing above them.
"""
