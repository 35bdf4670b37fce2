"""The rules for numbers; the examples are not from the corpus."""

import pytest

from chef.reading.numbers import as_number, extract_number

DOGS = "How many dogs are in the picture?"


def read(answer, question=""):
    return extract_number(answer, question).value


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("1.5e3", 1500), ("3.2 × 10^4", 32000), (r"$2 \times 10^{3}$", 2000), ("½", 0.5),
        ("2½", 2.5), ("1/2", 0.5), ("1 1/2", 1.5), (r"\frac{1}{4}", 0.25), ("1.234,5", 1234.5),
        ("0,75", 0.75), ("12,5 %", 12.5), ("1 234 567", 1234567), ("€20", 20), ("45°", 45),
        ("3kg", 3), ("5 cm", 5), ("-4°C", -4), ("minus five", -5), ("two and a half", 2.5),
        ("3 million", 3e6), ("1.2 billion", 1.2e9), ("half a dozen", 6), ("two dozen", 24),
        ("a couple", 2), ("a pair", 2), ("a single dog", 1), ("no one", 0), ("nobody", 0),
        ("Not a single one.", 0), ("x4", 4), ("#7", 7), ("~30", 30), ("about 20", 20),
        ("approximately 1,500", 1500), ("at least 3", 3), ("exactly two", 2), ("4 4 4 4", 4),
        ("12.", 12), ("(5)", 5), ("[6]", 6), ("= 9", 9), ("5!", 5), ("Six.", 6),
    ],
)  # fmt: skip
def test_a_number_alone(answer, value):
    assert read(answer) == pytest.approx(value)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("八", 8), ("8只", 8), ("两个", 2), ("十二", 12), ("二十一个人", 21), ("三匹です", 3),
        ("3万", 30000), ("图中有五只狗。", 5), ("共有7个苹果", 7), ("没有。", 0),
        ("全部で六匹います。", 6),
        ("猫が二匹います", 2), ("ふたつ", 2), ("세 마리", 3), ("여덟", 8), ("열두 개", 12),
        ("5명입니다", 5),
        ("sept", 7), ("Il y a huit oiseaux.", 8), ("Es sind elf Vögel.", 11), ("dreizehn", 13),
        ("Hay once pájaros en la foto.", 11), ("ci sono due gatti", 2), ("há três cães", 3),
        ("quatorze", 14), ("diecinueve", 19), ("Il n'y a aucun chien.", 0), ("Keine.", 0),
        ("una dozzina", 12), ("семь", 7), ("第一张图里有三只猫", 3),
    ],
)  # fmt: skip
def test_other_languages(answer, value):
    assert read(answer) == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("3, no wait, 4", 4), ("3, no, 4", 4), ("Five. Actually, six.", 6), ("7 — sorry, 8", 8),
        ("There are 3. Let me recount. There are 4 dogs.", 4), ("I see 5... make that 6", 6),
        ("At first I thought 3, but there are 4.", 4), ("It's not 4 but 5.", 5),
        ("I count 1, 2, 3, 4, 5 boats.", 5), ("1, 2, ... 7 boats", 7),
        ("One, two, three. Three!", 3),
        ("In the photo from 1998, there are 9 cats.", 9), ("At 10:45 there were 4 people.", 4),
        ("12 birds. Note: 2 of them are hidden.", 12), ("8 cups, including 3 red ones", 8),
        ("There are 7 cars: 3 blue and 4 red.", 7), ("2 on the left, 3 on the right: 5", 5),
        ("2 + 3 = 5", 5), ("5 = 2 + 3", 5), ("3 × 4 = 12 eggs", 12), ("x = 3, so 2x = 6", 6),
        ("As Figure 3 shows, there are 5 lines.", 5), ("In row 2, four seats are taken.", 4),
        ("The 2-story house has 6 windows.", 6), ("4 (four)", 4), ("six (6) dogs", 6),
        ("There are 3 dogs in the 1st picture.", 3), ("No, there are 4.", 4),
        ("1. red car\n2. blue car\n3. van\n\nTotal: 3", 3), ("- 2 red\n- 3 blue\nTotal: 5", 5),
        ("Total: 5\n- 2 red\n- 3 blue", 5), ("2 red, 4 blue, i.e. 6 altogether", 6),
        ("| Kind | n |\n|---|---|\n| cats | 2 |\n| dogs | 3 |\n| Total | 5 |", 5),
        ('{"count": 3}', 3), ('{"answer": "four"}', 4), ('```json\n{"total": 12}\n```', 12),
        (r"$\boxed{x = 5}$", 5), (r"\boxed{\text{seven}}", 7), ("<answer>3 dogs</answer>", 3),
        ("<answer>12", 12), ("$1,249.50 in all", 1249.5), ("There are ten to see, ten!", 10),
        ("4\n\nQuestion: How many cats?\nAnswer: 2", 4), ("There are 3 or more... I'd say 4.", 4),
        ("\u200b3\u200b", 3), ("There is just one.", 1), ("Only one of them.", 1),
        ("Three of the five.", 3), ("3 out of 8", 3), ("3 of them", 3), ("５個", 5),
        ("From left to right that's 1, 2, 3, 4, 6. There are 2 more on the ground.\n\n7", 7),
        ("The answer is 4, as there are four.\n\n7", 4), ("Cats:\n3\nThat makes 5 in all.\n8", 5),
    ],
)  # fmt: skip
def test_statements(answer, value):
    assert read(answer) == value


@pytest.mark.parametrize(
    "answer",
    [
        "more than 3", "2 or 3", "3 to 5", "between 3 and 5", "3-5", "two or three", "10-15",
        "around 5 or 6", "fewer than 10", "over 20", "up to 8", "20+", "several", "a few", "many",
        "dozens", "2 cats and 3 dogs", "It isn't 7.", "I cannot count them.", "3 ~ 5个",
        "三到五只", "entre 3 y 5", "zwischen drei und fünf", "2 oder 3", "The one on the left.",
        "the first one", "Could you upload image 2 again?", '{"min": 3, "max": 4}', "2:30", "3D",
        "Maybe 4, maybe 5.", "is 7 × 8 = 7 × 4 × 2 =", "一起", "十分", "3/4/2020", "F-16",
        "I'm sorry, I can't tell.", "More than 3, fewer than 10.",
    ],
)  # fmt: skip
def test_no_single_number(answer):
    assert read(answer) is None


@pytest.mark.parametrize(
    ("answer", "question", "value"),
    [
        ("2 cats and 3 dogs", DOGS, 3), ("2 cats and 3 dogs", "How many animals are there?", None),
        ("There are no dogs, only 3 cats.", DOGS, 0), ("3 cats but no dogs", DOGS, 0),
        ("There is a dog on the sofa.", DOGS, 1), ("A dog.", DOGS, 1),
        ("There is a cat.", DOGS, None),
        ("5 dogs, 2 of which are brown", DOGS, 5),
        ("5 dogs, 2 of which are brown", "How many brown dogs are there?", 2),
        ("There are 8 people; 3 are women.", "How many women are there?", 3),
        ("There are 8 people; 3 are women.", "How many people are there?", 8),
        ("The 2 men hold 5 balloons.", "How many balloons are there?", 5),
        ("The 2 men hold 5 balloons.", "How many men are there?", 2),
        ("dogs: 3, cats: 2", DOGS, 3), ("| cats | 2 |\n| dogs | 3 |", DOGS, 3),
        ("1. Rex\n2. Fido\n3. Bella", DOGS, 3), ("It was taken in 2015.", DOGS, None),
        ("In 2015.", "In which year was it taken?", 2015), ("The 3rd.", "Which place?", 3),
        ("It is a 3-door car.", "How many doors does the car have?", 3),
        ("12 million people", "How many million people live there?", 12),
        ("1/2", DOGS, None), ("5 apples and 2 pears, so 7 fruits.", "How many fruits?", 7),
        ("图中有2只猫和3只狗。", "图中有几只狗？", 3),
    ],
)  # fmt: skip
def test_the_question_tells_which_number(answer, question, value):
    assert read(answer, question) == value


def test_evidence_is_what_the_model_wrote():
    found = extract_number("I see \u200b12\u200b dogs, i.e. **12**.")
    assert (found.value, found.rule, found.text) == (12, "total", "12")
    found = extract_number('{"count": "four"}')
    assert (found.rule, found.text) == ("json", "four")


def test_as_number_is_for_numbers_alone():
    assert as_number("1/2") == 0.5
    assert as_number("3 dogs") is None
    assert as_number("**four**") == 4
