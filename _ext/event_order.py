"""The order in which the handlers of each event of Sphinx run: the smallest number comes first.

Handlers that are not listed here, and handlers of other packages, have Sphinx's default of 500.
"""

# config-inited: before the theme reads its options
SET_THEME_OPTIONS = 100

# doctree-read
SET_NODE_DOCUMENTS = 900

# doctree-resolved: `theorem_blocks` sets the titles, at 500; the portable notebooks and the search
# read them before changes that only suit HTML pages
WRITE_PORTABLE = 510
STORE_RECORDS = 550
LINK_BLOCKS = 600
FOLD_BLOCKS = 610
FOLD_CODE = 620
DROP_THEBE = 900

# html-page-context: after the theme has listed its buttons and scripts
ADD_CODE_BUTTON = 600
SET_BUTTONS = 900
SELECT_SCRIPTS = 900

# build-finished
WRITE_FONTS = 800  # after the formulas are written, whose characters count
WRITE_PREVIEWS = 950  # after all other changes to the written pages
