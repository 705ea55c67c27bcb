"""What the chapters draw and check with: figures, sliders, explorers, checks in one line."""
