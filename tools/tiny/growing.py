"""Everything the model is taught, once it can see: questions, worked examples, plain text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiny.drills import dictionary, list_again
from tiny.lessons import boxes, letter_list, list_many, lone_object, numbers, simply, thoughts
from tiny.renaming import picture_dictionary, renamed_digits, renamed_objects, renamed_words
from tiny.series import (
    examples_as_turns,
    examples_in_one_turn,
    examples_worded_alike,
    same_question_again,
    system_message,
    text_examples,
    thought_after_examples,
)
from tiny.subjects import DigitSource
from tiny.tokenizer import USER
from tiny.trees import PICTURE, ROW, Planter, Script, Tree

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def about_one_picture(planter: Planter) -> Tree:
    """A picture, and many questions about it as branches."""
    rng, subject = planter.rng, planter.subject(0.15)
    tree = Tree(images=[subject.picture])
    trunk = Script()
    system_message(planter, trunk, 0.1)
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(rng.randint(2, 5) if subject.digit else rng.randint(3, 10)):
        branch = Script()
        form = rng.random()
        if form < 0.1:
            text_examples(planter, branch, subject)
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
    7: {
        list_again: 40,
        dictionary: 30,
        renamed_words: 15,
        picture_dictionary: 10,
        about_one_picture: 5,
    },
    8: {
        list_again: 4,
        dictionary: 14,
        renamed_words: 10,
        picture_dictionary: 40,
        renamed_digits: 16,
        renamed_objects: 6,
        examples_worded_alike: 6,
        about_one_picture: 12,
    },
    9: {
        dictionary: 3,
        renamed_words: 4,
        picture_dictionary: 8,
        renamed_digits: 30,
        renamed_objects: 8,
        examples_worded_alike: 22,
        same_question_again: 16,
        thought_after_examples: 6,
        examples_as_turns: 6,
        examples_in_one_turn: 8,
        thoughts: 12,
        boxes: 9,
        lone_object: 5,
        about_one_picture: 26,
        letters_and_numbers: 10,
        numbers: 12,
        digits_once_more: 8,
        without_picture: 1,
    },
}


class Grower:
    """Grows trees of a lesson.

    Args:
        tokenizer: the fast tokenizer beneath the chat tokenizer.
        source: of the digits.
        rng: of everything in the trees.
        lesson: 0 asks short open questions about one picture; 1 adds lists to tick off and to
            count, and lettered options; 2 has many of these; 3 to 6 are everything; 7 is
            looking up, in words; 8 is looking up, in pictures; 9 is everything, with more worked
            examples.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        source: DigitSource,
        rng: random.Random,
        *,
        lesson: int = 9,
    ) -> None:
        self.planter, self.lesson = Planter(tokenizer, source, rng), lesson

    def grow(self) -> Tree:
        """A tree that fits in a row, and from which something is learnt."""
        while True:
            tree = self._any()
            # Where many pictures leave no room for the question, nothing is learnt.
            if len(tree) <= ROW and any(tree.weights):
                return tree

    def _any(self) -> Tree:
        if self.lesson < 3:
            return simply(self.planter, self.lesson)
        forms = FORMS[self.lesson]
        return self.planter.rng.choices(list(forms), list(forms.values()))[0](self.planter)
