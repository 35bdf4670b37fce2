import numpy as np
from ChEF.metric.utils import (
    Base_Metric,
    cal_iou,
    parse_bbox,
)


class ToyBoxes(Base_Metric):
    """Share of samples whose first box has an IoU above `threshold` with the right one."""

    def __init__(self, dataset_name, threshold=0.5, **kwargs):
        super().__init__(dataset_name)
        self.threshold = threshold

    def metric_func(self, answers):
        hits = []
        for item in answers:
            boxes = parse_bbox(item["answer"])
            iou = cal_iou(boxes[0], item["gt_answers"]) if len(boxes) else 0.0
            item["metric_result"] = int(iou > self.threshold)
            hits.append(item["metric_result"])
        return dict(hit_rate=float(np.mean(hits)) * 100)
