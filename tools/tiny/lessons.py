"""The first lessons: short questions, and lists of many small ones.

Where the answer follows at once the word it is about, a model finds it in one look; what it learnt
to look up there, it then uses in questions. Without these lessons the same model still guessed
colours, presence and letters after a third of its training.
"""

from __future__ import annotations

from chef.common.options import article
from chef.scenario.shapes.drawing import COLORS, SHAPES, Scene
from chef.scenario.shapes.questions import LETTERS
from tiny.repeating import LABELS, lone
from tiny.subjects import Subject
from tiny.tokenizer import USER
from tiny.trees import PICTURE, Planter, Script, Tree
from tiny.wording import CENSUS_WORDING, CHECK_WORDING, Exchange, census, checklist

#: What is asked at first; the tables and captions teach which colour goes with which shape.
SIMPLE_KINDS = ("color", "color", "shape", "yesno", "count", "table", "table", "caption")
LESSON_KINDS = ("color", "shape", "yesno", "yesno", "count", "count", "mcq", "mcq", "caption")
LETTER_KINDS = ("mcq",) * 6 + ("yesno", "count", "count", "color", "shape", "caption")


def simply(planter: Planter, lesson: int) -> Tree:
    """A picture, and short questions about it."""
    rng = planter.rng
    if lesson == 1 and rng.random() < 0.1:
        return letters(planter)
    if lesson == 2 and rng.random() < 0.45:
        return letter_list(planter)
    subject = planter.subject(0.12)
    tree, trunk = Tree(images=[subject.picture]), Script()
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(3 if subject.digit else 8):
        branch = Script()
        if subject.digit:
            branch.exchange(subject.ask("label"), opened=True)
        elif lesson > 0 and rng.random() < 0.3:
            list_many(planter, branch, subject.scene)
        else:
            kinds = (SIMPLE_KINDS, LESSON_KINDS, LETTER_KINDS)[lesson]
            branch.exchange(subject.ask(rng.choice(kinds)), opened=True)
        if not planter.branch(tree, branch):
            break
    return tree


def letters(planter: Planter) -> Tree:
    """Lettered options without a picture, and which letter stands by which of them."""
    rng, tree, trunk = planter.rng, Tree(), Script()
    words = rng.choice((tuple(COLORS), SHAPES, tuple("0123456789")))
    choices = rng.sample(words, 4)
    listed = " ".join(f"({LETTERS[i]}) {choice}" for i, choice in enumerate(choices))
    trunk.say(f"{USER}Options: {listed}\n")
    planter.trunk(tree, trunk)
    for truth in rng.sample(range(4), 3):
        branch = Script()
        prompt = f"Which option is {choices[truth]}?"
        answer = f"({LETTERS[truth]}) {choices[truth]}"
        branch.exchange(Exchange(prompt, "", answer), opened=True)
        planter.branch(tree, branch)
    return tree


def letter_list(planter: Planter) -> Tree:
    """As `letters`, in all layouts, and with a list of all letters by what they stand for."""
    rng, tree, trunk = planter.rng, Tree(), Script()
    labels = [article(f"{color} {shape}") for color in COLORS for shape in SHAPES]
    choices = rng.sample(rng.choice((tuple(COLORS), SHAPES, tuple("0123456789"), labels)), 4)
    layout, joint = rng.choice((("({}) {}", " "), ("({}) {}", "\n"), ("{}. {}", "\n")))
    lines = [layout.format(LETTERS[i], choice) for i, choice in enumerate(choices)]
    trunk.say(f"{USER}Options:{rng.choice((' ', joint))}{joint.join(lines)}\n")
    planter.trunk(tree, trunk)
    orders = [rng.sample(range(4), 4) for _ in range(2)]
    for order in orders:
        pairs = [(choices[i], LETTERS[i]) for i in order]
        branch = Script()
        branch.pairs("Give the letter of each option.", pairs)
        planter.branch(tree, branch)
    for truth in orders[0][:3]:
        branch, line = Script(), lines[truth] if layout[0] == "(" else LETTERS[truth]
        prompt = f"Which option is {choices[truth]}?"
        branch.exchange(Exchange(prompt, "", line), opened=True)
        planter.branch(tree, branch)
    return tree


def numbers(planter: Planter) -> Tree:
    """A picture, and what can be counted in it, as lists and as questions."""
    subject, tree, trunk = planter.subject(0.0), Tree(), Script()
    tree.images.append(subject.picture)
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(7):
        branch = Script()
        if planter.rng.random() < 0.5:
            wording = planter.rng.choice(CENSUS_WORDING)
            branch.pairs(wording, census(subject.scene, planter.rng))
        else:
            branch.exchange(subject.ask("count"), opened=True)
        if not planter.branch(tree, branch):
            break
    return tree


def thoughts(planter: Planter) -> Tree:
    """A picture, and questions to think about before they are answered."""
    return _many(planter, planter.subject(0.0), ("think",))


def boxes(planter: Planter) -> Tree:
    """A picture, and where its things are."""
    return _many(planter, planter.subject(0.0), ("ground", "ground", "detect"))


def lone_object(planter: Planter) -> Tree:
    """A picture of one thing, and what it is."""
    rng = planter.rng
    scene = lone(rng, rng.choice(LABELS))
    subject = Subject(rng, planter.source, digit=False, scene=scene)
    return _many(planter, subject, ("label",), 3)


def _many(planter: Planter, subject: Subject, kinds: tuple[str, ...], number: int = 7) -> Tree:
    tree, trunk = Tree(images=[subject.picture]), Script()
    trunk.say(USER + PICTURE)
    planter.trunk(tree, trunk)
    for _ in range(number):
        branch = Script()
        branch.exchange(subject.ask(planter.rng.choice(kinds)), opened=True)
        if not planter.branch(tree, branch):
            break
    return tree


def list_many(planter: Planter, script: Script, scene: Scene) -> None:
    """Many small questions in one: the answer follows at once what it is about."""
    if planter.rng.random() < 0.6:
        prompt, pairs = planter.rng.choice(CHECK_WORDING), checklist(scene, planter.rng)
    else:
        prompt, pairs = planter.rng.choice(CENSUS_WORDING), census(scene, planter.rng)
    script.pairs(prompt, pairs)
