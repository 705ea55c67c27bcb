"""Sentences of Chapter 5 about drawn data, tried on seeds not looked at before."""

from tests.trials.conftest import sentences


def points_at_the_largest_outlier(removed):
    def holds(chapter, seed):
        return chapter["outlier_cosines"](seed)[removed] > 0.9

    return holds


test_sentence_holds_on_fresh_seeds = sentences(
    ("Axis 1 mostly points at the largest.", points_at_the_largest_outlier(0), 0.85),
    ("After its removal at the next one.", points_at_the_largest_outlier(1), 0.75),
)
