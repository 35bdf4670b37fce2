"""The rarer helpers; most are imported only, as at the head of real files."""
import json

import numpy as np

from vlmeval.dataset.image_base import (_choose_primary_metric_key, _count_markers_in_obj,
                                        _score_judge_file_candidate)
from vlmeval.dataset.utils import Spatial457_utils
from vlmeval.dataset.utils.multiple_choice import (eval_circular_group, get_dimension_rating, prefetch_answer,
                                                   report_acc_MMSci, report_acc_MMVP, report_topviewrs_acc)
from vlmeval.dataset.utils.vqa_eval import (calculate_consistency_WildDoc, calculate_overall_accuracy_WildDoc, istype,
                                            process_line_WildDoc)
from vlmeval.dataset.utils.yorn import AMBER_rating, Hallusion_rating, VSR_rating
from vlmeval.smp import ls, mrlines, mwlines, timestr, upsert_dataset_status
from vlmeval.smp.file import HFCacheRoot, NumpyEncoder, find_prediction_files, md5
from vlmeval.smp.log import setup_subprocess_logger
from vlmeval.smp.misc import toliststr
from vlmeval.smp.status_report import (collect_run_benchmark_report, load_run_status, upsert_dataset_status,
                                       upsert_run_status)
from vlmeval.smp.vlm import (build_option_str, decode_base64_to_image, decode_base64_to_image_file,
                             encode_image_to_base64, gpt_key_set)
from vlmeval.tools import cli
from vlmeval.utils import can_infer_lego
from vlmeval.utils.matching_util import can_infer_sequence, detect_repetition
from vlmeval.utils.mp_util import async_recv_process_message, async_wait_process, terminate_processes

import os
import tempfile
from PIL import Image


def lines():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'lines.txt')
        mwlines(['one', 'two'], path)
        return mrlines(path)


def there_and_back():
    picture = Image.new('RGB', (240, 120), (0, 0, 255))
    back = decode_base64_to_image(encode_image_to_base64(picture))
    return list(back.size)


if __name__ == '__main__':
    print(json.dumps({
        'lines': lines(),
        'size': there_and_back(),
        'encoded': json.loads(json.dumps({'a': np.int64(3), 'b': np.float64(0.5)}, cls=NumpyEncoder)),
    }))
