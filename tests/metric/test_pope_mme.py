"""Yes and no as ChEF's two benchmarks count them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.metric import METRICS
from chef.metric.vqa.blocks import MMEVQA, SCORES
from chef.metric.vqa.yesno import Pope
from chef.reading.rules.chef_texts import substring_verdict, token_verdict
from chef.types import Status

UpstreamMMEVQA = METRICS.get("MMEVQA", compat="upstream")
UpstreamPope = METRICS.get("POPE_Metric", compat="upstream")


def asked(make, name, answer, truth, **fields):
    return make(name, answer, gt_answers=truth, options=["Yes", "No"], **fields)


def values(metric, predictions):
    report = metric.evaluate(predictions)
    return {name: figure.value for name, figure in report.metrics.items()}


# -- POPE ---------------------------------------------------------------------------------------


def test_pope_by_hand(make):
    answers = [
        asked(make, "1", "Yes", "yes"),
        asked(make, "2", "Yes, there is.", "no"),
        asked(make, "3", "No", "yes"),
        asked(make, "4", "no", "no"),
        asked(make, "5", "perhaps", "yes"),
    ]
    found = values(Pope(), answers)
    assert found["Accuracy"] == pytest.approx(0.4)
    assert found["Precision"] == pytest.approx(0.5)
    assert found["Recall"] == pytest.approx(1 / 3)
    assert found["F1 score"] == pytest.approx(0.4)
    assert found["Yes ratio"] == pytest.approx(0.4)
    assert found["match_ratio"] == pytest.approx(80)
    upstream = values(UpstreamPope(), answers)
    assert upstream["Accuracy"] == pytest.approx(0.6)  # "perhaps" is yes
    assert upstream["Yes ratio"] == pytest.approx(0.6)
    assert upstream["match_ratio"] == 100


def test_all_no_divides_by_nothing(make):
    answers = [asked(make, str(n), "No", "no") for n in range(3)]
    found = values(Pope(), answers)
    assert (found["Accuracy"], found["Yes ratio"]) == (1, 0)
    assert found["Precision"] is found["Recall"] is found["F1 score"] is None


def test_pope_never_touches_the_answer(make):
    answer = asked(make, "1", "Yes, there is.", "yes")
    report = UpstreamPope().evaluate([answer])
    assert answer.answer == "Yes, there is."
    assert report.samples[0]["parsed"] == "yes"


def test_questions_on_one_image_are_a_cluster(make):
    def answers(image):
        return [
            asked(make, str(n), "Yes" if n < 12 else "No", "yes", choice=int(n >= 12), **image(n))
            for n in range(24)
        ]

    alone = Pope().evaluate(answers(lambda n: {})).metrics["Accuracy"]
    together = Pope().evaluate(answers(lambda n: {"image_path": f"{n // 6}.jpg"}))
    clustered = together.metrics["Accuracy"]
    assert alone.value == clustered.value == 0.5
    assert clustered.stderr > 2 * alone.stderr
    assert clustered.method == "wilson, clustered"
    assert together.metrics["F1 score"].n == 24


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("no", "no"),
        ("Yes. No.", "yes"),
        ("I do not see it", "no"),
        ("NO", "yes"),  # only these three spellings count
        ("nothing", "yes"),
        ("No, it is", "no"),
        ("", "yes"),
    ],
)
def test_the_token_rule(answer, verdict):
    assert token_verdict(answer).value == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Yes", "yes"),
        ("nothing", "no"),
        ("know", "no"),
        ("none", None),
        ("Yes, there is no dog", None),
        ("", None),
    ],
)
def test_the_substring_rule(answer, verdict):
    assert substring_verdict(answer).value == verdict


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), max_size=30))
def test_pope_figures_are_consistent(items):
    from chef.types import Prediction

    answers = [
        Prediction(
            str(n),
            Status.OK,
            answer="Yes" if said else "No",
            sample={"gt_answers": "yes" if true else "no", "image_path": str(image)},
        )
        for n, (said, true, image) in enumerate(items)
    ]
    found = values(Pope(), answers)
    both = sum(said and true for said, true, _ in items)
    saids = sum(said for said, _, _ in items)
    trues = sum(true for _, true, _ in items)
    for key, top, bottom in (
        ("Precision", both, saids),
        ("Recall", both, trues),
        ("F1 score", 2 * both, saids + trues),
        ("Yes ratio", saids, len(items)),
    ):
        assert found[key] == (pytest.approx(top / bottom) if bottom else None)


# -- MME ----------------------------------------------------------------------------------------


def pair(make, subtask, image, first, second):
    path = f"{subtask}/{image}.jpg"
    return [
        make(
            f"{path}-{truth}",
            truth if right else "what?",
            gt_answers=truth,
            task_type=subtask,
            image_path=path,
        )
        for truth, right in (("Yes", first), ("No", second))
    ]


def test_mme_by_hand(make):
    answers = [
        *pair(make, "color", 1, True, True),
        *pair(make, "color", 2, True, False),
        *pair(make, "count", 1, False, False),
    ]
    report = MMEVQA().evaluate(answers)
    found = {name: figure.value for name, figure in report.metrics.items()}
    assert found["color"] == 75
    assert found["color_plus"] == 50
    assert found["count"] == found["count_plus"] == 0
    assert found["overall"] == 50
    assert found["overall_plus"] == pytest.approx(100 / 3)
    assert found["perception"] is found["cognition"] is None  # subtasks are missing
    assert report.primary == "overall"
    assert report.metrics["color"].method == "wilson, clustered"


def test_the_scores_of_the_leaderboard(make):
    answers = [
        answer
        for subtask in SCORES["cognition"]
        for answer in pair(make, subtask, 1, True, True) + pair(make, subtask, 2, True, False)
    ]
    report = MMEVQA().evaluate(answers)
    score = report.metrics["cognition"]
    assert score.value == 4 * (75 + 50)
    # Two images of 200 and 50 points in each subtask: without one of them the sum is 75 points off.
    # Each image is an eighth of all, so its influence is 75 * 7/8, and eight of them add up.
    assert score.stderr == pytest.approx(math.sqrt(8 * (75 * 7 / 8) ** 2 / (7 / 8)))
    assert score.clusters == 8
    assert 0 <= score.low < score.value < score.high <= 800
    assert (score.unit, score.n) == ("points", 16)


def test_half_a_pair_is_left_out_and_counted(make):
    answers = [*pair(make, "color", 1, True, True), pair(make, "color", 2, True, True)[0]]
    assert values(MMEVQA(), answers)["incomplete_images"] == 1
    assert MMEVQA().evaluate(answers).metrics["color_plus"].n == 1
    assert UpstreamMMEVQA().evaluate(answers).metrics["color_plus"].n == 2


def test_mme_reads_whole_words(make):
    said = make("1", "I know: yes", gt_answers="Yes", task_type="color", image_path="1")
    assert values(MMEVQA(), [said])["color"] == 100
    assert values(UpstreamMMEVQA(), [said])["color"] == 0


def test_images_of_one_question_count_by_chefs_rules_alone(make):
    """The second question of nine subtasks' images was left out; that of the first was not."""
    answers = []
    for place, subtask in enumerate(SCORES["perception"]):
        for number in range(1 if place else 2):
            name = f"{subtask}-{number}"
            fields = {"task_type": subtask, "image_path": f"{subtask}.png"}
            answers.append(asked(make, name, "Yes", "yes", **fields))
    assert values(MMEVQA(), answers)["perception"] is None
    # Ten subtasks of 100 points for questions, and one of 100 for its only image.
    assert values(UpstreamMMEVQA(), answers)["perception"] == 1100
