import numpy as np
from nltk.translate.bleu_score import sentence_bleu

from ChEF.metric.utils import Base_Metric
from ChEF.metric.utils import parse_bbox, cal_iou, classification_acc, parse_caption_sentence
from .utils import check_inside_bbox, parse_keypoints, ennum2numerical


class ToyBoxes(Base_Metric):
    """Share of samples whose first box has an IoU above `threshold` with the right one."""

    def __init__(self, dataset_name, threshold=0.5, **kwargs):
        super().__init__(dataset_name)
        self.threshold = threshold

    def metric_func(self, answers):
        hits = []
        for item in answers:
            boxes = parse_bbox(item['answer'])
            iou = cal_iou(boxes[0], item['gt_answers']) if len(boxes) else 0.0
            item['metric_result'] = int(iou > self.threshold)
            hits.append(item['metric_result'])
        return dict(hit_rate=float(np.mean(hits)) * 100)
