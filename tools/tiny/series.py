"""Worked examples before a question: as earlier turns, in one turn, or as text alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chef.instruction.pools import load_pool
from tiny.repeating import repeated
from tiny.subjects import SYSTEM_MESSAGES, Subject
from tiny.tokenizer import END, SYSTEM, USER
from tiny.trees import PICTURE, Planter, Script, Tree
from tiny.wording import Exchange, bare

#: The pools in whose words recipes ask these kinds of questions; all others: VQA.
_POOLS = {
    "yesno": "POPE",
    "count": "counting",
    "caption": "caption",
    "label": "coarse_grained_classification",
}
_SCENE_KINDS = ("mcq", "mcq", "color", "shape", "count", "yesno", "caption")


@dataclass(frozen=True, slots=True)
class Series:
    """Subjects of one sort, one kind of question for all (None: mixed), and how each is asked."""

    subjects: Sequence[Subject]
    kind: str | None
    ask: Callable[[Subject], Exchange]


def examples_as_turns(planter: Planter) -> Tree:
    """Worked examples with pictures as earlier turns; each answer is learnt."""
    return as_turns(planter, _series(planter, planter.rng.randint(2, 5)))


def examples_worded_alike(planter: Planter) -> Tree:
    """As recipes show them: every turn in the words of one prompt and one template of a pool."""
    series = _series(planter, planter.rng.randint(2, 5), mixed=0)
    return as_turns(planter, worded_alike(planter, series))


def same_question_again(planter: Planter) -> Tree:
    """The very same question about every picture: copying an earlier answer does not pay."""
    rng = planter.rng
    kind, asked = repeated(rng, rng.randint(2, 5))
    subjects = [Subject(rng, planter.source, digit=False, scene=scene) for scene, *_ in asked]
    exchanges = {
        id(subject): Exchange(question, "", answer)
        for subject, (_, question, answer) in zip(subjects, asked, strict=True)
    }
    series = Series(subjects, kind, lambda subject: exchanges[id(subject)])
    return as_turns(planter, worded_alike(planter, series))


def thought_after_examples(planter: Planter) -> Tree:
    """Worked examples, and then a question to think about."""
    series = _series(planter, planter.rng.randint(2, 4), digit=False, mixed=0)
    alike, last = worded_alike(planter, series), series.subjects[-1]

    def ask(subject: Subject) -> Exchange:
        return subject.ask("think") if subject is last else alike.ask(subject)

    return as_turns(planter, Series(series.subjects, None, ask))


def examples_in_one_turn(planter: Planter) -> Tree:
    """Worked examples in the user's own turn: interleaved, or all pictures first."""
    rng, tree, script = planter.rng, Tree(), Script()
    series = _series(planter, rng.randint(2, 5))
    tree.images.extend(subject.picture for subject in series.subjects)
    first = rng.random() < 0.3
    script.say(USER + (PICTURE * len(series.subjects) if first else ""))
    for subject in series.subjects[:-1]:
        script.say("" if first else PICTURE)
        script.say(_worked(series.ask(subject), rng))
    script.say("" if first else PICTURE)
    planter.trunk(tree, script)
    for _ in range(4):
        branch = Script()
        branch.exchange(series.ask(series.subjects[-1]), opened=True)
        if not planter.branch(tree, branch):
            break
    return tree


def text_examples(planter: Planter, script: Script, subject: Subject) -> None:
    """Worked examples as text before the question; their pictures are not shown."""
    for _ in range(planter.rng.randint(1, 4)):
        other = Subject(planter.rng, planter.source, digit=subject.digit)
        script.say(_worked(other.ask(), planter.rng))


def system_message(planter: Planter, script: Script, share: float) -> None:
    if planter.rng.random() < share:
        script.say(SYSTEM + planter.rng.choice(SYSTEM_MESSAGES) + END)


def as_turns(planter: Planter, series: Series) -> Tree:
    """Every picture with its question and its answer, one exchange after the other."""
    tree, script = Tree(), Script()
    system_message(planter, script, 0.2)
    for subject in series.subjects:
        exchange = series.ask(subject)
        picture_last = planter.rng.random() < 0.1
        prompt = exchange.prompt + PICTURE if picture_last else PICTURE + exchange.prompt
        script.exchange(Exchange(prompt, exchange.given, exchange.answer))
        tree.images.append(subject.picture)
    planter.trunk(tree, script)
    return tree


def worded_alike(planter: Planter, series: Series) -> Series:
    """The same series in the words of one prompt and one template of a pool."""
    rng = planter.rng
    own = series.kind in ("caption", "label") or (series.kind in _POOLS and rng.random() < 0.5)
    pool = load_pool(_POOLS[series.kind] if series.kind and own else "VQA")
    prompt, template = rng.choice(pool.prompts), rng.choice(pool.templates)
    given = template.removesuffix("{option}")

    def ask(subject: Subject) -> Exchange:
        found = series.ask(subject)
        return Exchange(prompt.format(question=bare(found.prompt)), given, found.answer)

    return Series(series.subjects, series.kind, ask)


def _series(
    planter: Planter, number: int, *, digit: bool | None = None, mixed: float = 0.15
) -> Series:
    """Subjects of one sort, and one kind of question, but for a share (``mixed``) of series."""
    rng = planter.rng
    if digit is None:
        digit = rng.random() < 0.2
    subjects = [Subject(rng, planter.source, digit=digit) for _ in range(number)]
    letter_only = rng.random() < 0.5
    for subject in subjects:
        subject.letter_only = letter_only
    kinds = ("label", "label", "open", "mcq") if digit else _SCENE_KINDS
    kind = None if rng.random() < mixed else rng.choice(kinds)
    return Series(subjects, kind, lambda subject: subject.ask(kind))


def _worked(exchange: Exchange, rng: random.Random) -> str:
    """An example as text, in the layouts of ChEF's two generations."""
    if rng.random() < 0.25:
        return f"{exchange.prompt}: {exchange.given}{exchange.answer}.\n"
    return f"{exchange.prompt}\n{exchange.given}{exchange.answer}\n"
