"""What a list of options says of each: a verdict, a sign or a score."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.option_text import Candidates, OptionCandidate
from chef.reading.patterns import Pattern, any_of, words
from chef.reading.text import line_end, sentence_start
from chef.reading.word_index import words_near

_EDGE = r"[?\s\"')\](}*|:;,.=–—>→-]*"
_TICKS, _CROSSES = "✓✔✅☑", "✗❌✘✖"
_PICKED, _PASSED = f"{_TICKS}🟢🔘◉🥇", f"{_CROSSES}☐🔴⚪🥈🥉"
_GOOD_SIGN, _BAD_SIGN = (
    rf"(?:[{_PICKED}√○◯⭕👈]|←|<-{{1,2}}|[\[(][xX][\])])",
    rf"(?:[{_PASSED}×]|\[\s?\]|\(\s\))",
)
_YES = (
    r"(?:yes|correct)\b|是(?!否)|对(?!应|比)|正确|符合|正解|はい|正しい|네|예\b|맞"
    r"|oui\b|sí\b|ja\b|richtig|vrai|correcto|да\b"
)
#: These mark a line only where all others are ruled out: "on the right" is a place.
_MAYBE_YES = r"(?:true|right|matches|match|ok|fits|supported|consistent|plausible|possible|valid)\b"
_NO = (
    # "no", but not "no horns"
    r"no\b(?!(?-i:\s+(?!it|th[aei]|as\b|because|since|way|not\b)[a-z]))|"
    + any_of(
        "false | incorrect | wrong | not correct | not right | not true | not matching",
        "isn't true | isn't correct | isn't right | is not true | is not correct | is not right",
        "stimmt nicht | nicht richtig | pas vrai | pas correct | no es correcto | no es verdad",
        "non è vero | non è corretto | não é verdade | não é correto | неверно | неправильно",
        "doesn't match | does not match | eliminated | ruled out | excluded | out | irrelevant",
        "contradicted | rejected | unsupported | inconsistent | implausible | impossible | invalid",
        "not supported | not consistent | not plausible | not possible | not valid",
    )
    + r"\b|否|错误?|不对|不正确|不符|誤り?|違う?|いいえ|아니|틀"
    r"|non\b|nein\b|falsch|faux|incorrecto|нет\b"
)


#: "B. A cat. This is true, because"
_THIS_IS = (
    r"(?:(?:this|that|it|das|dies|c'|ceci|esto|eso|questo|ciò|isto|isso|это)"
    r"(?:'s|\s?(?:is|ist|est|es|è|é)(?=\s))?\s*)?"
)


def _judging(no: str, yes: str, maybe: str) -> tuple[re.Pattern[str], ...]:
    """A verdict right behind an option, one at the end of its line, and one that opens a cell of
    its row, or what stands behind a dash or a colon, with a reason behind it.
    """
    verdict = rf"(?:(?P<no>{no})|(?P<yes>{yes})|(?P<maybe>{maybe}))"
    return (
        re.compile(rf"{_EDGE}{_THIS_IS}{verdict}", re.IGNORECASE),
        re.compile(rf"(?:(?<=[\s.,;:|()→>–—-])|(?<=^)){verdict}\W*\Z", re.IGNORECASE),
        re.compile(
            rf"(?:[|:→(]|\s[–—-])\s*{verdict}(?:(?<=\W)|(?=\s*(?:[|.,;:(–—]|-\s)))", re.IGNORECASE
        ),
    )


_MARKS, _IS_BAD = re.compile(f"[{_TICKS}{_CROSSES}]"), re.compile(f"[{_CROSSES}]")
_SIGNED = _judging(_BAD_SIGN, _GOOD_SIGN, "(?!)")
_WORDED = _judging(f"{_NO}|{_BAD_SIGN}", f"{_YES}|{_GOOD_SIGN}", _MAYBE_YES)
_GOOD = re.compile(
    r"\b(?:correct|chosen|selected|this\s+one|this\s+is\s+(?:it|the\s+(?:answer|one)))\b|正确|符合|正解|정답",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:not|no|never|none|wrong|incorrect|false|eliminated|excluded|rejected|out|cannot|unlikely"
    r"|implausible|inconsistent|invalid|too|neither|nor|without|but|lacks|would)\b|n't\b|不|错|没|否|違|아니|틀",
    re.IGNORECASE,
)
_YET = re.compile(r"\W*\b(?:but|though|although|yet|however)\b", re.IGNORECASE)
#: What may stand before an option that opens its line: a bullet, a number, an article.
_LEAD = re.compile(
    r"\W*+(?:\d{1,2}[.)])?\W*+(?:(?:option|choice|选项)\W*+)?(?:(?:an?|the)\s+)?", re.IGNORECASE
)
_CHECKED = re.compile(rf"[\[(]\s*[xX✓✔√]\s*[\])]\W*\Z|[{_PICKED}]\W{{0,6}}\Z")
_UNCHECKED = re.compile(rf"[\[(]\s{{0,2}}[\])]\W*\Z|[{_PASSED}]\W{{0,6}}\Z")
#: The head of a column that says yes to what is not the answer.
_RULED_OUT = re.compile(
    r"\|[^|\n]*\b(?:ruled\s+out|eliminated|excluded|rejected|discarded|contradicted)\b[^|\n]*\|?"
    r"\s*\n[\s|]*-",
    re.IGNORECASE,
)


def approved(plain: str, candidates: Candidates, *, signs: bool = False) -> list[OptionCandidate]:
    """The options that a list approves by a verdict behind each, before it, or at its line's end.

    Words such as "right" and "fits", which may say anything of an option, approve one only where
    most others of the list are ruled out; with ``signs`` only signs count (✓, ✗, [x]).
    """
    if not _may_approve(plain, signs=signs):
        return []
    pairs = zip(candidates.found, _next_others(plain, candidates.found), strict=True)
    verdicts = [_verdict(plain, hit, after, signs=signs) for hit, after in pairs]
    if "|" in plain and _RULED_OUT.search(plain):
        verdicts = [{"yes": "no", "no": "yes"}.get(verdict, verdict) for verdict in verdicts]
    if "yes" not in verdicts and "maybe" not in verdicts:
        return []
    good: dict[int, OptionCandidate] = {}
    maybe: dict[int, OptionCandidate] = {}
    bad: set[int] = set()
    doubted: set[int] = set()
    for hit, verdict in zip(candidates.all, verdicts, strict=True):
        if verdict == "yes":
            good[hit.value] = hit
        elif verdict == "no" or (hit.is_refused and not signs):
            bad.add(hit.value)
        elif verdict == "maybe":
            maybe[hit.value] = hit
        elif verdict == "doubt":
            doubted.add(hit.value)
    listed = opened(plain, candidates.found)
    others = listed - set(maybe)
    if not good and len(maybe) == 1 and 2 * len(others & (bad | doubted)) > len(others):
        good = maybe
    judged = len(bad | set(good)) > 1 or len(listed) > 1
    return [hit for value, hit in good.items() if value not in bad] if judged else []


#: Signs and words of which a text has one if it approves anything; other scripts are all tried.
_SIGNS = re.compile(f"{_GOOD_SIGN}|[^\x00-\u02ff]")
_APPROVING = words(
    "yes correct oui sí ja richtig vrai correcto true right matches match ok fits chosen selected"
    " this supported consistent plausible possible valid"
)


def _may_approve(plain: str, *, signs: bool) -> bool:
    if not signs and not _APPROVING.isdisjoint(words_near(plain)):
        return True
    return ("[" in plain or not plain.isascii()) and _SIGNS.search(plain) is not None


def opened(plain: str, hits: Sequence[OptionCandidate]) -> set[int]:
    """The options that lines begin with."""
    values: set[int] = set()
    for hit in hits:
        start = plain.rfind("\n", 0, hit.start) + 1
        if _LEAD.fullmatch(plain, start, hit.start):
            values.add(hit.value)
    return values


def _next_others(plain: str, hits: Sequence[OptionCandidate]) -> list[int]:
    """For each candidate, where the next one of another option starts, or the text ends."""
    limits: list[int] = []
    limit = len(plain)
    for place in range(len(hits) - 1, -1, -1):
        if place + 1 < len(hits) and hits[place + 1].value != hits[place].value:
            limit = hits[place + 1].start
        limits.append(limit)
    return limits[::-1]


def _verdict(plain: str, hit: OptionCandidate, after: int, *, signs: bool) -> str:
    """What the words around a candidate, up to ``after``, say of it: yes, no, maybe, doubt, ""."""
    before = plain[sentence_start(plain, hit.start) : hit.start]
    end = min(after, line_end(plain, hit.end))
    if "]" in before or ")" in before or not plain.isascii():
        checked = _CHECKED.search(before) or _UNCHECKED.search(before)
        if checked:
            return "yes" if checked.re is _CHECKED else "no"
    opens = _LEAD.fullmatch(before) is not None
    if opens and (marks := _MARKS.findall(plain, hit.end, end)):
        # A row of several criteria is right if it meets all of them.
        return "no" if any(map(_IS_BAD.match, marks)) else "yes"
    soon, last, inside = _SIGNED if signs else _WORDED
    rest = plain[hit.end : end]
    match = soon.match(plain, hit.end, end)
    if not match and opens:  # the rest of the line belongs to the option that opens it
        match = last.search(rest) or inside.search(rest)
    if match and match.lastgroup == "maybe" and _YET.match(match.string, match.end()):
        return "doubt"  # "possible, but"
    if match or signs or not opens:
        return (match and match.lastgroup) or ""
    if _BAD.search(rest):
        return "doubt"
    return "yes" if _GOOD.search(rest) else ""


#: A share, and no point: "(0, 1)".
_SHARE = re.compile(
    r"[\s\"')\]}(|:=–—-]*(0?\.\d+|\d{1,3}(?:\.\d+)?\s*%|[01](?:\.0+)?(?![\d.]))(?!\s?,\s?[-−]?\d)"
)
_LAST_SCORE = re.compile(r"(?<=[\s|:(–—-])(\d{1,3}(?:\.\d+)?)\s*(?:%|/\s*\d{1,3})?[\s|).]*\Z")
_STARS = re.compile("[★⭐]+")
#: What tells that numbers in a list are no part of what they stand behind.
_SCORES = Pattern(
    r"\b(?:scores?|ratings?|rated|confidence|likelihood|probabilit(?:y|ies))\b|\(0[–-]10+\)|/\s*10\b",
    needs="score scores rating ratings rated confidence likelihood probability probabilities 10"
    " 100",
)
#: Fewer options with a number may be anything.
_SCORED = 3


def most_probable(plain: str, hits: Sequence[OptionCandidate]) -> list[OptionCandidate]:
    """The option with the highest of three or more probabilities that add up to about one, or of
    the scores, ratings or stars of all options of a list.
    """
    scores = {hit: _share(m[1]) for hit in hits if (m := _SHARE.match(plain, hit.end))}
    last = {hit.value: score for hit, score in scores.items()}
    if len(last) < _SCORED or not 0.9 <= sum(last.values()) <= 1.1:
        listed = opened(plain, hits) if _SCORES.search(plain) else set()
        scores = _scores(plain, hits) if len(listed) > 1 else {}
        if not listed <= {hit.value for hit in scores}:
            return []
    best = max(scores.values(), default=0)
    return [hit for hit, score in scores.items() if score == best]


def _share(text: str) -> float:
    return float(text.replace("%", "")) / (100 if "%" in text else 1)


def _scores(plain: str, hits: Sequence[OptionCandidate]) -> dict[OptionCandidate, float]:
    """The scores at the ends of the lines that options open."""
    scores = {}
    for hit in hits:
        if _LEAD.fullmatch(plain, plain.rfind("\n", 0, hit.start) + 1, hit.start):
            rest = plain[hit.end : line_end(plain, hit.end)]
            stars, match = _STARS.search(rest), _LAST_SCORE.search(rest)
            if stars or match:
                scores[hit] = float(len(stars[0])) if stars else float(match[1]) if match else 0
    return scores
