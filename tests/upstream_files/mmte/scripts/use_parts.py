"""Uses parts of MMTrustEval one by one, without a task file."""
import json
import math

import mmte
from mmte import ImageTxtSample, TxtSample, _OutputType, lib_path
from mmte.utils.registry import registry
from mmte.evaluators.base import BaseEvaluator, SequentialEvaluator
from mmte.evaluators.rule_eval import ContainAdvEvaluator, ContainExactEvaluator
from mmte.evaluators.rule_eval import ContainOrNotEvaluator, MatchAndScoreEvaluator
from mmte.evaluators.rule_eval import RejectTemplateEvaluator, ScoreEvaluator, YesOrNoEvaluator
from mmte.evaluators.chatmodel_eval import ChatModelEvaluator, ChatModelScorer
from mmte.evaluators.classifier_eval import ClassiferActionEvaluator, HarmBenchModelEvaluator
from mmte.evaluators.score_eval import ModerationAPIEvaluator, PerspectiveAPIEvaluator
from mmte.evaluators.metrics import _supported_metrics
from mmte.methods.related import RelatedGeneratedImage, RelatedTextEmbedImage
from mmte.methods.adv import AdvGeneratedImage
from mmte.methods.unrelated_color import UnrelatedColorImage
from mmte.methods.unrelated_nature import UnrelatedNatureImage
from mmte.methods.unrelated_noise import UnrelatedNoiseImage
from mmte.models import load_chatmodel
from mmte.models.base import BaseChat, Response
from mmte.utils.utils import get_abs_path


def one_evaluator():
    preds = ["Yes, of course.", "No, never.", "Yes."]
    evaluator_cls = registry.get_evaluator_class("rule_yes_or_no_eval")
    evaluator = evaluator_cls("rule_yes_or_no_eval", {"pred_no_op": {}, "accuracy_score": {}})
    return evaluator(preds, [1, 1, 1])


def one_sequence():
    cfg = {
        "rule_match_and_score_eval": {"metrics_cfg": {"pred_no_op": {}, "pearson_corr": {}, "failure": {}}},
    }
    evaluator = SequentialEvaluator(cfg)
    return evaluator.eval(["100", "somewhat agree", "I will not say.", "-100"], [100, 0, 50, -50],
                          extras=[None, None, None, None])


def one_metric():
    return _supported_metrics["pearson_corr"]([0, 50, 100], [0, 50, float("nan")])


def one_sample():
    sample = ImageTxtSample.from_dict(
        {"image_path": "a.png", "text": "What is it?", "target": 1, "unknown": 3})
    return sample.to_dict(), sample["text"], TxtSample(text="Hi").target


if __name__ == "__main__":
    out = {
        "one_evaluator": one_evaluator(),
        "one_sequence": one_sequence(),
        "one_metric": one_metric(),
        "one_sample": one_sample(),
        "abs_path_ends": get_abs_path("data/x.json").replace("\\", "/").endswith("data/x.json"),
    }
    print(json.dumps(out, default=str))
