"""Compare the output of a chapter with its stored output; the last digit of a number may differ.

Processors round differently. A number with a decimal point or an exponent may therefore differ by
one unit of the last digit that either text shows. Words and integers must be equal. White space
may differ, because a sign shifts a column. conftest.py uses this module in `make test`.
"""

import re
from decimal import Decimal

# Digits within a word, as in x2, 3d or 1.2.3, are part of the word.
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w|\.\d)")
INTEGER = re.compile(r"[-+]?\d+\.?")


def numbers_agree(found, stored):
    """Return True if two printed numbers differ by at most one unit of the last printed digit.

    NumPy prints a float with an integer value as 1.; this agrees with 0.999 but not with 2.
    """
    if found == stored:
        return True
    numbers = [text for text in (found, stored) if not INTEGER.fullmatch(text)]
    if not numbers or found.lstrip("+-").isdigit() or stored.lstrip("+-").isdigit():
        return False
    unit = Decimal(1).scaleb(min(Decimal(text).as_tuple().exponent for text in numbers))
    return abs(Decimal(found) - Decimal(stored)) <= unit


def texts_agree(found, stored):
    """Return True if two printed texts have the same words and agreeing numbers."""
    words = [" ".join(NUMBER.sub(" # ", text).split()) for text in (found, stored)]
    if words[0] != words[1]:
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(stored), strict=True)
    return all(numbers_agree(*pair) for pair in pairs)


def replace_agreeing_texts(found, stored):
    """Replace, in place, each output text that agrees with its stored text by the stored text.

    All differences that remain are larger than one unit of a last digit.
    """
    if len(found) != len(stored):
        return found
    for new, old in zip(found, stored, strict=True):
        for target, source in ((new, old), (new.get("data", {}), old.get("data", {}))):
            for key, text in source.items():
                both = isinstance(text, str) and isinstance(target.get(key), str)
                if both and texts_agree(target[key], text):
                    target[key] = text
    return found
