"""The Sphinx extensions that build the pages."""
