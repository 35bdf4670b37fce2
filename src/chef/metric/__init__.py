"""Metrics: what the answers are worth. One file a metric, one line here."""

from chef.metric.base import Base_Metric, BaseMetric, Coverage, Estimate, Report
from chef.registry import Registry

METRICS: Registry[BaseMetric] = Registry(
    "metric",
    {
        "Accuracy": "chef.metric.vqa.accuracy:Accuracy",
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
        "Counting": "chef.metric.counting:Counting",
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
        "POPE_Metric": "chef.metric.upstream.pope:Pope",
    },
)

__all__ = ["METRICS", "BaseMetric", "Base_Metric", "Coverage", "Estimate", "Report"]
