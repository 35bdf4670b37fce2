"""In-context examples of the trainer: names for one conversation, and repeated questions."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from tiny import example_tasks, lookup_tasks, renaming_tasks, repeating
from tiny.model import PATCH
from tiny.subjects import DigitSource, corpus
from tiny.tokenizer import ASSISTANT, END, USER, chat_tokenizer, train_tokenizer
from tiny.trees import PICTURE, Tree, TreeBuilder

from chef.common.options import article
from chef.scenario.shapes.drawing import SIZE, Scene, split_of
from chef.scenario.shapes.questions import COUNT_WORDING, YESNO_WORDING, plural

ROUNDS = 40


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("words") / "tokenizer.json"
    train_tokenizer(corpus(DigitSource(), random.Random(0), 200), path)
    return chat_tokenizer(path)


@pytest.fixture
def builder(tokenizer: Any) -> TreeBuilder:
    return TreeBuilder(tokenizer.backend_tokenizer, DigitSource(), random.Random(3))


def exchanges(tree: Tree, tokenizer: Any) -> list[tuple[str, str, bool]]:
    """What is asked, what is answered, and whether the answer is learnt."""
    found, prompt, start = [], "", 0
    marks = {tokenizer.convert_tokens_to_ids(mark): mark for mark in (USER, ASSISTANT, END)}
    for i, token in enumerate(tree.ids):
        mark = marks.get(token)
        if mark == END and prompt:
            text = tokenizer.decode(tree.ids[start:i])
            found.append((prompt, text, tree.weights[i] > 0))
            prompt = ""
        elif mark == ASSISTANT:
            prompt = tokenizer.decode(tree.ids[start : i - 1])
        if mark in (USER, ASSISTANT):
            start = i + 1
    return found


@pytest.mark.parametrize(
    "form",
    [renaming_tasks.renamed_words, renaming_tasks.renamed_digits, renaming_tasks.renamed_objects],
)
def test_a_name_is_learnt_where_it_was_told_before(
    form: Callable[[TreeBuilder], Tree], builder: TreeBuilder, tokenizer: Any
) -> None:
    unknown = 0
    for _ in range(ROUNDS):
        tree = form(builder)
        told: set[str] = set()
        turns = exchanges(tree, tokenizer)
        for _, answer, learnt in turns:
            assert learnt == (answer in told)
            told.add(answer)
            unknown += not learnt
        assert turns[-1][2]
    assert unknown > ROUNDS  # some conversations name several things


def test_the_same_words_name_the_same_thing(builder: TreeBuilder, tokenizer: Any) -> None:
    for _ in range(ROUNDS):
        names: dict[str, str] = {}
        for prompt, answer, _ in exchanges(renaming_tasks.renamed_words(builder), tokenizer):
            assert names.setdefault(prompt, answer) == answer
        assert len(set(names.values())) == len(names)


def test_names_are_drawn_anew_for_every_conversation(builder: TreeBuilder, tokenizer: Any) -> None:
    called: dict[str, set[str]] = {}
    for _ in range(200):
        for prompt, answer, _ in exchanges(renaming_tasks.renamed_words(builder), tokenizer):
            called.setdefault(prompt, set()).add(answer)
    assert max(map(len, called.values())) > 3


def test_what_the_lookup_tasks_teach_was_said_before(builder: TreeBuilder, tokenizer: Any) -> None:
    for form in (lookup_tasks.repeated_list, lookup_tasks.text_dictionary):
        for _ in range(ROUNDS):
            tree = form(builder)
            learnt = [i for i, weight in enumerate(tree.weights) if weight]
            assert learnt
            for i in learnt:
                assert tokenizer.decode([tree.ids[i]]).strip() in tokenizer.decode(tree.ids[:i])


def test_a_dictionary_gives_a_thing_one_name(builder: TreeBuilder, tokenizer: Any) -> None:
    for _ in range(ROUNDS):
        called: dict[str, str] = {}
        tree = renaming_tasks.picture_dictionary(builder)
        for prompt, answer, _ in exchanges(tree, tokenizer):
            if PICTURE not in prompt:
                assert called.setdefault(prompt, answer) == answer


def test_a_lone_object_is_of_the_train_split() -> None:
    rng = random.Random(0)
    for label in rng.sample(repeating.LABELS, 10):
        scene = repeating.single_thing(rng, label)
        assert scene.labels == (label,)
        assert split_of(scene.content) == "train"


def truth(kind: str, question: str, scene: Scene) -> str:
    """The answer, found in another way than the trainer does: from the words of the question."""
    words = question.rstrip("?").replace(" the ", " ").split()
    if kind == "color":
        return next(thing.color for thing in scene.things if thing.shape in words)
    if kind == "shape":
        return next(thing.shape for thing in scene.things if thing.color in words)
    wordings = COUNT_WORDING if kind == "count" else YESNO_WORDING
    nouns = (
        (thing.label, thing.shape, f"{thing.color} object", "object") for thing in scene.things
    )
    named = [
        noun
        for noun in chain.from_iterable(nouns)
        if question in [w.format(things=plural(noun), thing=article(noun)) for w in wordings]
    ]
    return str(len(named)) if kind == "count" else ("Yes" if named else "No")


def test_a_repeated_question_has_the_answer_of_each_picture() -> None:
    rng, kinds, answers = random.Random(1), set(), []
    for _ in range(120):
        kind, asked = repeating.repeated(rng, 4)
        kinds.add(kind)
        assert len({question for _, question, _ in asked}) == 1
        for scene, question, answer in asked:
            assert split_of(scene.content) == "train"
            assert answer == truth(kind, question, scene), question
        if kind == "yesno":
            answers += [answer for *_, answer in asked]
    assert kinds == {"yesno", "count", "color", "shape"}
    assert 0.4 < answers.count("Yes") / len(answers) < 0.6


def test_questions_worded_alike_share_their_words(builder: TreeBuilder, tokenizer: Any) -> None:
    for _ in range(ROUNDS):
        tree = example_tasks.same_question_again(builder)
        prompts = {prompt.replace(PICTURE, "") for prompt, _, _ in exchanges(tree, tokenizer)}
        assert len(prompts) == 1


def test_a_thought_after_examples_is_about_the_last_picture(
    builder: TreeBuilder, tokenizer: Any
) -> None:
    reasoning = 0
    for _ in range(ROUNDS):
        tree = example_tasks.reasoning_after_examples(builder)
        *examples, (prompt, answer, learnt) = exchanges(tree, tokenizer)
        assert examples
        assert learnt
        assert "There is " in answer
        reasoning += "step by step" in prompt
    assert 0 < reasoning < ROUNDS


@pytest.mark.parametrize(
    "form", [example_tasks.examples_as_turns, example_tasks.examples_worded_alike]
)
def test_every_example_shows_its_picture(
    form: Callable[[TreeBuilder], Tree], builder: TreeBuilder, tokenizer: Any
) -> None:
    image, tokens = tokenizer.convert_tokens_to_ids("<image>"), (SIZE // PATCH) ** 2
    for _ in range(ROUNDS):
        tree = form(builder)
        assert tree.ids.count(image) == tokens * len(tree.images)
        assert len(exchanges(tree, tokenizer)) == len(tree.images)
