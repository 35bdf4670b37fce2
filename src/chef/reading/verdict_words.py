"""Words and phrases that say yes or no, and those that decide nothing."""

from __future__ import annotations

import re

from chef.reading.fields import Field, fields
from chef.reading.lexicon import SPACED, asian, needed_words, phrases_of, word_pattern
from chef.reading.numbers import as_number
from chef.reading.patterns import Pattern


def _yes() -> str:
    """Verdicts wherever they stand as words of their own."""
    return word_pattern("affirmations", languages=("en",))


def _no() -> str:
    return word_pattern("denials", languages=("en",))


def _opening_yes() -> str:
    """Verdicts as the whole answer, at its beginning, or after "the answer is"."""
    return word_pattern("affirmations", "affirmations_opening", languages=SPACED)


def _opening_no() -> str:
    verb = r"not\s+(?:that\s+I\s+(?:can|could)|as\s+far\s+as\s+I\s+can)\s+\w+"
    place = r"not\s+in\s+(?:this|the)\s+\w+"
    return rf"(?:{word_pattern('denials', 'denials_opening', languages=SPACED)}|{verb}|{place})"


#: What may come before a verdict; HEDGES stands for those of the lexicon.
_FILLER = (
    r"(?:(?:well|hmm+|ah|oh|ok(?:ay)?|sure|so|then|hi|hello|thanks|great\s+question"
    r"|good\s+question|looking\s+(?:at|closely)[^.,!?\n]{0,60}|judging\s+(?:by"
    r"|from)[^.,!?\n]{0,60}"
    r"|based\s+on[^.,!?\n]{0,60}|according\s+to[^.,!?\n]{0,60}|from\s+(?:what|the)[^.,!?\n]{0,50}"
    r"|in\s+(?:this|the)\s+(?:image|picture|photo)|after\s+\w+[^.,!?\n]{0,60}"
    r"|to\s+answer\s+your\s+question|in\s+short|in\s+a\s+word|simply\s+put"
    r"|as\s+(?:far\s+as\s+I\s+can|I\s+can)\s+\w+|honestly|short\s+answer"
    r"|the\s+short\s+answer\s+is)\s*[,:.!…—–-]+\s*"
    r"|HEDGES\s*,?\s*"
    r"|(?:I\s+(?:would\s+|'d\s+)?(?:think|believe|guess|say|assume|suppose)|I'd\s+say"
    r"|I'm\s+(?:pretty|fairly|quite)\s+sure|I'm\s+afraid|my\s+answer\s+is|it\s+is|it's|that's"
    r"|that\s+is|the\s+answer\s+is|the\s+statement\s+is|this\s+is)"
    r"(?:\s+that)?(?:\s+it's|\s+it\s+is)?\s*[,:]?\s+(?:a\s+)?"
    r"|(?:almost\s+certainly|definitely|certainly|absolutely|clearly|simple|clear"
    r"|definite|resounding|firm|big|hard)\s*[,:]?\s*)"
)
#: What may come after a verdict; "no dogs" begins a statement.
_STOP = (
    r"(?=\s*(?:[.,!?;:…)\]\"'*\n—–|-]|\Z|\(|1?\d?\d\s?%)|\s+(?:or|because|since|as|but|and|although|though|sir"
    r"|there|it|it's|he|she|they|the|this|that|I|we|you|indeed|both|all|in\s+the"
    r"|lo\s+(?:está|es|hay)|está)\b)"
)


def _filler() -> str:
    return _FILLER.replace("HEDGES", word_pattern("hedges", languages=SPACED))


OPENING = Pattern(
    lambda: (
        rf"[^\w✗✘❌❎✖👎×○〇≠¬~🚫⛔❓]*(?:{_filler()})"
        rf"{{0,3}}[\"'(\[]?(?<![\w])(?:(?P<no>{_opening_no()})|(?P<yes>{_opening_yes()}))"
        rf"(?![\w-]|'\w){_STOP}"
    )
)


CJK_OPENING = Pattern(
    lambda: (
        r"[\s\"'(\[>*•:,.-]*(?:(?:答|回答|答案)(?:案)?(?:是|为|:)?\s*)?"
        rf"(?:{asian('hedges')}\s*)?"
        rf"(?:(?P<no>{asian('denials')})|(?P<yes>{asian('affirmations')}))"
        r"(?=\s*(?:[，,。.!?;:、…)\]\"'\n]|\Z|です|でした|だ|である))"
    )
)
#: "There is", "there is not" at the start of a Chinese answer.
CJK_EXISTENCE = re.compile(
    r"\W{0,4}(?:(?:在)?(?:图片?|图像|画面|照片|影像)(?:中|里|上)|这里)?[，,]?\s*(?:确实|的确|并|应该)?"
    r"(?:(?P<no>没有|沒有|不存在|无(?!法))|(?P<yes>有(?!没有|沒有|可能|些?不)|存在))"
)
MARKS = re.compile(r"[\s\"'(\[>*]*(?:(?P<yes>[✓✔✅☑👍])|(?P<no>[✗✘❌❎✖👎]))")
ALONE = Pattern(
    lambda: (
        rf"[^\w✓✔✅✗✘❌×○〇❓]*(?:(?P<yes>{_opening_yes()}|{asian('affirmations')}|y|t|[○〇])"
        rf"|(?P<no>{_opening_no()}|{asian('denials')}|n|f|×))(?:です|でした)?(?:\W*1?\d?\d\s?%)?[^\w✓✔✅✗✘❌]*\Z"
    )
)
#: A verdict as a word of its own within a sentence. "No dogs" is none: it begins a statement.
TOKEN = Pattern(
    lambda: (
        rf"(?<![\w'’\"“-])(?:(?P<yes>{_yes()})|(?P<no>{_no()}))(?![\w'’\"”-])"
        r"(?!\s+(?!(?:because|since|as|but|and|although|though|there|it|he|she|they|this|that|I|we"
        r"|you|for|in|to|based|given)\b)\w)"
    ),
    needs="yes yeah yep yup yea true no nope nah false",
    inside=True,
)


def _all(group: str) -> tuple[str, ...]:
    return phrases_of(group, languages=("en",))


RUNNER_UP = Pattern(
    r",\s*(?:closely\s+)?followed\s+(?:closely\s+)?by\b[^.;!?\n]*", needs="followed"
)
PAIR = Pattern(
    lambda: (
        r"\b(?:no\s+(?:simple\s+|clear\s+|definite\s+|definitive\s+)?(?=yes|no\s+or))?"
        rf"[\"']?(?:(?:{_yes()}|y)[\"']?\s*(?:or|and|/|\||vs\.?)\s*[\"']?(?:{_no()}|n)"
        rf"|(?:{_no()}|n)[\"']?\s*(?:or|and|/|\||vs\.?)\s*[\"']?(?:{_yes()}|y)"
        r"|neither\s+yes\s+nor\s+no|true\s*(?:or|/)\s*false|right\s+or\s+wrong)\b[\"']?"
    ),
    needs=lambda: [
        *(f"{yes} {no}" for yes in (*_all("affirmations"), "y") for no in (*_all("denials"), "n")),
        "true false",
        "right wrong",
    ],
    inside=True,
)
#: Phrases that are verdicts anywhere in the text.
IDIOM = Pattern(
    r"\b(?=\w)(?:(?P<yes>\bich\s+(?:denke|glaube)\s+(?:schon|ja)\b|\bI(?:'d|\s+would"
    r"|\s+do)?\s+(?:definitely\s+|certainly\s+)?(?:say|think|believe|guess|imagine|assume"
    r"|suppose)\s+so\b|\bit\s+(?:\w+\s+)?(?:would\s+)?(?:seems?|appears?|looks)\s+so\b"
    r"|\bin\s+the\s+affirmative|\bthat's\s+affirmative|\bwrong\s+to\s+say\s+no\b|\bnot\s+(?:wrong"
    r"|incorrect|false|untrue)\b|\bI\s+(?:do\s+not|don't)\s+doubt\s+(?:it|that)\b"
    r"|\b(?:that|this|it|which)(?:'s|\s+is|\s+would\s+be|\s+seems)\s+(?:indeed\s+|absolutely\s+"
    r"|quite\s+|actually\s+)?(?:right|correct|true|accurate|the\s+case)\b(?!\s*-)"
    r"|\b(?:the|your|this)\s+(?:statement|claim|caption|description|assertion)\s+(?:is|seems"
    r"|appears(?:\s+to\s+be)?)\s+(?:\w+ly\s+)?(?:right|correct|true|accurate)\b"
    r"|\b(?:the|your|this)\s+(?:statement|claim|caption|description|assertion)\s+(?:\w+ly\s+)?"
    r"(?:holds|checks\s+out)\b)"
    r"|(?P<no>\bI(?:'d|\s+would)?\s+(?:guess|think|believe|suppose|say)\s+not(?=\s*(?:[.,!;]|\Z))"
    r"|\bit(?:'s|\s+is|\s+seems)\s+(?:\w+ly\s+|very\s+)?unlikely\b|\bje\s+ne\s+(?:pense"
    r"|crois)\s+pas(?=\s*(?:[.,!]|\Z))|\bich\s+(?:glaube|denke)\s+nicht\b|\bcreo\s+que\s+no\b"
    r"|\bI(?:'d|\s+would)?\s+(?:really\s+|seriously\s+|rather\s+|highly\s+"
    r"|strongly\s+)?doubt\s+(?:it|that|so)\b|\bI\s+(?:don't|do\s+not|wouldn't"
    r"|would\s+not)\s+(?:think|believe|say|imagine)\s+so\b"
    r"|\b(?:doesn't|does\s+not)\s+(?:look|seem|appear)\s+(?:like\s+it|so|to\s+be\s+the\s+case"
    r"|that\s+way)\b|\bin\s+the\s+negative|\bwrong\s+to\s+say\s+yes\b|\bnot\s+the\s+case\b"
    r"|\bnot\s+that\s+I\s+can\s+(?:see|tell)\b"
    r"|\b(?:isn't|is\s+not|'s\s+not|not)\s+(?:a\s+)?(?:true|correct|right|accurate|yes"
    r"|so)\b(?!\s*[-\w])|\b(?:(?:isn't|is\s+not|'s\s+not)\s+(?:true|correct|right|so|the\s+case)"
    r"|(?:doesn't|does\s+not)\s+hold)\s+(?:for|of|in)\s+(?:every|each|all|any|both)\b"
    r"|\b(?:answer|it)\s+(?:is\s+not|isn't)\s+[\"']?yes\b"
    r"|\b(?:that|this|it|which)(?:'s|\s+is|\s+would\s+be|\s+seems)\s+(?:\w+ly\s+)?(?:wrong"
    r"|incorrect|false|untrue|inaccurate)\b"
    r"|\b(?:the|your|this)\s+(?:statement|claim|caption|description|assertion)\s+(?:is|seems"
    r"|appears(?:\s+to\s+be)?)\s+(?:\w+ly\s+)?(?:not\s+(?:right|correct|true|accurate)|wrong"
    r"|incorrect|false|untrue|inaccurate)\b"
    r"|\b(?:the|your|this)\s+(?:statement|claim|caption|description|assertion)\s+"
    r"(?:doesn't|does\s+not)\s+(?:hold|check\s+out)\b))",
    needs="say think believe guess imagine assume suppose glaube denke so affirmative wrong"
    " incorrect false untrue doubt right correct true accurate case not unlikely pense crois creo"
    " negative t holds checks hold check",
    first="ich i it in that wrong not this which the your je creo doesn does isn is answer",
    inside=True,
)
#: What can be "doubt", "idea" and so on after "no" is no verdict; it is blanked.
NO_VERDICT = Pattern(
    r"\b(?:there\s+(?:is|can\s+be)\s+)?(?:no|without|beyond)\s+(?:a\s+|any\s+)?(?:doubt"
    r"|question)(?:\s+(?:about\s+(?:it|that)|that))?(?!\s*(?:[.!]|\Z))"
    r"|\bno\s+(?:problem|worries|idea|matter|wonder|longer\s+wait|offen[cs]e|kidding)\b"
    r"|\bit(?:'s|\s+is|\s+may\s+be)\s+(?:(?!not\b)\w+\s+)?(?:true|correct|right)\s+that\b"
    # "True, the window is open, but the door is not."
    r"|\b(?:true|granted),\s+(?=(?:the|this|that|there)\b[^.;!?\n]{1,80}?,\s+but\b)"
    r"|\bwithout\s+exception\b|\bas\s+far\s+as\s+I\s+can\s+(?:see|tell|judge)\b|\bnot\s+only\b|\bneedless\s+to\s+say\b"
    r"|\bI\s+(?:don't|do\s+not)\s+(?:have\s+any\s+)?doubt\s+that\b|\bthere(?:'s|\s+is)\s+no\s+(?:doubt"
    r"|denying|question)(?:\s+that)?"
    r"|\b(?:not\s+to\s+mention|if\s+not|whether\s+or\s+not)\b|没问题(?=[，,!！])|毫无疑问|无疑|不仅"
    r"|不但|不用说",
    needs="doubt | question | exception | that true | that correct | that right |"
    " but true | but granted |"
    " problem | worries | idea | matter | wonder | longer no | offence |"
    " offense | kidding | as far | only not | needless | denying | mention | if not | whether not",
    cjk=True,
    inside=True,
)
#: "The title says that it is a goat; whether this is true cannot be seen."
HEARSAY = Pattern(
    r"\b(?:says?|claims?|states?|suggests?|asserts?)\s+that\s+[^.;!?\n]+[.;,]\s+(?:but\s+)?"
    r"whether\s+(?:this|that|it)\s+is\s+(?:true|so|right|correct|the\s+case)\b[^.;!?\n]*",
    needs="that whether",
)
#: Verdicts that say the contrary of the word in them.
PARADOX = Pattern(
    r"(?P<yes>\b(?:wrong|incorrect|false|a\s+mistake)\s+to\s+(?:say|answer)\s+[\"']?no\b"
    r"|\banswer\s+(?:is\s+not|isn't|can't\s+be|cannot\s+be)\s+[\"']?no\b)"
    r"|(?P<no>\b(?:wrong|incorrect|false|a\s+mistake)\s+to\s+(?:say|answer)\s+[\"']?yes\b"
    r"|\banswer\s+(?:is\s+not|isn't|can't\s+be|cannot\s+be)\s+(?:a\s+)?[\"']?yes\b)",
    needs="say no | say yes | answer no | answer yes",
    inside=True,
)
#: A thing and its contrary are said at once: "both happy and not happy".
CONTRADICTION = Pattern(
    lambda: (
        rf"(?<![\w-])(?P<said>\w{{3,}}+)(?:\s+\w++)?,?\s+"
        rf"{word_pattern('conjunctions', languages=SPACED)}\s+"
        r"(?:(?:is|are|est|ist|es|it|it's|also|at\s+the\s+same\s+time)\s+)*"
        rf"{word_pattern('negations', languages=SPACED)}\s+(?P=said)(?!\w)"
    ),
    needs=lambda: [
        f"{no} {both}" for no in needed_words("negations") for both in needed_words("conjunctions")
    ],
    inside=True,
)
#: A box of a list that is not ticked, with its text.
UNTICKED = Pattern(r"^[^\w\n]*(?:\[\s?\]|☐|⬜)[^\n]*", re.MULTILINE)
#: What is so in one case, and what in another: "if you mean the left one, yes; otherwise no".
CASES = Pattern(
    r"\bif\b[^.;!?\n]*?,[^.;!?\n]*?\b(?P<one>yes|no)\b[^.;!?\n]*[.;,]\s*(?:and\s+|but\s+)?(?:if\b|otherwise\b)"
    r"[^.;!?\n]*?,?[^.;!?\n]*?\b(?!(?P=one))(?:yes|no)\b"
    r"|\b(?P<first>yes|no)\b,?\s+(?:only\s+)?if\b[^.;!?\n]*[.;,]\s*(?:and\s+|but\s+)?(?!(?P=first))(?:yes|no)\b,?\s+"
    r"(?:if|otherwise)\b",
    needs=["yes if no"],
    first="if yes no",
)
#: What the model would have said before it looked.
WOULD_HAVE = Pattern(
    r"\bI(?:'d|\s+would)\s+have\s+(?:said|thought|guessed)\b", needs=["have i"], inside=True
)


def likelier_field(seen: str) -> Field | None:
    """The field with the larger number in {"yes": 0.2, "no": 0.8}."""
    scores = [f for f in fields(seen) if f.key in ("yes", "no") and as_number(f.text) is not None]
    if {field.key for field in scores} != {"yes", "no"}:
        return None
    return max(scores, key=lambda field: as_number(field.text) or 0)
