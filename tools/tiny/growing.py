"""Everything the model is taught, once it can see: questions, worked examples, plain text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiny.lessons import letter_list, list_many, numbers, simply
from tiny.subjects import SYSTEM_MESSAGES, DigitSource, Subject
from tiny.tokenizer import END, SYSTEM, USER
from tiny.trees import PICTURE, ROW, Planter, Script, Tree
from tiny.wording import Exchange

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def about_one_picture(planter: Planter) -> Tree:
    """A picture, and many questions about it as branches."""
    rng, subject = planter.rng, planter.subject(0.15)
    tree = Tree(images=[subject.picture])
    trunk = Script()
    _system(planter, trunk, 0.1)
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(rng.randint(2, 5) if subject.digit else rng.randint(3, 10)):
        branch = Script()
        form = rng.random()
        if form < 0.1:
            _text_examples(planter, branch, subject)
        if not subject.digit and 0.1 < form < 0.15:
            list_many(planter, branch, subject.scene)
        else:
            branch.exchange(subject.ask(), opened=True)
        if form > 0.9:
            for _ in range(rng.randint(1, 3)):
                branch.exchange(subject.ask())
        if not planter.branch(tree, branch):
            break
    return tree


def examples_as_turns(planter: Planter) -> Tree:
    """Worked examples with pictures as earlier turns; each answer is learnt."""
    rng, tree, script = planter.rng, Tree(), Script()
    _system(planter, script, 0.2)
    subjects, kind = _series(planter, rng.randint(2, 5))
    for subject in subjects:
        exchange = subject.ask(kind)
        picture_last = rng.random() < 0.1
        prompt = exchange.prompt + PICTURE if picture_last else PICTURE + exchange.prompt
        script.exchange(Exchange(prompt, exchange.given, exchange.answer))
        tree.images.append(subject.picture)
    planter.trunk(tree, script)
    return tree


def examples_in_one_turn(planter: Planter) -> Tree:
    """Worked examples in the user's own turn: interleaved, or all pictures first."""
    rng, tree, script = planter.rng, Tree(), Script()
    subjects, kind = _series(planter, rng.randint(2, 5))
    tree.images.extend(subject.picture for subject in subjects)
    first = rng.random() < 0.3
    script.say(USER + (PICTURE * len(subjects) if first else ""))
    for subject in subjects[:-1]:
        exchange = subject.ask(kind)
        script.say("" if first else PICTURE)
        script.say(_worked(exchange, rng))
    script.say("" if first else PICTURE)
    planter.trunk(tree, script)
    for _ in range(4):
        branch = Script()
        branch.exchange(subjects[-1].ask(kind), opened=True)
        if not planter.branch(tree, branch):
            break
    return tree


def without_picture(planter: Planter) -> Tree:
    """The scene in words: what is asked about pictures can be asked about text."""
    subject, tree, script = planter.subject(0.0), Tree(), Script()
    script.say(f"{USER}{planter.rng.choice(('Scene: ', 'There is ', ''))}{subject.description}.\n")
    planter.trunk(tree, script)
    for _ in range(4):
        branch = Script()
        kind = planter.rng.choice(("color", "shape", "count", "yesno", "mcq"))
        branch.exchange(subject.ask(kind), opened=True)
        planter.branch(tree, branch)
    return tree


def _series(planter: Planter, number: int) -> tuple[list[Subject], str | None]:
    """Subjects of one sort, and one kind of question for all (None: mixed)."""
    rng, digit = planter.rng, planter.rng.random() < 0.2
    subjects = [Subject(rng, planter.source, digit=digit) for _ in range(number)]
    letter_only = rng.random() < 0.5
    for subject in subjects:
        subject.letter_only = letter_only
    if rng.random() < 0.15:
        return subjects, None
    if digit:
        return subjects, rng.choice(("label", "label", "open", "mcq"))
    kinds = ("mcq", "mcq", "color", "shape", "count", "yesno", "caption")
    return subjects, rng.choice(kinds)


def _system(planter: Planter, script: Script, share: float) -> None:
    if planter.rng.random() < share:
        script.say(SYSTEM + planter.rng.choice(SYSTEM_MESSAGES) + END)


def _text_examples(planter: Planter, script: Script, subject: Subject) -> None:
    """Worked examples as text before the question; their pictures are not shown."""
    for _ in range(planter.rng.randint(1, 4)):
        other = Subject(planter.rng, planter.source, digit=subject.digit)
        script.say(_worked(other.ask(), planter.rng))


def _worked(exchange: Exchange, rng: random.Random) -> str:
    """An example as text, in the layouts of ChEF's two generations."""
    if rng.random() < 0.25:
        return f"{exchange.prompt}: {exchange.given}{exchange.answer}.\n"
    return f"{exchange.prompt}\n{exchange.given}{exchange.answer}\n"


def letters_and_numbers(planter: Planter) -> Tree:
    """What takes longest to learn, once more."""
    return simply(planter, 2)


def digits_once_more(planter: Planter) -> Tree:
    """One scanned digit, asked for in several of its pool's wordings."""
    subject, tree, trunk = planter.subject(1.0), Tree(), Script()
    tree.images.append(subject.picture)
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(3):
        branch = Script()
        branch.exchange(subject.ask("label"), opened=True)
        planter.branch(tree, branch)
    return tree


Form = Callable[[Planter], Tree]
#: The forms of the last lessons, each with its share.
FORMS: dict[int, dict[Form, int]] = {
    3: {
        about_one_picture: 66,
        letter_list: 4,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    4: {
        about_one_picture: 36,
        letters_and_numbers: 34,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    5: {
        about_one_picture: 36,
        letters_and_numbers: 30,
        digits_once_more: 30,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    6: {
        about_one_picture: 28,
        letters_and_numbers: 16,
        numbers: 36,
        digits_once_more: 22,
        examples_as_turns: 14,
        examples_in_one_turn: 7,
        without_picture: 2,
    },
}


class Grower:
    """Grows trees of a lesson.

    Args:
        tokenizer: the fast tokenizer beneath the chat tokenizer.
        source: of the digits.
        rng: of everything in the trees.
        lesson: 0 asks short open questions about one picture; 1 adds lists to tick off and to
            count, and lettered options; 2 has many of these; 3 to 6 are everything.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        source: DigitSource,
        rng: random.Random,
        *,
        lesson: int = 6,
    ) -> None:
        self.planter, self.lesson = Planter(tokenizer, source, rng), lesson

    def grow(self) -> Tree:
        """A tree that fits in a row."""
        while True:
            tree = self._any()
            if len(tree) <= ROW:
                return tree

    def _any(self) -> Tree:
        if self.lesson < 3:
            return simply(self.planter, self.lesson)
        forms = FORMS[self.lesson]
        return self.planter.rng.choices(list(forms), list(forms.values()))[0](self.planter)
