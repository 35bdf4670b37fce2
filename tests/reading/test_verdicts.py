"""The rules for yes and no; the examples are not from the corpus."""

import pytest

from chef.reading.verdicts import extract_verdict

DOG = "Is there a dog in the image?"


def read(answer, question=""):
    return extract_verdict(answer, question).value


@pytest.mark.parametrize(
    "answer",
    [
        "Yes", "Yup!", "Definitely!", "Of course.", "Sure!", "Indeed it is.", "Certainly",
        "Correct.",
        "Absolutely.", "Affirmative", "True.", "✓", "✅ Yes", "👍", "Exactly.", "That's right.",
        "oui", "Ja.", "sí", "sì", "sim", "да", "はい", "네", "예", "是", "是的。", "有。", "对",
        "没错",
        "正确", "Yes, there is no dog", "There is no doubt that there is a dog.", "No doubt, yes.",
        "No problem! Yes.", "Well, yes.", "I think yes.", "Most likely yes", "Probably yes.",
        "The answer is: yes", "Answer: Yes, because it is red.", '{"answer": true}',
        '{"present": true, "confidence": 0.2}', "I'd say so.", "I believe so.",
        "The statement is true.",
        "No... wait, yes.", "No. Let me look again. Yes, it is.", "y\u200bes",
        "<answer>true</answer>",
        r"$\boxed{\text{Yes}}$", "It's true.", "I see no reason to doubt it, so yes.", "YES.",
        "Yes\n\nExplanation: there is no cat.", "A dog is present in the image.",
        "It is not false.",
        "It would be wrong to answer no.", "I'm not sure, but I'd say yes.", "Bien sûr !", "¡Sí!",
    ],
)  # fmt: skip
def test_yes(answer):
    assert read(answer) == "yes"


@pytest.mark.parametrize(
    "answer",
    [
        "No", "Nope.", "Nah", "Not really.", "Not at all!", "Definitely not.", "Of course not",
        "False.", "Incorrect", "Never", "None.", "✗", "❌", "non", "Nein!", "não", "нет", "いいえ",
        "아니요", "아니오.", "不是", "没有", "不对。", "否", "错误", "不",
        "I don't see a dog.",
        "The image does not contain a dog.", "No one is there.", "Not that I can see.",
        "It's not true.",
        "The answer is not yes.", "I doubt it.", "I don't think so.", "That is not correct.",
        "There isn't any dog in the picture.", "There are no dogs.", "No dogs are visible.",
        "Yes. Wait, no.", "Yes... actually, no.", '{"answer": "no"}', '{"exists": false}',
        "By no means.", "On the contrary.", "Far from it.", "Probably not.", "I'm afraid not.",
        "The answer is no, although it looks like it.", "I'm not sure, but probably not.",
        "Nobody is in the room.", "Unfortunately, no.", "no hay perro",
        "It is false that it rains.",
        "The claim is wrong.", "A dog is not present.", "I can't see a dog in this picture.",
    ],
)  # fmt: skip
def test_no(answer):
    assert read(answer) == "no"


@pytest.mark.parametrize(
    "answer",
    [
        "maybe", "Perhaps.", "I'm not sure.", "It depends.", "I cannot see the image.", "unclear",
        "I know nothing", "noble", "no idea", "Yes or no?", "Please answer yes or no.", "Yes/No",
        "It could be.", "Hard to say.", "I can't tell.", "I cannot determine whether it is there.",
        "Could you upload the image again?", "The image is blurry.", '{"reason": "no"}', "不确定",
        "无法判断", "わかりません", "알 수 없습니다", "Non si può dire.", "Je ne sais pas.",
        "Yes and no.",
        "It might be yes, it might be no.", "There is no way to tell.", "n/a", "I have no idea.",
        "Whether there is a dog is hard to say.", "If it were open, the answer would be yes.", "",
    ],
)  # fmt: skip
def test_neither(answer):
    assert read(answer) is None


@pytest.mark.parametrize(
    ("answer", "question", "value"),
    [
        ("There is a cat.", DOG, None), ("There is a dog.", DOG, "yes"),
        ("I see a brown dog.", DOG, "yes"),
        ("There is a cat, but no dog.", DOG, "no"), ("A cat and a bird.", DOG, None),
        ("There is no cat and a dog sits there.", DOG, "yes"),
        ("Only a cat is visible.", DOG, None),
        ("There are no cats, birds or dogs.", DOG, "no"),
        ("The image shows a dog on a sofa.", DOG, "yes"),
        ("There is no cat here.", DOG, None), ("The dog is not visible.", DOG, "no"),
        ("Two of them, in fact.", DOG, "yes"), ("There is.", DOG, "yes"),
        ("There isn't.", DOG, "no"),
        ("The door is closed.", "Is the door open?", "no"),
        ("It's open.", "Is the door open?", "yes"),
        ("It isn't closed.", "Is the door open?", "yes"), ("Closed.", "Is the door open?", "no"),
        ("The car is blue.", "Is the car red?", "no"),
        ("The car is red.", "Is the car red?", "yes"),
        ("The car is not blue.", "Is the car red?", None),
        ("The house is blue.", "Is the car red?", None),
        ("The man is wearing glasses.", "Is the man wearing glasses?", "yes"),
        ("The man is wearing a hat.", "Is the man wearing glasses?", None),
        ("He isn't wearing glasses.", "Is the man wearing glasses?", "no"),
        ("The left one is taller.", "Is the left tower taller than the right one?", "yes"),
        ("The right tower is taller.", "Is the left tower taller than the right one?", "no"),
        ("Only two of them are.", "Are all three cups full?", "no"),
        ("She does.", "Does she wear a hat?", "yes"),
        ("No cars are there.", "Is the street free of cars?", "yes"),
        ("I can.", "Can you see a cat?", "yes"),
        ("The cat is on the sofa.", "Is the cat missing?", "no"),
        ("The sign says 'Stop'.", "Does the sign say 'Stop'?", "yes"),
        ("图中没有狗。", "图中有狗吗？", "no"), ("图中有一只狗在睡觉。", "图中有狗吗？", "yes"),
        ("图中有一只猫。", "图中有狗吗？", None), ("犬はいません。", "犬はいますか。", "no"),
        ("개가 없습니다.", "개가 있나요?", "no"),
        ("A man stands there.", "Are there any people?", "yes"),
        ("They are the same size.", "Is the left circle the same size as the right one?", "yes"),
        ("They are not the same length.", "Are the two lines the same length?", "no"),
        ("Both are the same size.", "Are the two cars the same color?", None),
        ("They are the same size, but the left one is bigger.", "Is the left one bigger?", "yes"),
        ("They are the same height.", "Is the man taller than the woman?", "no"),
        ("They have the same age.", "Is the man taller than the woman?", None),
        ("They are not the same height.", "Is the man taller than the woman?", None),
        ("The line never exceeds the bar.", "Does the line ever exceed the bar?", "no"),
        ("The street is completely empty.", "Are there people in the street?", "no"),
        ("It is a rainy day.", "Is it a sunny day?", "no"), ("It is sunny.", "Is it sunny?", "yes"),
    ],
)  # fmt: skip
def test_statements_are_about_the_question(answer, question, value):
    assert read(answer, question) == value


def test_evidence_is_what_the_model_wrote():
    found = extract_verdict("It is, most likely, y\u200bes.")
    assert (found.value, found.text) == ("yes", "y\u200bes")
    assert extract_verdict("I see a dog.", DOG).rule == "claim"
    assert extract_verdict("Therefore, no.").rule == "conclusion"


@pytest.mark.parametrize("question", ["", "Is there a dog in the image?"])
def test_a_chinese_statement_answers_a_question_in_another_language(question):
    assert extract_verdict("没有狗", question).value == "no"
    assert extract_verdict("图中有一只狗。", question).value == "yes"
    assert extract_verdict("有没有狗", question).value is None
