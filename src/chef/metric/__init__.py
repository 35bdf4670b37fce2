"""Metrics: what the answers are worth. One file a metric, one line here."""

from chef.metric.base import Base_Metric, BaseMetric, Coverage, Estimate, Report
from chef.registry import Registry

METRICS: Registry[BaseMetric] = Registry(
    "metric",
    {
        "Accuracy": "chef.metric.accuracy:Accuracy",
        "VQA": "chef.metric.vqa:VQA",
        "ScienceQA_Calibration": "chef.metric.vqa_calibration:VQACalibration",
        "MMBenchVQA": "chef.metric.mmbench:MMBenchVQA",
        "MMBench_Calibration": "chef.metric.mmbench_calibration:MMBenchCalibration",
        "MMEVQA": "chef.metric.mme:MMEVQA",
        "POPE_Metric": "chef.metric.pope:Pope",
        "MMMU_Metric": "chef.metric.mmmu:MMMUMetric",
        "Winoground_Metric": "chef.metric.winoground:WinogroundMetric",
        "Winoground_Cap_Metric": "chef.metric.winoground:WinogroundCapMetric",
        "Ch3Ef_Metric": "chef.metric.ch3ef:Ch3EfMetric",
        "LAMM_VQA": "chef.metric.lamm_vqa:LammVQA",
        "Instruct_Follow": "chef.metric.instruct_follow:InstructFollow",
        "YesNo": "chef.metric.yesno:YesNo",
        "Counting": "chef.metric.counting:Counting",
        "Caption": "chef.metric.caption:Caption",
        "Detection": "chef.metric.detection:Detection",
        "CG_Classification": "chef.metric.cg_classification:CGClassification",
        "FG_Classification": "chef.metric.fg_classification:FGClassification",
        "InsideBbox": "chef.metric.inside:InsideBbox",
        "InsideHumanBbox": "chef.metric.inside:InsideHumanBbox",
        "LAMM_Detection": "chef.metric.lamm_detection:LAMMDetection",
        "LAMM_Facial_Hair_Classification": "chef.metric.facial:LAMMFacialHair",
        "LAMM_Facial_Smile_Classification": "chef.metric.facial:LAMMFacialSmile",
        "SVT_OCR": "chef.metric.svt_ocr:SVTOCR",
        "UCMerced_Classification": "chef.metric.named_class:UCMercedClassification",
        "LAMM_Caption": "chef.metric.lamm_caption:LAMMCaption",
        "LAMM_Classification": "chef.metric.named_class:LAMMClassification",
        "KOSMOS_Detection": "chef.metric.kosmos_detection:KOSMOSDetection",
    },
)

__all__ = ["METRICS", "BaseMetric", "Base_Metric", "Coverage", "Estimate", "Report"]
