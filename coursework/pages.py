"""The frame that the pages of feedback and the report have in common."""

import html

# Nothing runs in it, and nothing is fetched from elsewhere, unless a page says so.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid #ddd; }
pre { background: #f6f6f6; padding: .5rem .75rem; overflow-x: auto; }
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def page(title: str, body: str, *, style: str = "", policy: str = POLICY, head: str = "") -> str:
    """Return a page.

    Parameters
    ----------
    title : str
        Its title, as text.
    body, head : str
        HTML.
    style : str
        CSS behind that of all pages.
    policy : str
        What it may load and run.

    Returns
    -------
    str
    """
    return PAGE.format(
        title=html.escape(title), body=body, style=STYLE + style, policy=policy, head=head
    )
