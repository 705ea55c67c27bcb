"""Compare what a chapter prints with what is stored: words exactly, numbers to their last digit.

Processors round differently, so that the last printed digit of a number may turn. A number with a
point or an exponent may therefore differ by one unit of the last digit that either text shows.
Words and whole numbers may not differ; white space may, because a sign moves a column.
"""

import re
from decimal import Decimal

# What stands in a word, as in x2, 3d or 1.2.3, is part of the word.
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w|\.\d)")
WHOLE = re.compile(r"[-+]?\d+\.?")


def numbers_agree(found, stored):
    """Tell whether two printed numbers are equal up to one unit of the last digit shown.

    NumPy writes 1. for a float that is whole: such a number agrees with 0.999, and with 2. not.
    """
    if found == stored:
        return True
    numbers = [text for text in (found, stored) if not WHOLE.fullmatch(text)]
    if not numbers or found.lstrip("+-").isdigit() or stored.lstrip("+-").isdigit():
        return False
    unit = Decimal(1).scaleb(min(Decimal(text).as_tuple().exponent for text in numbers))
    return abs(Decimal(found) - Decimal(stored)) <= unit


def texts_agree(found, stored):
    """Tell whether two printed texts say the same."""
    words = [" ".join(NUMBER.sub(" # ", text).split()) for text in (found, stored)]
    if words[0] != words[1]:
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(stored), strict=True)
    return all(numbers_agree(*pair) for pair in pairs)


def as_stored(found, stored):
    """Return the outputs of a cell, in place, with the stored text for each that agrees with it.

    What is left of a difference is more than a last digit.
    """
    if len(found) != len(stored):
        return found
    for new, old in zip(found, stored, strict=True):
        for holder, kept in ((new, old), (new.get("data", {}), old.get("data", {}))):
            for key, text in kept.items():
                both = isinstance(text, str) and isinstance(holder.get(key), str)
                if both and texts_agree(holder[key], text):
                    holder[key] = text
    return found
