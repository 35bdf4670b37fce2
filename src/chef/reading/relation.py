"""What a clause says of what a yes/no question asks: that a thing is there, where, or how it is.

Subject, then verb, adjective or side, then what completes it. The same predicate says yes, its
contrary no, and a denial turns both round; see `Statement.says`.
"""

from __future__ import annotations

import re
from functools import cached_property

from chef.reading.asked import VerdictQuestion, kinds
from chef.reading.clauses import EXCLUDING, PRONOUN, is_denied
from chef.reading.comparisons import is_ahead
from chef.reading.existence import lacks_part, owned_there, thing_there
from chef.reading.lexicon import word_list
from chef.reading.number_forms import numbers_in
from chef.reading.opposites import (
    ALOFT,
    EXCLUSIVE,
    Location,
    excludes,
    extremes,
    opposite,
    places_named,
    sides_of,
    turned_side,
)
from chef.reading.patterns import words
from chef.reading.quantified import of_some
from chef.reading.questions import content_places, content_words, stem
from chef.reading.standing import Relation, aimed, appraised, name_relation, relation_of, repeats

#: Of these "on" and "off" before a noun are no adverbs: "the lamp on the desk".
_ADVERB = re.compile(
    r"\b(?:left|right|up|down|inside|outside|still(?=\W*\Z)|(?:on|off)(?!\s+(?:an?|the|its?|his|her|their|this|that|top|my|your)\b))\b"
)
#: What may stand between a subject and its predicate.
_BETWEEN = re.compile(
    r"[\s,]*(?:(?:'s|'re|is|are|was|were|has|have|had|be(?:en)?|do|does|did|can|could|will|not|cannot"
    r"|isn't|aren't|wasn't|weren't|go|goes|went|gone|going|hasn't|haven't|hadn't|don't|doesn't|didn't|can't|won't|no|longer|still"
    r"|lies?|stands?|sits?|located|situated|therefore|thus|also|indeed|clearly|actually|currently|an?|the|any|to"
    r"|ist|sind|war|liegt|steht|befindet|sich|hat|haben|wurde|also|nicht|kein|keine|keinen|ein|eine|einen|est|sont|se|trouvent?|encuentra|trova|a|ont|n'a|n'ont|n'est|ne|pas|no|semblent?|paraît|parece|sembra|scheint"
    r"|está|están|es|ha|han|non|è|sono|hanno|não|foi|não|не)[\s,]+)*",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|some|any|it|them|so)\W*\Z", re.IGNORECASE)
#: "It says YIELD": another word than the one that the question quotes.
_OTHER_WORD = re.compile(r"\b(?i:says?|reads?|labell?ed|spells?)\s+(?:[\"'“][^\W\d]|[A-Z]{2,})")
#: "The sign on the door says 'CLOSED'."
_SIGN_SAYS = re.compile(
    r"\b(?:says?|reads?|shows?|displays?|states?|indicates?)\s+(?:that\s+)?(?:[\"'“‘](\w+)[\"'”’.]|([A-Z]{2,})\b)"
)
_VALUE = re.compile(r"(?<![\w.,])\d+(?:[.,:]\d+)*(?![\w%])")
_SOMETHING = re.compile(
    r"\b(?:several|many|some|two|three|a\s+few|lots)\b|\bsome(?:one|body|thing)\b"
    r"|\bthere(?:\s+(?:is|are)|'s)\s+(?!no\b|not\b)|\bpeople\b|\bfilled\s+with\b|\bfull\s+of\b|\bcontains?\s+(?!no\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“][^\"”\n]{1,60}[\"”]")
_NOTHING = re.compile(
    r"\bnothing\b|n't\s+any(?:thing|one|body)\b|\bnot\s+any(?:thing|one|body)\b|\bno\s+one\b"
    r"|\bno\s?body\b",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\b(?:half|partly|partially|almost|nearly|not\s+quite)\b", re.IGNORECASE)
_HAVING = re.compile(r"\b(?:has|have)\b", re.IGNORECASE)
_PICTURE = re.compile(
    r"\s*th(?:e|is)\s+(?:image|picture|photo|photograph|sky|weather|scene)\s+(?:is|was)\b",
    re.IGNORECASE,
)
#: What may stand for the subject of the question.
_REFERS = re.compile(
    r"\b(?:it|its|he|she|they|this|that|these|those|here|there|one of)\b", re.IGNORECASE
)
#: Right before a preposition that says where the subject is: "is", "lies", "is leaning".
_IS_AT = re.compile(
    r"\b(?:is|are|was|were|(?:hang|li|rest|sit|stand|lean)(?:e?s)?|ist|sind|liegt|steht|sitzt|est|sont"
    r"|está|están|é|è|sta)\s+(?:\w+\s+){0,2}\Z",
    re.IGNORECASE,
)
_NOT = r"\s*(?:not|nicht|kein\w*|pas|no|non|não|не)\b(?!\s+(?:only|just|nur|seulement|sol[oa])\b)"
_EXCLUDING = re.compile(rf"{_NOT}|{EXCLUDING.pattern}", re.IGNORECASE)
_LEAD = re.compile(r"\s*(?:which|this|that)\s+(?:means|shows|implies)(?:\s+that)?\b", re.IGNORECASE)
#: The stems of adverbs that only stress.
_ADVERBS = frozenset(map(stem, words("definitely certainly clearly really actually indeed also")))


def words_of(clause: str) -> list[tuple[str, int, int]]:
    """The stems of the content words of a clause with their places, and of adverbs of place."""
    places = content_places(clause)
    starts = {start for _, start, _ in places}
    extra = [
        (match[0].lower(), *match.span())
        for match in _ADVERB.finditer(clause.lower())
        if match.start() not in starts
    ]
    return sorted([*places, *extra], key=lambda place: place[1])


class Statement:
    """A clause of an answer, laid beside what a question asks.

    >>> from chef.reading.asked import asked
    >>> Statement("the cup is under the table", asked("Is the cup on the table?")).holds()
    False
    """

    def __init__(self, clause: str, query: VerdictQuestion) -> None:
        self.clause, self.query = clause, query
        self._has_subject = query.subject and len(query.words) > 1

    @cached_property
    def _places(self) -> list[tuple[str, int, int]]:
        excluding = EXCLUDING.match(self.clause)
        start = excluding.end() if excluding else 0
        return [place for place in words_of(self.clause) if place[1] >= start]

    @cached_property
    def _stems(self) -> list[str]:
        return [self._as_asked(word) for word, _, _ in self._places]

    def _as_asked(self, word: str) -> str:
        """The word of the question that says the same as a word of the clause, or the word."""
        words = self.query.words
        if word in words:
            return word
        same = sides_of(word)[0]
        return next((item for item in words if item in same or word in kinds().get(item, ())), word)

    @cached_property
    def _denied(self) -> bool:
        return is_denied(self.clause)

    @cached_property
    def _pronoun(self) -> re.Match[str] | None:
        return PRONOUN.match(self.clause)

    @property
    def _focus(self) -> tuple[str, ...]:
        """What the question asks of its subject."""
        return self.query.words[1:] if self._has_subject else self.query.words

    def says(self, relation: Relation) -> bool | None:
        """Yes or no of a clause by how its predicate stands to the one that is asked about.

        "Not closed" is open, but "not red" need not be blue.
        """
        if relation == "same":
            return not self._denied
        if self._denied:
            return True if relation == "contrary" else None
        return False

    @property
    def _is_of_landmark(self) -> bool:
        """Whether it tells the side of the landmark alone: "the plate is on the left"."""
        words, found = self.query.words, {*self._stems}
        sides = found - {words[-1]}
        return self._has_subject and len(sides) == 1 < len(found) and sides <= word_list("sides")

    def holds(self) -> bool | None:
        """Whether the clause says that what the question asks is so; None if it does not tell."""
        query = self.query
        if query.appraisal and (relation := appraised(self.clause, query.appraisal)):
            return self.says(relation)
        if query.quoted:
            return self._reads()
        if "empty" in query.words and "empty" not in content_words(self.clause):
            nothing = _NOTHING.search(self.clause) is not None
            return nothing if nothing or _SOMETHING.search(self.clause) else None
        if query.sides:
            return is_ahead(self.clause, *query.sides, {*query.words})
        if self._excludes_only() or lacks_part(self.clause, query):
            return query.absent
        judge = self._there if query.thing else self._value if query.value else self._told
        return None if self._is_of_landmark else judge()

    def _there(self) -> bool | None:
        """Whether there is the thing that the question asks for, or the rise or fall."""
        query = self.query
        change = self._predicated() if query.changes else None
        there = thing_there(self.clause, query) if change is None else None
        if there and query.place and self._is_elsewhere(query.place):
            there = None
        return change if there is None else there != query.absent

    def _excludes_only(self) -> bool:
        """Whether it is nothing but "not" or "rather than" with words of the question: "not a dog",
        or with its place: "not in it".
        """
        if _EXCLUDING.match(self.clause) is None:
            return False
        stems, place = {*self._stems}, self.query.place
        at = {location.relation for _, location in places_named(self.clause)}
        is_there = place is not None and place.relation in at
        return is_there if not stems else stems <= {*(self.query.thing or self.query.words)}

    def _reads(self) -> bool | None:
        """Whether there is what the question quotes."""
        clause, query = self.clause, self.query
        if query.quoted.lower() in clause.lower():
            return not is_denied(_QUOTED.sub(" ", clause))  # "NO PARKING" denies nothing
        other = _OTHER_WORD.search(clause) and not self._denied
        none = query.thing and thing_there(clause, query) is False
        return False if other or none else None

    def _told(self) -> bool | None:
        """What is said of the subject: by a name, the side of a landmark, or by words."""
        query, found = self.query, self._stems
        sign = _SIGN_SAYS.search(self.clause) if query.quality else None
        if sign and (stands := relation_of(query.quality, [stem((sign[1] or sign[2]).lower())])):
            return self.says(stands)
        about = self._pronoun or not {*query.words[:-1]}.isdisjoint(found)
        relation: Relation = name_relation(self.clause, query)
        relation = relation or (aimed(self.clause, query.words[-1]) if about else "")
        holds = self.says(relation) if relation else self._predicated()
        if holds is not None:
            return holds
        if repeats(found, query.words):
            return self.says("same")
        if turned := turned_side(self.clause, found, query.words):
            # "The laptop is right of the cup": the cup is left of it.
            return None if self._denied else turned not in query.words
        elsewhere = self._is_elsewhere(query.place) if query.place and query.subject else False
        if elsewhere is not False:
            return None if elsewhere is None else False
        described = self._described()
        return owned_there(self.clause, query) if described is None and query.owned else described

    def _value(self) -> bool | None:
        """Whether a clause about the subject names the value that the question ends with."""
        values = [match[0] for match in _VALUE.finditer(self.clause)]
        values = values or [str(n.value) for n in numbers_in(self.clause) if n.form == "words"]
        turned = any(opposite(word, self._stems)[1] for word in self._focus)
        is_told = len(values) == 1 or (not values and turned and not self._denied)
        about = not content_words(self.clause).isdisjoint(self.query.words)
        if not is_told or not (about or (turned and self._pronoun)):
            return None  # "the bus is red" does not say whether it is bus 42
        return self.says("same" if values == [self.query.value] and not turned else "contrary")

    def _predicated(self) -> bool | None:
        """Whether the predicate right behind the subject is the one that is asked about."""
        clause, words = self.clause, self.query.words
        begin = self._subject_end()
        if begin is None:
            return None
        gap = _BETWEEN.match(clause, begin)
        first_word = gap.end() if gap else begin
        rest = [(word, start) for word, start, _ in self._places if start >= first_word]
        one = _ONE.search(clause, begin)
        if not rest or rest[0][1] > first_word:
            has = not rest and one and len(words) > 1 and _HAVING.search(clause, begin, one.start())
            return self.says("same") if has else None
        stems = [word for word, _ in rest]
        first = 1 if self.query.subject else 0
        for place in range(first, len(words)):
            if not relation_of(words[place], stems[:1]) or (
                place > first and not self.query.modified
            ):
                continue
            relations = [relation_of(word, stems) for word in words[place:]]
            if one and not relations[-1]:
                relations[-1] = "same"
            others = [relation for relation in relations if relation != "same"]
            if not all(others) or len(others) > 1:
                return None
            return self.says(others[0] if others else "same")
        return None

    def _subject_end(self) -> int | None:
        """Where the subject of the question, or a pronoun for it, ends."""
        if self.query.subject:
            subjects = {self.query.words[0]}
            if self.query.changes and subjects & word_list("charted"):
                subjects |= word_list("charted")
            ends = [end for word, _, end in self._places if word in subjects]
            if self.query.letter and not ends:
                letters = re.finditer(rf"\b{self.query.letter}\b", self.clause)
                ends = [match.end() for match in letters][-1:]
            if ends:
                return ends[0] if len(ends) == 1 else None
        return self._pronoun.end() if self._pronoun else None

    def _is_elsewhere(self, place: Location) -> bool | None:
        """Whether it puts the subject where it cannot be if it is at the place asked about.

        None where it says of the same landmark another place that need not exclude that one.
        """
        subject, stems = self.query.words[0], content_words(self.clause)
        away: bool | None = None if place.landmark <= stems else False
        if not place.landmark or not (self._pronoun or subject in stems):
            away = False
        for start, other in places_named(self.clause):
            before = self.clause[:start]
            if not (self._pronoun or subject in content_words(before)):
                away = None if away else False
                continue
            is_at = _IS_AT.search(before)
            same = other.relation == place.relation
            if other.landmark & place.landmark or (
                is_at and ALOFT in (other.relation, place.relation)
            ):
                if same or {other.relation, place.relation} <= EXCLUSIVE:
                    return False
                excluded = excludes(other.relation, place.relation) and not self._denied
                away = away or (True if excluded else None)
            elif other.landmark and same and place.relation in EXCLUSIVE and is_at:
                away = away if self._denied else True
        return away

    def _described(self) -> bool | None:
        """What its words say of the subject, in whatever order they stand."""
        words, found, clause = self.query.words, self._stems, self.clause
        if not found:
            return None
        focus = {*self._focus}
        for word in words:
            rival, strict = opposite(word, found)
            if rival and rival not in words and word in focus and word not in found:
                return self._rival(word, rival, "contrary" if strict else "rival")
        known = {*found} <= {*words}
        if self.query.is_polar and self._is_of_another():
            return False
        sides = word_list("sides") & {*words[1:-1]}  # "and the laptop at the edge" names no side
        is_same = (
            words[-1] in found
            and (sides <= {*found} or (found == [self.query.quality] and self._pronoun))
            and (focus <= {*found} or known)
        )
        # "The Golden Gate Bridge is orange" does not say that the bridge asked about is that one.
        if len(words) > 2 and found[0] in focus and found[-1] not in words and not self._denied:
            return None
        # "half full" is neither full nor empty.
        if not is_same or _PARTLY.search(clause) or not self._same_subject(words[-1]):
            return None
        # "Under the table lies a dog" does not say that the ball lies there.
        other = self._has_subject and words[0] not in found and not self._pronoun
        return None if other and not self._denied and not known else self.says("same")

    def _rival(self, word: str, rival: str, relation: Relation) -> bool | None:
        """What a clause with another word than one of the question says."""
        words, found = self.query.words, self._stems
        # "The ball is held by the player in blue" says who alone holds it.
        last = "" if words[-1] == found[0] else words[-1]
        if self.query.modified and len(words) > 3 and word != last and last in found:
            return None  # "The man on the right" is another one.
        about = {*self._focus} - {word} <= {*found} or {*found} <= {*words, rival}
        # "They seem to be turned off": the pronoun stands for "the lights of the car".
        about = about or bool(self._pronoun and word == words[-1] and rival == found[-1])
        return self.says(relation) if about and self._same_subject(rival) else None

    def _is_of_another(self) -> bool:
        """Whether a superlative of the question goes to another thing: "the largest is the red"."""
        words, found = self.query.words, self._stems
        if words[0] in found or {*found} <= {*words} or _REFERS.search(self.clause):
            return False
        ends = (end for end, _ in extremes() if not end.isdisjoint(words[1:]))
        return any(not end.isdisjoint(found) for end in ends) and not self._denied

    def _same_subject(self, last: str) -> bool:
        """Whether it speaks of the subject of the question up to a word, or of "it"."""
        words, found = self.query.words, self._stems
        if words[0] in found or self._pronoun:
            return True
        if len(words) == 1 and _PICTURE.match(self.clause):
            return True  # "Is the photo blurry?"
        lead = found[: found.index(last)] if last in found else found
        return {*lead} - word_list("shades") <= {*words}

    def echoes(self) -> bool | None:
        """Whether a clause of nothing but words of the question says yes; None for any other.

        So a conclusion leans on the question: what is left out of it is meant. Denied, fewer words
        are enough: who wears no hat wears no red one.

        >>> from chef.reading.asked import asked
        >>> Statement("it will float", asked("Will the object float in water?")).echoes()
        True
        """
        query, said = self.query, words_of(_LEAD.sub("", self.clause, 1))
        stems = [stem for stem, _, _ in said if stem not in _ADVERBS]
        focus = query.words[1:] if query.subject else query.words
        if query.sides and len(stems) == 1:
            focus = (query.sides[1],)  # "Slightly taller."
        core = {word for word in focus if word not in query.adjuncts}
        # Of a subject with more words one may tell it from another: "the man on the right".
        ends = core & {focus[-1]} if query.modified and focus else core
        turned = {stem: word for word in ends for stem in sides_of(word)[1].intersection(stems)}
        stated = {turned.get(stem, stem) for stem in stems}
        if not core or not stated & core or not stated <= {*query.words} or len(turned) > 1:
            return None
        if turned and (self._is_of_landmark or (query.sides and self._denied)):
            return None
        if self._denied and not turned:
            at = {place.relation for _, place in places_named(self.clause)}
            # What is not on the chair may lie under it; what most people do not wear some may.
            elsewhere = query.place and at and query.place.relation not in at
            return None if elsewhere or (query.thing and of_some(self.clause)) else False
        return self.says("contrary" if turned else "same") if core <= stated else None
