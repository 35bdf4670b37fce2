"""Metrics: scores of answers and their aggregates. Each metric has a file and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.metric.base import (
        Base_Metric,
        Base_metric,
        BaseMetric,
        Coverage,
        Estimate,
        Metric,
        Report,
    )
else:
    __getattr__ = attributes(
        __name__,
        {
            "chef.metric.base": (
                "Base_Metric",
                "Base_metric",
                "BaseMetric",
                "Coverage",
                "Estimate",
                "Metric",
                "Report",
            )
        },
    )

METRICS: Registry[Metric] = Registry(
    "metric",
    {
        "Accuracy": "chef.metric.vqa.accuracy:Accuracy",
        "JudgedAccuracy": "chef.metric.judged:JudgedAccuracy",
        "JudgedGrade": "chef.metric.judged:JudgedGrade",
        "MMVet": "chef.metric.judged:MMVet",
        "JudgedRating": "chef.metric.judged:JudgedRating",
        "JudgedPreference": "chef.metric.judged:JudgedPreference",
        "ExactMatch": "chef.metric.vqa.open_answers:ExactMatch",
        "VQAAccuracy": "chef.metric.vqa.open_answers:VQAAccuracy",
        "ANLS": "chef.metric.vqa.open_answers:ANLS",
        "RelaxedAccuracy": "chef.metric.vqa.open_answers:RelaxedAccuracy",
        "MathVista": "chef.metric.vqa.mathvista:MathVista",
        "VQA": "chef.metric.vqa.vqa:VQA",
        "ScienceQA_Calibration": "chef.metric.vqa.calibration:VQACalibration",
        "MMBenchVQA": "chef.metric.vqa.vqa:MMBenchVQA",
        "MMBench_Calibration": "chef.metric.vqa.calibration:MMBenchCalibration",
        "MMEVQA": "chef.metric.vqa.blocks:MMEVQA",
        "POPE_Metric": "chef.metric.vqa.yesno:Pope",
        "MMMU_Metric": "chef.metric.vqa.vqa:MMMUMetric",
        "Winoground_Metric": "chef.metric.vqa.winoground:WinogroundMetric",
        "Winoground_Cap_Metric": "chef.metric.vqa.winoground:WinogroundCapMetric",
        "Ch3Ef_Metric": "chef.metric.vqa.vqa:Ch3EfMetric",
        "LAMM_VQA": "chef.metric.vqa.vqa:LammVQA",
        "Instruct_Follow": "chef.metric.vqa.vqa:InstructFollow",
        "YesNo": "chef.metric.vqa.yesno:YesNo",
        "HallusionBench": "chef.metric.vqa.hallusionbench:HallusionBench",
        "AMBER": "chef.metric.vqa.yesno:Amber",
        "MMVP": "chef.metric.vqa.blocks:MMVP",
        "NaturalBench": "chef.metric.vqa.blocks:NaturalBench",
        "OCRBench": "chef.metric.vqa.texts_in_images:OCRBench",
        "VCR": "chef.metric.vqa.texts_in_images:VCR",
        "Counting": "chef.metric.counting:Counting",
        "Evaluators": "chef.metric.mmtrusteval.evaluators:Evaluators",
        "Caption": "chef.metric.caption.caption:Caption",
        "Detection": "chef.metric.detection.detection:Detection",
        "CG_Classification": "chef.metric.classification.classes:CGClassification",
        "FG_Classification": "chef.metric.classification.classes:FGClassification",
        "InsideBbox": "chef.metric.detection.lamm:InsideBbox",
        "InsideHumanBbox": "chef.metric.detection.lamm:InsideHumanBbox",
        "LAMM_Detection": "chef.metric.detection.lamm:LAMMDetection",
        "LAMM_Facial_Hair_Classification": "chef.metric.classification.classes:LAMMFacialHair",
        "LAMM_Facial_Smile_Classification": "chef.metric.classification.classes:LAMMFacialSmile",
        "SVT_OCR": "chef.metric.vqa.texts_in_images:SVTOCR",
        "UCMerced_Classification": "chef.metric.classification.classes:UCMercedClassification",
        "LAMM_Caption": "chef.metric.caption.caption:LAMMCaption",
        "LAMM_Classification": "chef.metric.classification.classes:LAMMClassification",
        "KOSMOS_Detection": "chef.metric.detection.detection:KOSMOSDetection",
    },
    rows="chef.metric.rows:metrics",
)

__all__ = [
    "METRICS",
    "BaseMetric",
    "Base_Metric",
    "Base_metric",
    "Coverage",
    "Estimate",
    "Metric",
    "Report",
]
