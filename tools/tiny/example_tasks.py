"""Tasks with in-context examples: as earlier turns, in one turn, or as text without pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chef.instruction.pools import load_pool
from tiny.repeating import repeated
from tiny.subjects import SYSTEM_MESSAGES, Subject
from tiny.tokenizer import END, SYSTEM, USER
from tiny.trees import PICTURE, Script, Tree, TreeBuilder
from tiny.wording import Exchange, bare

#: The wording pools that recipes use for these kinds of questions; the pool of all others is VQA.
_POOLS = {
    "yesno": "POPE",
    "count": "counting",
    "caption": "caption",
    "label": "coarse_grained_classification",
}
_SCENE_KINDS = ("mcq", "mcq", "color", "shape", "count", "yesno", "caption")


@dataclass(frozen=True, slots=True)
class Series:
    """What the turns of one conversation are about, and what they ask.

    Attributes:
        subjects: scenes only or digits only, one for each turn.
        kind: the kind of question of all turns, or None for different kinds.
        ask: the exchange about a subject.
    """

    subjects: Sequence[Subject]
    kind: str | None
    ask: Callable[[Subject], Exchange]


def examples_as_turns(builder: TreeBuilder) -> Tree:
    """In-context examples with pictures as earlier turns; each answer has a loss."""
    return as_turns(builder, _series(builder, builder.rng.randint(2, 5)))


def examples_worded_alike(builder: TreeBuilder) -> Tree:
    """The same as recipes word it: every turn with the same prompt and template of a pool."""
    series = _series(builder, builder.rng.randint(2, 5), mixed=0)
    return as_turns(builder, worded_alike(builder, series))


def same_question_again(builder: TreeBuilder) -> Tree:
    """Exactly the same question about every picture, so that copying an earlier answer fails."""
    rng = builder.rng
    kind, asked = repeated(rng, rng.randint(2, 5))
    subjects = [Subject(rng, builder.source, digit=False, scene=scene) for scene, *_ in asked]
    exchanges = {
        id(subject): Exchange(question, "", answer)
        for subject, (_, question, answer) in zip(subjects, asked, strict=True)
    }
    series = Series(subjects, kind, lambda subject: exchanges[id(subject)])
    return as_turns(builder, worded_alike(builder, series))


def reasoning_after_examples(builder: TreeBuilder) -> Tree:
    """In-context examples, then a question that is answered after a chain of thought."""
    series = _series(builder, builder.rng.randint(2, 4), digit=False, mixed=0)
    alike, last = worded_alike(builder, series), series.subjects[-1]

    def ask(subject: Subject) -> Exchange:
        return subject.ask("think") if subject is last else alike.ask(subject)

    return as_turns(builder, Series(series.subjects, None, ask))


def examples_in_one_turn(builder: TreeBuilder) -> Tree:
    """In-context examples in the user's own turn: interleaved, or all pictures first."""
    rng, tree, script = builder.rng, Tree(), Script()
    series = _series(builder, rng.randint(2, 5))
    tree.images.extend(subject.picture for subject in series.subjects)
    first = rng.random() < 0.3
    script.say(USER + (PICTURE * len(series.subjects) if first else ""))
    for subject in series.subjects[:-1]:
        script.say("" if first else PICTURE)
        script.say(_example_text(series.ask(subject), rng))
    script.say("" if first else PICTURE)
    builder.trunk(tree, script)
    for _ in range(4):
        branch = Script()
        branch.exchange(series.ask(series.subjects[-1]), opened=True)
        if not builder.branch(tree, branch):
            break
    return tree


def text_examples(builder: TreeBuilder, script: Script, subject: Subject) -> None:
    """Append in-context examples as text; their pictures are not shown."""
    for _ in range(builder.rng.randint(1, 4)):
        other = Subject(builder.rng, builder.source, digit=subject.digit)
        script.say(_example_text(other.ask(), builder.rng))


def system_message(builder: TreeBuilder, script: Script, share: float) -> None:
    """Append a system message with probability ``share``."""
    if builder.rng.random() < share:
        script.say(SYSTEM + builder.rng.choice(SYSTEM_MESSAGES) + END)


def as_turns(builder: TreeBuilder, series: Series) -> Tree:
    """The series as a conversation: in each turn a picture, its question and its answer."""
    tree, script = Tree(), Script()
    system_message(builder, script, 0.2)
    for subject in series.subjects:
        exchange = series.ask(subject)
        picture_last = builder.rng.random() < 0.1
        prompt = exchange.prompt + PICTURE if picture_last else PICTURE + exchange.prompt
        script.exchange(Exchange(prompt, exchange.given, exchange.answer))
        tree.images.append(subject.picture)
    builder.trunk(tree, script)
    return tree


def worded_alike(builder: TreeBuilder, series: Series) -> Series:
    """The same series, all turns worded by one prompt and one template of a pool."""
    rng = builder.rng
    own = series.kind in ("caption", "label") or (series.kind in _POOLS and rng.random() < 0.5)
    pool = load_pool(_POOLS[series.kind] if series.kind and own else "VQA")
    prompt, template = rng.choice(pool.prompts), rng.choice(pool.templates)
    given = template.removesuffix("{option}")

    def ask(subject: Subject) -> Exchange:
        found = series.ask(subject)
        return Exchange(prompt.format(question=bare(found.prompt)), given, found.answer)

    return Series(series.subjects, series.kind, ask)


def _series(
    builder: TreeBuilder, number: int, *, digit: bool | None = None, mixed: float = 0.15
) -> Series:
    """A series of ``number`` turns.

    Args:
        builder: draws it.
        number: how many turns.
        digit: about digits or about scenes; None draws one of the two.
        mixed: the probability that the turns ask different kinds of questions.
    """
    rng = builder.rng
    if digit is None:
        digit = rng.random() < 0.2
    subjects = [Subject(rng, builder.source, digit=digit) for _ in range(number)]
    letter_only = rng.random() < 0.5
    for subject in subjects:
        subject.letter_only = letter_only
    kinds = ("label", "label", "open", "mcq") if digit else _SCENE_KINDS
    kind = None if rng.random() < mixed else rng.choice(kinds)
    return Series(subjects, kind, lambda subject: subject.ask(kind))


def _example_text(exchange: Exchange, rng: random.Random) -> str:
    """An example as text, in the layouts of ChEF's two versions."""
    if rng.random() < 0.25:
        return f"{exchange.prompt}: {exchange.given}{exchange.answer}.\n"
    return f"{exchange.prompt}\n{exchange.given}{exchange.answer}\n"
