"""ChEF's helpers one by one, and its metrics on answers that are there already."""
import json
import os
import tempfile

from ChEF.inferencer import build_inferencer
from ChEF.inferencer.Multiturn import Multi_Direct_Inferencer, Multi_Turn_PPL_Inferencer
from ChEF.inferencer.Singleturn import Direct3D_Inferencer, Direct_Inferencer, PPL_Inferencer
from ChEF.inferencer.utils import copy_batch_dict
from ChEF.instruction import build_instructionhandler
from ChEF.instruction.ice_retriever import build_retriever
from ChEF.instruction.ice_retriever.fixed_retriever import FixedRetriever
from ChEF.instruction.ice_retriever.random_retriever import RandomRetriever
from ChEF.instruction.ice_retriever.topk_retriever import TopkRetriever
from ChEF.instruction.ice_retriever.topk_retriever_img import ImageTopkRetriever
from ChEF.instruction.prompt import build_prompt
from ChEF.instruction.template import build_template
from ChEF.metric import build_metric
from ChEF.metric.caption import Caption, LAMM_3D_Caption, LAMM_Caption
from ChEF.metric.classification import CG_Classification, FG_Classification, LAMM_Classification
from ChEF.metric.classification import LAMM_Facial_Hair_Classification, LAMM_Facial_Smile_Classification
from ChEF.metric.classification import LAMM_3D_Classification, UCMerced_Classification
from ChEF.metric.counting import Counting
from ChEF.metric.desiderata import Instruct_Follow, MMBench_Calibration, POPE_Metric, ScienceQA_Calibration
from ChEF.metric.detection import Detection, KOSMOS_Detection, LAMM_3D_Detection, LAMM_3D_Grounding, LAMM_Detection
from ChEF.metric.lamm_locating import InsideBbox, InsideHumanBbox
from ChEF.metric.mmmu import MMMU_Metric
from ChEF.metric.mmmu_utils import eval_multi_choice, eval_open, parse_multi_choice_response, parse_open_response
from ChEF.metric.ocr import SVT_OCR
from ChEF.metric.utils import (Base_Metric, Cleaner, cal_iou, cal_iou_3d, check_inside_bbox, classification_acc,
                               ennum2numerical, parse_bbox, parse_bbox_3d, parse_caption_sentence, parse_keypoints,
                               parse_kosmos_bbox, voc_syndict)
from ChEF.metric.vqa import Answer_Extractor, LAMM_VQA, MMBenchVQA, MMEVQA, VQA
from ChEF.metric.winoground import Winoground_Cap_Metric, Winoground_Metric
from ChEF.metric.Ch3Ef import Ch3Ef_Metric
from ChEF.scenario.LAMM_dataset import (AI2DDataset, CelebAHairDataset, CelebASmileDataset, CIFAR10LAMMDataset,
                                        FlickrLAMMDataset, FSC147LAMMDataset, LocatingLSPDataset,
                                        LocatingVOC2012Dataset, ScienceQALAMMDataset, SVTDataset, UCMercedDataset,
                                        VOC2012LAMMDataset)
from ChEF.scenario.Ch3Ef_dataset import Ch3EfDataset
from ChEF.scenario.MMBench_dataset import MMBenchDataset
from ChEF.scenario.MME_dataset import MMEDataset
from ChEF.scenario.MMMU_dataset import MMMUDataset
from ChEF.scenario.POPE_dataset import (POPE_COCO_Adversarial_Dataset, POPE_COCO_Popular_Dataset,
                                        POPE_COCO_Random_Dataset)
from ChEF.scenario.SEED_Bench_dataset import SEEDBenchDataset
from ChEF.scenario.SEED_Bench2_dataset import SEEDBench2Dataset
from ChEF.scenario.Winoground_dataset import Winoground_Cap_Dataset, WinogroundDataset
from ChEF.scenario.caption_dataset import FlickrDataset
from ChEF.scenario.classification import CIFAR10Dataset, OmnibenchmarkDataset
from ChEF.scenario.counting_dataset import FSC147Dataset
from ChEF.scenario.det_dataset import VOC2012Dataset
from ChEF.scenario.lamm_sysmsg import common_task2sysmsg, locating_task2sysmsg
from ChEF.scenario.vqa_dataset import ScienceQADataset

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plain(value):
    """Lists of floats, whatever kind of array a helper gives."""
    if hasattr(value, 'tolist'):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def helpers():
    clean = Cleaner().clean
    return {
        'clean': [clean(text) for text in [
            'The (two) dogs, and a cat!', 'black-and-white.', 'dog-like - fish', '3.5 cats.', 'None']],
        'number': [ennum2numerical(text) for text in [
            'There are twenty birds', 'I see 3 dogs and 4 cats', 'No 5', 'many of them', '3.']],
        'bbox': [plain(parse_bbox(text)) for text in [
            'at [0.1, 0.2, 0.3, 0.4] and (0.5, 0.6, 0.7, 0.8)', 'from 0.1 0.2 to 0.3 0.4',
            '[0.3, 0.4, 0.1, 0.2]', '[0.3, 0.2, 0.1, 0.4]']],
        'kosmos': plain(parse_kosmos_bbox('<object><patch_index_0033><patch_index_0100></object>')),
        'keypoints': plain(parse_keypoints('the left one [0.1, 0.2]')),
        'inside': [bool(check_inside_bbox([[0.2, 0.2]], [0.1, 0.1, 0.3, 0.3])),
                   bool(check_inside_bbox([[0.1, 0.2]], [0.1, 0.1, 0.3, 0.3]))],
        'iou': float(cal_iou([0, 0, 2, 2], [1, 1, 3, 3])),
        'iou_3d': float(cal_iou_3d([0, 0, 0, 2, 2, 2], [1, 0, 0, 2, 2, 2])),
        'caption': [parse_caption_sentence('It says "a red car" here'), parse_caption_sentence('a red car')],
    }


def options():
    extractor = Answer_Extractor()
    choices = ['red', 'blue', 'green']
    return [plain(extractor.fetch_answer(text, choices)) for text in [
        '(B)', 'The answer is B.', 'blue', 'it looks blue to me', 'it is neither', '(A) or (B)']]


def metric(metric_type, dataset_name, answers, **kwargs):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'answers.json')
        with open(path, 'w') as f:
            json.dump(answers, f)
        return build_metric(metric_type=metric_type, dataset_name=dataset_name, **kwargs).metric(path)


def metrics():
    return {
        'counting': metric('basic', 'FSC147', [
            {'id': '0', 'answer': 'I count 3 of them.', 'gt_answers': 3},
            {'id': '1', 'answer': 'seven', 'gt_answers': 5},
            {'id': '2', 'answer': 'There are nine', 'gt_answers': 4}], inference_type='direct'),
        'vqa': metric('basic', 'ScienceQA', [
            {'id': '0', 'answer': '(A', 'choices': ['red', 'blue'], 'gt_choice': 0},
            {'id': '1', 'answer': '(B', 'choices': ['red', 'blue'], 'gt_choice': 0}]),
        'mme': metric('basic', 'MME', [
            {'id': '0', 'answer': 'Yes', 'gt_answers': 'Yes', 'image_path': 'a.png', 'task_type': 'color'},
            {'id': '1', 'answer': 'No', 'gt_answers': 'No', 'image_path': 'a.png', 'task_type': 'color'},
            {'id': '2', 'answer': 'Yes', 'gt_answers': 'Yes', 'image_path': 'b.png', 'task_type': 'color'},
            {'id': '3', 'answer': 'Yes', 'gt_answers': 'No', 'image_path': 'b.png', 'task_type': 'color'}]),
        'pope': metric('Hallucination', 'POPE_COCO_random', [
            {'id': '0', 'answer': 'Yes', 'gt_answers': 'yes'},
            {'id': '1', 'answer': 'Yes', 'gt_answers': 'no'},
            {'id': '2', 'answer': 'No', 'gt_answers': 'no'},
            {'id': '3', 'answer': 'No', 'gt_answers': 'yes'},
            {'id': '4', 'answer': 'Yes', 'gt_answers': 'yes'}]),
    }


def scenario():
    dataset = ScienceQADataset(base_data_path=os.path.join(HERE, 'data', 'science'))
    item = dataset[0]
    return {'length': len(dataset), 'task_name': dataset.task_name, 'dataset_name': dataset.dataset_name,
            'question': item['question'], 'options': item['options'], 'gt_answers': item['gt_answers']}


if __name__ == '__main__':
    print(json.dumps({'helpers': helpers(), 'options': options(), 'metrics': metrics(), 'scenario': scenario()}))
