"""Judges by VLMEvalKit's rules: when they are asked, how often, and how replies are read.

`Court` asks the questions of a metric about answers and replies with given texts.
"""

from __future__ import annotations

from collections import Counter

import pytest

from chef.common.judgements import Judging
from chef.config.judge import JudgeOptions
from chef.judge.fitting import kinds_of, when_of
from chef.judge.stage import JudgeInferencer, JudgeName
from chef.judge.tasks import Judged
from chef.metric import METRICS
from chef.scoring.figures import judge_lines
from chef.types import Generated, Prediction, Sample, Status

CATS = {"choices": ["cat", "dog", "bird"], "gt_choice": 1}
YES = {"gt_answers": ["yes"], "question": "Is there a cat?"}
MATH = {"gt_answers": ["7"], "answer_type": "integer", "answer_form": "a whole number"}


class Court:
    """A judge with prepared replies: ``replies[sample id]``, one after another, the last one on."""

    def __init__(self, compat="vlmevalkit", **options):
        self.compat, self.options = compat, JudgeOptions(**options)
        self.requests: dict[str, list] = {}

    def __call__(self, name, predictions, replies, dataset=""):
        """The report of the metric, after the judge has been asked."""
        metric = METRICS.get(name, compat=self.compat)(dataset)
        judgements: dict[str, list] = {}
        judged = Judged(
            [metric],
            kinds_of(self.options, [metric]),
            None,
            when_of({}, [metric]),
            self.options.decoding,
        )
        units = {unit.name: unit for unit in judged.units(predictions)}
        asking = JudgeInferencer(
            JudgeName("j", "f"), units, judged.decoding, self.options.attempts,
            known=lambda task: None,
            note=lambda made: judgements.setdefault(made.sample_id, []).append(made),
        )  # fmt: skip
        for unit, found in units.items():
            program, given, ids = asking.infer(Sample(unit)), None, Counter()
            order = [tasks[0].sample_id for tasks in found.tasks]
            try:
                while True:
                    request = program.send(given)
                    sample = next(name for name in order if name not in judgements)
                    self.requests.setdefault(sample, []).append(request)
                    texts = replies[sample]
                    given = Generated(texts[min(ids[sample], len(texts) - 1)])
                    ids[sample] += 1
            except StopIteration:
                pass
        judging = Judging(judged.when, (("j", "f"),), judgements)
        return metric.evaluate(predictions, judging=judging)


def results(report):
    return {entry["id"]: entry["metric_result"] for entry in report.samples}


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


def prompt_of(request):
    return "".join(part.text for turn in request.conversation for part in turn.parts)


@pytest.mark.parametrize("name", ["VQA", "Accuracy", "MMMU_Metric"])
def test_a_judge_reads_what_exact_matching_cannot(make, name):
    court = Court()
    rows = [
        make("read", "(B)", **CATS),
        make("refusal", "I can't process this file", **CATS),
        make("judged", "It barks.", **CATS),
        make("other", "It barks.", **CATS),
        make("none", "It moos.", **CATS),
    ]
    replies = {"judged": ["B"], "other": ["The answer is C"], "none": ["Z"]}
    found = results(court(name, rows, replies, "Mine"))
    assert found == {"read": 1, "refusal": 0, "judged": 1, "other": 0, "none": 0}
    assert set(court.requests) == {"judged", "other", "none"}
    shown = prompt_of(court.requests["judged"][0])
    for part in ("It barks.", "There are several options:", "A. cat\nB. dog\nC. bird"):
        assert part in shown


def test_three_tries_with_the_same_question_then_a_random_option(make):
    rows = [make(str(n), "It barks.", **CATS) for n in range(60)]
    court = Court()
    replies = {str(n): ["hard to say"] for n in range(60)} | {"0": ["hm", "either one", "B"]}
    report = court("VQA", rows, replies)
    assert {len(asked) for asked in court.requests.values()} == {3}
    for asked in court.requests.values():
        assert len({prompt_of(item) for item in asked}) == 1
        assert {item.temperature for item in asked} == {0.0}
    first = {entry["id"]: entry for entry in report.samples}
    assert (first["0"]["parsed"], first["0"]["match"]) == (1, "judge")
    drawn = [entry["parsed"] for entry in report.samples if entry["id"] != "0"]
    assert set(drawn) == {0, 1, 2, None}  # any option, or none of them
    assert {entry["match"] for entry in report.samples} == {"judge", "random"}
    assert values(report)["random_options"] == 59
    assert report.coverage.scored == 60
    assert "  j (f): 59 unparsed of 60 judgements" in judge_lines(report.judge)
    again = Court()("VQA", rows[::-1], replies)
    assert {entry["id"]: entry["parsed"] for entry in again.samples} == {
        entry["id"]: entry["parsed"] for entry in report.samples
    }


def test_the_judge_sees_the_letters_of_the_question(make):
    """B is missing in the file, as an option may be: C is the second one."""
    court = Court()
    row = make("1", "It barks.", choices=["cat", "dog"], labels=["A", "C"], gt_choice=1)
    assert results(court("VQA", [row], {"1": ["C"]})) == {"1": 1}
    assert "A. cat\nC. dog" in prompt_of(court.requests["1"][0])


def test_an_option_that_vlmevalkit_has_lost_is_not_chosen_by_a_judge(make):
    """V01: an option ``None`` is no choice, also where a judge names its letter."""
    row = make("1", "It barks.", choices=["cat", "dog", "None"], gt_choice=2)
    assert results(Court()("VQA", [row], {"1": ["C"]})) == {"1": 0}


def test_by_chefs_rules_the_same_answers_are_not_scored(make):
    rows = [make("0", "It moos.", **CATS)]
    report = Court("corrected")("VQA", rows, {"0": ["hard to say"]})
    assert report.coverage.scored == 0


def test_an_open_question_of_mmmu_is_judged_as_one_of_two_options(make):
    court, row = Court(), make("1", "seven of them", gt_answers=["7"])
    assert results(court("MMMU_Metric", [row], {"1": ["A"]})) == {"1": 1}
    assert "A. 7\nB. Other Answers" in prompt_of(court.requests["1"][0])


def test_rotations_are_judged_until_one_is_wrong(make):
    rows = [
        make(name, "It barks.", **CATS, circular_group="1") for name in ("1", "1000001", "2000001")
    ]
    court = Court()
    replies = {"1": ["B"], "1000001": ["A"], "2000001": ["B"]}
    report = court("MMBenchVQA", rows, replies, "MMBench_DEV_EN")
    assert set(court.requests) == {"1", "1000001"}
    found = values(report)
    assert (found["Overall"], found["circ0"], found["all_rows"]) == (0, 1, 0.5)
    right = {name: ["B"] for name in replies}
    assert values(Court()("MMBenchVQA", rows, right, "MMBench_DEV_EN"))["Overall"] == 1


def test_yes_or_no_is_asked_five_times_and_each_time_warmer(make):
    rows = [
        make("read", "Yes.", **YES),
        make("judged", "**Yes**", **YES),
        make("late", "I think it is there", **YES),
        make("never", "**Yes**", **YES),
    ]
    replies = {"judged": ["Yes"], "late": ["hm", "Unknown", "yes or no", "yes"], "never": ["?"]}
    court = Court()
    report = court("YesNo", rows, replies)
    assert results(report) == {"read": 1, "judged": 1, "late": 1, "never": 0}
    assert [item.temperature for item in court.requests["never"]] == [0, 0.5, 1, 1.5, 2]
    assert len(court.requests["late"]) == 4
    assert "read" not in court.requests
    assert values(report)["Overall"] == 75


def test_mmvet_is_graded_by_capability(make):
    fields = {"question": "What is 3 + 4?", "gt_answers": ["7"]}
    rows = [
        make("1", "7", category="ocr,math", **fields),
        make("2", "8", category="math", **fields),
        make("3", "?", category="rec", **fields),
    ]
    replies = {"1": ["1.0"], "2": ["about a half", "1.5", "0.5"], "3": ["none of it"]}
    court = Court()
    report = court("MMVet", rows, replies)
    assert values(report) == {"Overall": 50, "math": 75, "ocr": 100, "rec": 0}
    assert [item.temperature for item in court.requests["2"]] == [0, 0.5, 1]
    assert len(court.requests["3"]) == 5
    mended = {name: [f"Verdict: [[{grade}]]"] for name, grade in (("1", 1), ("2", 0.5), ("3", 0))}
    assert values(Court("corrected")("MMVet", rows, mended)) == {
        "grade": 50, "capability/math": 75, "capability/ocr": 100, "capability/rec": 0,
    }  # fmt: skip
    half = {"1": ["Verdict: [[1]]"], "2": ["Verdict: [[0.5]]"], "3": ["none"]}
    assert values(Court("corrected")("MMVet", rows, half))["grade"] == 75  # of two


def test_short_answers_are_wrong_after_three_tries(make):
    rows = [make(name, "a tabby", gt_answers=["cat"]) for name in ("yes", "no", "never")]
    replies = {"yes": ["Verdict: [[yes]]"], "no": ["Verdict: [[no]]"], "never": ["perhaps"]}
    court = Court()
    report = court("JudgedAccuracy", rows, replies)
    assert results(report) == {"yes": 1, "no": 0, "never": 0}
    assert len(court.requests["never"]) == 3
    assert Court("corrected")("JudgedAccuracy", rows, replies).coverage.scored == 2


@pytest.mark.parametrize("name", ["VQA", "YesNo", "JudgedGrade", "JudgedAccuracy", "MathVista"])
def test_the_text_of_a_failed_call_is_wrong_and_no_judge_is_asked(name):
    fields = {"gt_answers": ["yes"], **({} if name != "VQA" else CATS)}
    failed = {"type": "ApiError", "message": "Failed to obtain answer via API."}
    rows = [Prediction("1", Status.ERROR, sample={"id": "1", **fields}, error=failed)]
    stored = [Prediction("1", Status.OK, answer=failed["message"], sample={"id": "1", **fields})]
    for answers in (rows, stored):
        court = Court()
        assert results(court(name, answers, {})) == {"1": 0}
        assert not court.requests


#: The value that the judge writes down, the reference, its type, precision, and whether it is right
#: by chef's rules and by VLMEvalKit's.
VALUES = [
    ("7", "7", "integer", None, 1, 1),
    ("7.0", "7", "integer", None, 1, 0),
    ("seven", "7", "integer", None, 1, 0),
    ("8", "7", "integer", None, 0, 0),
    ("1,000", "1000", "integer", None, 1, 0),
    ("2.5", "2.5", "float", 1, 1, 1),
    ("2.50", "2.5", "float", 1, 1, 1),
    ("2.54", "2.5", "float", 1, 1, 0),
    ("2.6", "2.5", "float", 1, 0, 0),
    ("[1, 2]", "[1, 2]", "list", None, 1, 1),
    ("1, 2", "[1, 2]", "list", None, 1, 0),
    ("[2, 1]", "[1, 2]", "list", None, 0, 0),
    ("Ann Lee.", "Ann Lee", "text", None, 1, 0),
    ("Ann Lee", "Ann Lee", "text", None, 1, 1),
    ("Bob", "Ann Lee", "text", None, 0, 0),
]


@pytest.mark.parametrize(("text", "reference", "kind", "precision", "ours", "theirs"), VALUES)
def test_an_extracted_value_is_compared_by_its_type(
    make, text, reference, kind, precision, ours, theirs
):
    fields = {"gt_answers": [reference], "answer_type": kind, "precision": precision}
    row = make("1", "It is what it is.", **fields)
    bare = text.strip("[]")  # brackets belong to the form of a verdict
    found = Court("corrected")("MathVista", [row], {"1": [f"So.\nVerdict: [[{bare}]]"]})
    assert results(found) == {"1": ours}
    assert results(Court()("MathVista", [row], {"1": [text]})) == {"1": theirs}


def test_mathvista_by_task_and_skill(make):
    option = {"choices": ["red", "blue"], "labels": ["A", "B"], "gt_choice": 1}
    rows = [
        make("prefetched", "B", **option, task="t", skills=["s", "u"]),
        make("choice", "the second", **option, task="t", skills=["s"]),
        make("free", "I count seven.", **MATH, task="v", skills=["u"]),
        make("never", "Who knows?", **MATH, task="v"),
        make("whole", "7", **MATH, task="v"),
    ]
    replies = {"choice": ["B"], "free": ["", "7"], "never": [""]}
    court = Court()
    report = court("MathVista", rows, replies)
    assert set(court.requests) == {"choice", "free", "never"}
    assert [item.temperature for item in court.requests["never"]] == [0, 0.5, 1, 1.5, 2]
    assert "a whole number" in prompt_of(court.requests["free"][0])
    assert values(report) == {
        "Overall": 80, "t": 100, "v": pytest.approx(200 / 3), "s": 100, "u": 100,
    }  # fmt: skip
    # Without a judge only the choice and the bare number are read.
    alone = METRICS.get("MathVista", compat="vlmevalkit")().evaluate(rows)
    assert results(alone) == {"prefetched": 1, "choice": 0, "free": 0, "never": 0, "whole": 1}
    ours = METRICS.get("MathVista")().evaluate(rows)
    assert results(ours)["free"] == 1
