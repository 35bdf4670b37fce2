"""Metrics: scores of answers and their aggregates. Each metric has a file and a line here."""

from typing import TYPE_CHECKING

from chef.metric.base import (
    Base_Metric,
    Base_metric,
    BaseMetric,
    Coverage,
    Estimate,
    Metric,
    Report,
)
from chef.registry import Registry

METRICS: Registry[Metric] = Registry(
    "metric",
    {
        "Accuracy": "chef.metric.vqa.accuracy:Accuracy",
        "JudgedAccuracy": "chef.metric.judged.accuracy:JudgedAccuracy",
        "JudgedGrade": "chef.metric.judged.grade:JudgedGrade",
        "JudgedRating": "chef.metric.judged.rating:JudgedRating",
        "JudgedPreference": "chef.metric.judged.preference:JudgedPreference",
        "ExactMatch": "chef.metric.vqa.open.exact_match:ExactMatch",
        "VQAAccuracy": "chef.metric.vqa.open.vqa_accuracy:VQAAccuracy",
        "ANLS": "chef.metric.vqa.open.anls:ANLS",
        "RelaxedAccuracy": "chef.metric.vqa.open.relaxed_accuracy:RelaxedAccuracy",
        "VQA": "chef.metric.vqa.vqa:VQA",
        "ScienceQA_Calibration": "chef.metric.vqa.vqa_calibration:VQACalibration",
        "MMBenchVQA": "chef.metric.vqa.mmbench:MMBenchVQA",
        "MMBench_Calibration": "chef.metric.vqa.mmbench_calibration:MMBenchCalibration",
        "MMEVQA": "chef.metric.vqa.mme:MMEVQA",
        "POPE_Metric": "chef.metric.vqa.pope:Pope",
        "MMMU_Metric": "chef.metric.vqa.mmmu:MMMUMetric",
        "Winoground_Metric": "chef.metric.vqa.winoground:WinogroundMetric",
        "Winoground_Cap_Metric": "chef.metric.vqa.winoground:WinogroundCapMetric",
        "Ch3Ef_Metric": "chef.metric.vqa.ch3ef:Ch3EfMetric",
        "LAMM_VQA": "chef.metric.vqa.lamm_vqa:LammVQA",
        "Instruct_Follow": "chef.metric.vqa.instruct_follow:InstructFollow",
        "YesNo": "chef.metric.vqa.yesno:YesNo",
        "HallusionBench": "chef.metric.vqa.hallusionbench:HallusionBench",
        "AMBER": "chef.metric.vqa.amber:Amber",
        "OCRBench": "chef.metric.vqa.open.ocrbench:OCRBench",
        "VCR": "chef.metric.vqa.open.vcr:VCR",
        "Counting": "chef.metric.counting:Counting",
        "Evaluators": "chef.metric.mmtrusteval.evaluators:Evaluators",
        "Caption": "chef.metric.caption.caption:Caption",
        "Detection": "chef.metric.detection.detection:Detection",
        "CG_Classification": "chef.metric.classification.coarse:CGClassification",
        "FG_Classification": "chef.metric.classification.fine:FGClassification",
        "InsideBbox": "chef.metric.detection.locating:InsideBbox",
        "InsideHumanBbox": "chef.metric.detection.locating:InsideHumanBbox",
        "LAMM_Detection": "chef.metric.detection.lamm:LAMMDetection",
        "LAMM_Facial_Hair_Classification": "chef.metric.classification.facial:LAMMFacialHair",
        "LAMM_Facial_Smile_Classification": "chef.metric.classification.facial:LAMMFacialSmile",
        "SVT_OCR": "chef.metric.classification.ocr:SVTOCR",
        "UCMerced_Classification": "chef.metric.classification.named_class:UCMercedClassification",
        "LAMM_Caption": "chef.metric.caption.lamm_caption:LAMMCaption",
        "LAMM_Classification": "chef.metric.classification.named_class:LAMMClassification",
        "KOSMOS_Detection": "chef.metric.detection.kosmos:KOSMOSDetection",
    },
    upstream={
        "VQA": "chef.metric.upstream.vqa:VQA",
        "ScienceQA_Calibration": "chef.metric.upstream.vqa:VQACalibration",
        "MMBenchVQA": "chef.metric.upstream.mmbench:MMBenchVQA",
        "MMBench_Calibration": "chef.metric.upstream.mmbench:MMBenchCalibration",
        "MMEVQA": "chef.metric.upstream.mme:MMEVQA",
        "POPE_Metric": "chef.metric.upstream.pope:Pope",
        "MMMU_Metric": "chef.metric.upstream.mmmu:MMMUMetric",
        "LAMM_VQA": "chef.metric.upstream.lamm_vqa:LammVQA",
        "Instruct_Follow": "chef.metric.upstream.instruct_follow:InstructFollow",
        "Counting": "chef.metric.upstream.counting:Counting",
        "Evaluators": "chef.metric.upstream.evaluators:Evaluators",
        "Caption": "chef.metric.upstream.caption:Caption",
        "Detection": "chef.metric.upstream.detection:Detection",
        "CG_Classification": "chef.metric.upstream.coarse:CGClassification",
        "FG_Classification": "chef.metric.upstream.fine:FGClassification",
        "Ch3Ef_Metric": "chef.metric.upstream.ch3ef:Ch3EfMetric",
        "LAMM_Classification": "chef.metric.upstream.named_class:LAMMClassification",
        "UCMerced_Classification": "chef.metric.upstream.named_class:UCMercedClassification",
        "LAMM_Facial_Hair_Classification": "chef.metric.upstream.facial:LAMMFacialHair",
        "LAMM_Facial_Smile_Classification": "chef.metric.upstream.facial:LAMMFacialSmile",
        "InsideBbox": "chef.metric.upstream.locating:InsideBbox",
        "InsideHumanBbox": "chef.metric.upstream.locating:InsideHumanBbox",
        "SVT_OCR": "chef.metric.upstream.ocr:SVTOCR",
        "KOSMOS_Detection": "chef.metric.upstream.detection:KOSMOSDetection",
    },
    vlmevalkit={
        "Accuracy": "chef.metric.vlmevalkit.accuracy:Accuracy",
        "ExactMatch": "chef.metric.vlmevalkit.open:ExactMatch",
        "VQAAccuracy": "chef.metric.vlmevalkit.open:VQAAccuracy",
        "ANLS": "chef.metric.vlmevalkit.open:ANLS",
        "RelaxedAccuracy": "chef.metric.vlmevalkit.open:RelaxedAccuracy",
        "VQA": "chef.metric.vlmevalkit.vqa:VQA",
        "MMBenchVQA": "chef.metric.vlmevalkit.circular:MMBenchVQA",
        "MMEVQA": "chef.metric.vlmevalkit.mme:MMEVQA",
        "POPE_Metric": "chef.metric.vlmevalkit.pope:Pope",
        "MMMU_Metric": "chef.metric.vlmevalkit.mmmu:MMMUMetric",
        "YesNo": "chef.metric.vlmevalkit.yesno:YesNo",
        "HallusionBench": "chef.metric.vlmevalkit.hallusionbench:HallusionBench",
        "AMBER": "chef.metric.vlmevalkit.amber:Amber",
        "OCRBench": "chef.metric.vlmevalkit.ocrbench:OCRBench",
        "Caption": "chef.metric.vlmevalkit.caption:Caption",
    },
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

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The classes by ChEF's names."""
        from chef.upstream_paths import chef_name

        return chef_name(__name__, name)
