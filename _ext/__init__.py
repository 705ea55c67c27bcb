"""The extensions of Sphinx that build the pages."""
