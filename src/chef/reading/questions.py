"""What a question asks about: its content words, and the thing that it asks to count."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.characters import CJK


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(rf"[^\W\d_{CJK}]+|[\u3400-\u9fff]|[\u30a0-\u30ff]{{2,}}|[\uac00-\ud7af]+")
# fmt: off
_EMPTY = _words("""
a an the this that these those there here it its he she they them his her their you your we our i
me my is are was were be been being am do does did has have had having can could will would shall
should may might must of in on at to from by for with and or if as than then so not no yes please
answer question word phrase single using one only just how many much number count total altogether
what which who whom whose where when why whether any some all each every image picture photo
photograph scene figure diagram shown seen see visible present appear appears depicted isn aren don
doesn didn wasn weren hasn haven hadn couldn wouldn shouldn won ain mustn s t re ve ll d m instead
rather according say says tell show shows contain contains containing include includes look looks
looking like seem seems get got give think believe also too very really actually still now exist
exists more most other another both into out up down over about between kind type sort thing things
currently slightly simply mostly mainly obviously apparently evidently presumably completely
entirely fully quite hence thus therefore however clearly definitely certainly indeed probably
likely overall finally based following option given de la le les un une des du dans sur y il
combien est sont que qui à cette en el los las una unos unas cuántos cuántas hay es son esta foto
imagen del ci sono quanti quante nella nel gli c e è di der die das ein eine einen ist sind auf im
dem den wie viele gibt bild zu sehen há quantos quantas na os o da são imagem на в есть ли сколько
фото картинке это je ne pas vois voit voyez elle ils elles nous aucun aucune jamais yo veo se lo
está ningún ninguna ich sehe nicht kein keine keinen er sie non vedo nessun nessuna não vejo nenhum
nenhuma ninguém alguém nadie alguien quelqu personne niemand jemand nessuno qualcuno
""")
#: Words with stems that no rule gives.
_IRREGULAR = dict(
    pair.split()
    for pair in """
people person, persons person, children child, kids child, men man, women woman, feet foot, teeth
tooth, mice mouse, geese goose, leaves leaf, knives knife, shelves shelf, loaves loaf, wolves wolf,
calves calf, oxen ox, lying lie, wore wear, worn wear, sat sit, stood stand, held hold, riding rid,
ridden rid, rode rid, made mak, photos photo, colour color, colours color, grey gray, girls girl,
forbidden forbid, forbade forbid, broken break, written writ, wrote writ, eaten eat, ate eat
""".replace("\n", " ").split(", ")
)
# fmt: on
#: Characters of Chinese and Japanese questions that name nothing.
_CJK_EMPTY = frozenset(
    "图圖中里裡有几幾只隻多少个個是吗嗎请請问問的了在一共么吧呢这這那此上下数量何匹人本枚写真画面张張幅么什没否不能看到出现"
)


@lru_cache(4096)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that name something, in a question or in a part of an answer.

    >>> sorted(content_words("How many dogs are sleeping in the picture?"))
    ['dog', 'sleep']
    """
    return frozenset(stem for stem, _, _ in content_places(text))


def content_places(text: str) -> list[tuple[str, int, int]]:
    """As `content_words`, in order, with the place of each word."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in _EMPTY and word not in _CJK_EMPTY and (len(word) > 1 or not word.isascii()):
            found.append((stem(word), *match.span()))
    return found


@lru_cache(4096)
def stem(word: str) -> str:
    """A word without the endings of plural, past tense and -ing.

    >>> stem("boxes"), stem("cities"), stem("sitting"), stem("children"), stem("glass")
    ('box', 'city', 'sit', 'child', 'glass')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isascii() or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:ss|x|z|ch|sh|o)es\Z", word):
        return word[:-2]
    if word.endswith("s") and not re.search(r"(?:ss|us|is)\Z", word):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > 2 and re.search("[aeiouy]", base):
            doubled = base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


_HEAD = re.compile(
    r"\bhow\s+many\s+(?P<many>[^?.,\n]{1,60})|\b(?:number|count)\s+of\s+(?P<of>[^?.,\n]{1,60})"
    r"|\b(?:combien\s+d(?:e\s+|')|cu[áa]nt[oa]s\s+|quant[ieoa]s?\s+|wie\s*viele?\s+"
    r"|сколько\s+)(?P<other>\w+)",
    re.IGNORECASE,
)
_HEAD_END = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|in|on|at|of|with|by|near"
    r"|behind|there|wear|stand|sit|that|who|which|from|under|visible|remain|left|y|hay|ci|sind|if"
    r"|after|before|between|among|shown|appear|to)\b",
    re.IGNORECASE,
)


@lru_cache(256)
def counted_words(question: str) -> frozenset[str]:
    """The stems of the thing that a question asks to count.

    >>> sorted(counted_words("How many red apples are on the tree?"))
    ['appl', 'red']
    """
    match = _HEAD.search(question)
    if not match:
        return frozenset()
    text = match["many"] or match["of"] or match["other"]
    end = _HEAD_END.search(text, 1)
    return content_words(text[: end.start()] if end else text)


@lru_cache(256)
def counted_noun(question: str) -> str:
    """The stem of the noun of the thing that a question asks to count; "" if there is none.

    >>> counted_noun("How many red apples are on the tree?")
    'appl'
    """
    words = counted_words(question)
    found = [stem for stem, _, _ in content_places(question) if stem in words]
    return found[-1] if found else ""


_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|in|on|at|there|wear|y"
    r"|hay)\b",
    re.IGNORECASE,
)


@lru_cache(256)
def counted_phrase(question: str) -> frozenset[str]:
    """As `counted_words`, with what is said of the thing.

    >>> sorted(counted_phrase("How many players of the red team are on the field?"))
    ['player', 'red', 'team']
    """
    match = _HEAD.search(question)
    if not match:
        return frozenset()
    text = match["many"] or match["of"] or match["other"]
    end = _VERB.search(text, 1)
    return content_words(text[: end.start()] if end else text)


@lru_cache(256)
def asks_for_count(question: str) -> bool:
    """Whether a question asks how many.

    >>> asks_for_count("How many dogs?"), asks_for_count("In which year?")
    (True, False)
    """
    return bool(
        re.search(
            r"\bhow\s+many|\bnumber\s+of|\bcount\b|几|多少|幾|いくつ|何[匹人個本枚台]|몇|combien|cu[áa]nt"
            r"|\bquant[ieoa]s?\b|wie\s*viele|сколько",
            question,
            re.IGNORECASE,
        )
    )
