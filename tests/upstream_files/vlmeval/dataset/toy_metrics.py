"""Scores of one's own, beside the data sets that use them."""
from ..smp import splitlen, listinstr


def same_colour(prediction: str, reference: str) -> float:
    """1 where the last word is the reference, else 0."""
    words = prediction.lower().strip().rstrip('.').split()
    return float(bool(words) and words[-1] == reference.lower())


def same_letters(prediction: str, reference: str) -> float:
    """Share of the reference's letters that occur in the prediction."""
    letters = set(reference.lower())
    return len(letters & set(prediction.lower())) / len(letters)
