"""Which of several options an answer says most of, or in words of the question."""

from __future__ import annotations

from chef.reading.clauses import is_supposed
from chef.reading.contrasts import CLAUSES, SENTENCES, part_of
from chef.reading.lexicon import Phrases, word_list
from chef.reading.option_rules import OptionRules
from chef.reading.option_text import OptionCandidate
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words
from chef.reading.text import Reading, decide

#: What adds something to what was said is no conclusion.
ALSO = Phrases("additions")
#: So many words of a question make a sentence one about it.
_ABOUT = 2
_MAINLY = Pattern(
    lambda: rf"\b(?:{'|'.join(word_list('mainly'))})\s+(?:(?:an?|the|of|in|de|aus)\s+)?\Z",
    needs=lambda: word_list("mainly"),
)


def mainly(rules: OptionRules) -> Reading[int] | None:
    """The only option that a text says to be the most of it: "mostly yellow with a red stripe"."""
    if rules.candidates.offered or not _MAINLY.may_match(rules.plain):
        return None
    hits = [hit for hit in rules.candidates.live if _MAINLY.search(rules.plain[: hit.start][-40:])]
    return decide(hits, "mainly", rules.answer)


def nearest(rules: OptionRules, question: str) -> Reading[int] | None:
    """The only option of the sentences with most words of the question, two or more: "the man holds
    an umbrella. Next to him a woman reads a book".
    """
    terms = content_words(question)
    live = rules.candidates.live
    if not terms or rules.candidates.offered or any(hit.is_label for hit in live):
        return None  # "I would say A or C"
    least = min(_ABOUT, len(terms))
    for limit in (SENTENCES, CLAUSES):
        shared: dict[int, list[OptionCandidate]] = {}
        for hit in rules.candidates.live:
            part = rules.plain[slice(*part_of(rules.plain, (hit.start, hit.end), limit))]
            if not (is_supposed(part) or ALSO.search(part)):
                shared.setdefault(len(terms & content_words(part)), []).append(hit)
        best = max(shared, default=0)
        is_about = best >= least and (limit is SENTENCES or 2 * best >= len(terms))
        reading = decide(shared[best], "nearest", rules.answer) if is_about else None
        if reading and reading.value is not None:
            return reading
    return None
