"""Text utilities (section 9.2, with what section 15 adds)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

Lemmas = Callable[[str], Collection[str]]
BaseForm = Callable[[str], str]


def listed(words: str) -> list[str]:
    """The words of a table."""
    return words.split()


PUNCTUATION = ';/[]{}()"=+\\_-<>@`,?!'
ARTICLES = ("a", "an", "the")
DIGITS = {
    "none": "0",
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}
NUMBER_WORDS = listed(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
    """
)

# The map of the VQA benchmark in short: a word of it is one of these spellings with exactly
# one apostrophe left out. Its words with a capital I cannot be met in lower-cased text.
SPELLINGS = listed(
    """
    ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've hasn't
    haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am mightn't
    mightn't've might've mustn't must've needn't not've o'clock oughtn't 'ow's'at shan't
    she'd've should've shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd
    someone'd've someone'll someone's something'd something'd've something'll that's there'd
    there'd've there're there's they'd they'd've they'll they're they've 'twas wasn't we'd've
    we've weren't what'll what're what's what've when's where'd where's where've who'd who'd've
    who'll who's who've why'll why're why's won't would've wouldn't wouldn't've y'all y'all'll
    y'all'd've you'd you'd've you'll you're you've
    """
)


def contraction_map() -> dict[str, str]:
    """9.2: the standard contraction map, from a word without an apostrophe to one with it."""
    contractions = {}
    for spelling in SPELLINGS:
        for place, letter in enumerate(spelling):
            if letter == "'":
                contractions[spelling[:place] + spelling[place + 1 :]] = spelling
    # One entry of the benchmark's map runs the other way.
    contractions["somebody'd"] = "somebodyd"
    return contractions


CONTRACTIONS = contraction_map()

# Open: only these examples of the synonym map are in the reference.
SYNONYMS = {
    "man": "person",
    "ship": "boat",
    "puppy": "dog",
    "calf": "cow",
    "bike": "bicycle",
    "pony": "horse",
}


def normalise(text: str) -> str:
    """9.2, VQA normaliser."""
    # Open: only newline and tab become spaces; a carriage return is left to the word split.
    text = text.replace("\n", " ").replace("\t", " ").strip()
    # Open: "the input" is the stripped text. The VQA benchmark's own rule for commas between
    # digits (then every mark is removed) is not in the reference and so not here.
    cleaned = text
    for mark in PUNCTUATION:
        beside_space = mark + " " in text or " " + mark in text
        cleaned = cleaned.replace(mark, "" if beside_space else " ")
    cleaned = re.sub(r"\.(?!\d)", "", cleaned, count=32)
    # Open: words are split at any white space and joined by one space.
    words = [DIGITS.get(word, word) for word in cleaned.lower().split()]
    words = [word for word in words if word not in ARTICLES]
    return " ".join(CONTRACTIONS.get(word, word) for word in words)


def same_word(word: str) -> str:
    """The base form of a word that has no other."""
    return word


def classification_acc(
    gt: str,
    pred: str,
    lemmas: Lemmas,
    base_form: BaseForm = same_word,
    synonyms: Mapping[str, str] = SYNONYMS,
) -> bool:
    """9.2: `lemmas` gives the lemma names of all synsets of a word, whatever part of speech.

    `base_form` is the noun lemmatiser. Case and punctuation are kept (D15): a label without a
    synset has no lemma and never matches.
    """
    words = pred.split(" ")
    # Open: the map is read with the words as they stand, before they are lemmatised.
    words = words + [synonyms[word] for word in words if word in synonyms]
    words = [base_form(word) for word in words]
    return any(lemma in words for lemma in lemmas(gt))


def quoted_sentence(text: str) -> str:
    """9.2, parse_caption_sentence: what stands between neighbouring quote characters (D58)."""
    # Open: segments are not stripped, empty ones count, and a segment may run over a line break.
    pieces = re.split("['\"]", text)
    segments = pieces[1:-1]
    return ". ".join(segments) if segments else text


def first_number(text: str) -> int:
    """9.2, ennum2numerical, with 15: lower-cased first, `no` is 0, nothing found is 0."""
    for token in text.lower().split():
        # Open: digits of any script count, as far as Python makes a number of them.
        if token.isdecimal():
            return int(token)
        if token == "no":
            return 0
        if token in NUMBER_WORDS:
            return NUMBER_WORDS.index(token)
    return 0
