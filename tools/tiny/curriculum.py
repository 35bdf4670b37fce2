"""The curriculum: which tasks the language model learns from at each level, and how often.

A task is a function that builds one tree of training text (see `trees`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiny.basic_tasks import (
    about_one_picture,
    boxes,
    counting,
    extra_digits,
    extra_letters,
    letter_list,
    reasoning,
    short_questions,
    single_object,
    without_picture,
)
from tiny.example_tasks import (
    examples_as_turns,
    examples_in_one_turn,
    examples_worded_alike,
    reasoning_after_examples,
    same_question_again,
)
from tiny.lookup_tasks import repeated_list, text_dictionary
from tiny.renaming_tasks import picture_dictionary, renamed_digits, renamed_objects, renamed_words
from tiny.subjects import DigitSource
from tiny.trees import ROW, Tree, TreeBuilder

if TYPE_CHECKING:
    from tokenizers import Tokenizer


#: Builds one tree.
Task = Callable[[TreeBuilder], Tree]
#: The tasks of the levels from 3 on, each with its weight in the draw.
TASKS: dict[int, dict[Task, int]] = {
    3: {
        about_one_picture: 66,
        letter_list: 4,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    4: {
        about_one_picture: 36,
        extra_letters: 34,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    5: {
        about_one_picture: 36,
        extra_letters: 30,
        extra_digits: 30,
        examples_as_turns: 18,
        examples_in_one_turn: 9,
        without_picture: 3,
    },
    6: {
        about_one_picture: 28,
        extra_letters: 16,
        counting: 36,
        extra_digits: 22,
        examples_as_turns: 14,
        examples_in_one_turn: 7,
        without_picture: 2,
    },
    7: {
        repeated_list: 40,
        text_dictionary: 30,
        renamed_words: 15,
        picture_dictionary: 10,
        about_one_picture: 5,
    },
    8: {
        repeated_list: 4,
        text_dictionary: 14,
        renamed_words: 10,
        picture_dictionary: 40,
        renamed_digits: 16,
        renamed_objects: 6,
        examples_worded_alike: 6,
        about_one_picture: 12,
    },
    9: {
        text_dictionary: 3,
        renamed_words: 4,
        picture_dictionary: 8,
        renamed_digits: 30,
        renamed_objects: 8,
        examples_worded_alike: 22,
        same_question_again: 16,
        reasoning_after_examples: 6,
        examples_as_turns: 6,
        examples_in_one_turn: 8,
        reasoning: 12,
        boxes: 9,
        single_object: 5,
        about_one_picture: 26,
        extra_letters: 10,
        counting: 12,
        extra_digits: 8,
        without_picture: 1,
    },
}


class TreeSampler:
    """Draws the trees of one level.

    Args:
        tokenizer: the fast tokenizer inside the chat tokenizer.
        source: the source of digits.
        rng: decides everything in the trees.
        level: 0 has short open questions about one picture; 1 adds lists to check and to count,
            and lettered options; 2 has many of these; 3 to 6 have all tasks; 7 is looking things up
            in text; 8 is looking things up in pictures; 9 has all tasks, with more in-context
            examples.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        source: DigitSource,
        rng: random.Random,
        *,
        level: int = 9,
    ) -> None:
        self.builder, self.level = TreeBuilder(tokenizer, source, rng), level

    def sample(self) -> Tree:
        """A tree that fits in a row and has at least one token to learn."""
        while True:
            tree = self._draw()
            # Many pictures can leave no room for the question; such a tree teaches nothing.
            if len(tree) <= ROW and any(tree.weights):
                return tree

    def _draw(self) -> Tree:
        if self.level < 3:
            return short_questions(self.builder, self.level)
        tasks = TASKS[self.level]
        return self.builder.rng.choices(list(tasks), list(tasks.values()))[0](self.builder)
