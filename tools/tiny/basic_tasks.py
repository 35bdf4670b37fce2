"""Basic tasks: questions about one picture, questions about text, and lists of small questions.

In a list, each answer directly follows the word it is about, so a model finds it in one step; what
it learns to look up there, it uses in questions later. Without these lists the same model still
guessed colours, presence and letters after a third of its training.
"""

from __future__ import annotations

from chef.common.options import article
from chef.scenario.shapes.drawing import COLORS, SHAPES, Scene
from chef.scenario.shapes.questions import LETTERS
from tiny.example_tasks import system_message, text_examples
from tiny.repeating import LABELS, single_thing
from tiny.subjects import Subject
from tiny.tokenizer import USER
from tiny.trees import PICTURE, Script, Tree, TreeBuilder
from tiny.wording import CENSUS_WORDING, CHECK_WORDING, Exchange, census, checklist

#: The kinds of questions of levels 0, 1 and 2. At level 0, tables and captions teach which colour
#: goes with which shape.
SIMPLE_KINDS = ("color", "color", "shape", "yesno", "count", "table", "table", "caption")
MIXED_KINDS = ("color", "shape", "yesno", "yesno", "count", "count", "mcq", "mcq", "caption")
LETTER_KINDS = ("mcq",) * 6 + ("yesno", "count", "count", "color", "shape", "caption")


def short_questions(builder: TreeBuilder, level: int) -> Tree:
    """A picture and short questions about it: the only task of the levels below 3."""
    rng = builder.rng
    if level == 1 and rng.random() < 0.1:
        return letters(builder)
    if level == 2 and rng.random() < 0.45:
        return letter_list(builder)
    subject = builder.subject(0.12)
    tree, trunk = Tree(images=[subject.picture]), Script()
    trunk.say(USER + PICTURE)
    builder.trunk(tree, trunk)
    for _ in range(3 if subject.digit else 8):
        branch = Script()
        if subject.digit:
            branch.exchange(subject.ask("label"), opened=True)
        elif level > 0 and rng.random() < 0.3:
            list_many(builder, branch, subject.scene)
        else:
            kinds = (SIMPLE_KINDS, MIXED_KINDS, LETTER_KINDS)[level]
            branch.exchange(subject.ask(rng.choice(kinds)), opened=True)
        if not builder.branch(tree, branch):
            break
    return tree


def letters(builder: TreeBuilder) -> Tree:
    """Lettered options without a picture, and questions about the letter of an option."""
    rng, tree, trunk = builder.rng, Tree(), Script()
    words = rng.choice((tuple(COLORS), SHAPES, tuple("0123456789")))
    choices = rng.sample(words, 4)
    listed = " ".join(f"({LETTERS[i]}) {choice}" for i, choice in enumerate(choices))
    trunk.say(f"{USER}Options: {listed}\n")
    builder.trunk(tree, trunk)
    for truth in rng.sample(range(4), 3):
        branch = Script()
        prompt = f"Which option is {choices[truth]}?"
        answer = f"({LETTERS[truth]}) {choices[truth]}"
        branch.exchange(Exchange(prompt, "", answer), opened=True)
        builder.branch(tree, branch)
    return tree


def letter_list(builder: TreeBuilder) -> Tree:
    """Like `letters`, in all layouts, and with lists of the options and their letters."""
    rng, tree, trunk = builder.rng, Tree(), Script()
    labels = [article(f"{color} {shape}") for color in COLORS for shape in SHAPES]
    choices = rng.sample(rng.choice((tuple(COLORS), SHAPES, tuple("0123456789"), labels)), 4)
    layout, joint = rng.choice((("({}) {}", " "), ("({}) {}", "\n"), ("{}. {}", "\n")))
    lines = [layout.format(LETTERS[i], choice) for i, choice in enumerate(choices)]
    trunk.say(f"{USER}Options:{rng.choice((' ', joint))}{joint.join(lines)}\n")
    builder.trunk(tree, trunk)
    orders = [rng.sample(range(4), 4) for _ in range(2)]
    for order in orders:
        pairs = [(choices[i], LETTERS[i]) for i in order]
        branch = Script()
        branch.pairs("Give the letter of each option.", pairs)
        builder.branch(tree, branch)
    for truth in orders[0][:3]:
        branch, line = Script(), lines[truth] if layout[0] == "(" else LETTERS[truth]
        prompt = f"Which option is {choices[truth]}?"
        branch.exchange(Exchange(prompt, "", line), opened=True)
        builder.branch(tree, branch)
    return tree


def counting(builder: TreeBuilder) -> Tree:
    """A picture and counts of what it shows, as lists and as questions."""
    subject, tree, trunk = builder.subject(0.0), Tree(), Script()
    tree.images.append(subject.picture)
    trunk.say(USER + PICTURE)
    builder.trunk(tree, trunk)
    for _ in range(7):
        branch = Script()
        if builder.rng.random() < 0.5:
            wording = builder.rng.choice(CENSUS_WORDING)
            branch.pairs(wording, census(subject.scene, builder.rng))
        else:
            branch.exchange(subject.ask("count"), opened=True)
        if not builder.branch(tree, branch):
            break
    return tree


def reasoning(builder: TreeBuilder) -> Tree:
    """A picture and questions that are answered after a chain of thought."""
    return _many(builder, builder.subject(0.0), ("think",))


def boxes(builder: TreeBuilder) -> Tree:
    """A picture and the boxes of its objects."""
    return _many(builder, builder.subject(0.0), ("ground", "ground", "detect"))


def single_object(builder: TreeBuilder) -> Tree:
    """A picture of one object and the question what it is."""
    rng = builder.rng
    scene = single_thing(rng, rng.choice(LABELS))
    subject = Subject(rng, builder.source, digit=False, scene=scene)
    return _many(builder, subject, ("label",), 3)


def _many(builder: TreeBuilder, subject: Subject, kinds: tuple[str, ...], number: int = 7) -> Tree:
    tree, trunk = Tree(images=[subject.picture]), Script()
    trunk.say(USER + PICTURE)
    builder.trunk(tree, trunk)
    for _ in range(number):
        branch = Script()
        branch.exchange(subject.ask(builder.rng.choice(kinds)), opened=True)
        if not builder.branch(tree, branch):
            break
    return tree


def list_many(builder: TreeBuilder, script: Script, scene: Scene) -> None:
    """Many small questions in one list; each answer directly follows what it is about."""
    if builder.rng.random() < 0.6:
        prompt, pairs = builder.rng.choice(CHECK_WORDING), checklist(scene, builder.rng)
    else:
        prompt, pairs = builder.rng.choice(CENSUS_WORDING), census(scene, builder.rng)
    script.pairs(prompt, pairs)


def about_one_picture(builder: TreeBuilder) -> Tree:
    """A picture and many questions about it, each a branch of its own."""
    rng, subject = builder.rng, builder.subject(0.15)
    tree = Tree(images=[subject.picture])
    trunk = Script()
    system_message(builder, trunk, 0.1)
    trunk.say(USER + PICTURE)
    builder.trunk(tree, trunk)
    for _ in range(rng.randint(2, 5) if subject.digit else rng.randint(3, 10)):
        branch = Script()
        form = rng.random()
        if form < 0.1:
            text_examples(builder, branch, subject)
        if not subject.digit and 0.1 < form < 0.15:
            list_many(builder, branch, subject.scene)
        else:
            branch.exchange(subject.ask(), opened=True)
        if form > 0.9:
            for _ in range(rng.randint(1, 3)):
                branch.exchange(subject.ask())
        if not builder.branch(tree, branch):
            break
    return tree


def without_picture(builder: TreeBuilder) -> Tree:
    """A scene described in words instead of a picture, and questions about it."""
    subject, tree, script = builder.subject(0.0), Tree(), Script()
    script.say(f"{USER}{builder.rng.choice(('Scene: ', 'There is ', ''))}{subject.description}.\n")
    builder.trunk(tree, script)
    for _ in range(4):
        branch = Script()
        kind = builder.rng.choice(("color", "shape", "count", "yesno", "mcq"))
        branch.exchange(subject.ask(kind), opened=True)
        builder.branch(tree, branch)
    return tree


def extra_letters(builder: TreeBuilder) -> Tree:
    """More of what takes longest to learn: letters and counts."""
    return short_questions(builder, 2)


def extra_digits(builder: TreeBuilder) -> Tree:
    """One scanned digit, asked about in several wordings of its pool."""
    subject, tree, trunk = builder.subject(1.0), Tree(), Script()
    tree.images.append(subject.picture)
    trunk.say(USER + PICTURE)
    builder.trunk(tree, trunk)
    for _ in range(3):
        branch = Script()
        branch.exchange(subject.ask("label"), opened=True)
        builder.branch(tree, branch)
    return tree
