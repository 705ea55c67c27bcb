"""Figures, sliders, explorers and checks for the chapters."""
