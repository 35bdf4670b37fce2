"""Helpers of VLMEvalKit one by one; answers that are there already are scored."""
import json
import os.path as osp
import sys
import tempfile

import vlmeval.utils
from vlmeval import utils
from vlmeval.config import supported_VLM
from vlmeval.dataset import (DATASET_MODALITY, DATASET_TYPE, SUPPORTED_DATASETS, build_dataset, img_root_map,
                             infer_dataset_basename)
from vlmeval.dataset.image_vqa import ImageVQADataset
from vlmeval.dataset.utils.multiple_choice import extract_characters_regex, report_acc
from vlmeval.dataset.utils.vqa_eval import levenshtein_distance
from vlmeval.dataset.utils.yorn import YOrN_Extraction
from vlmeval.smp import (d2df, download_file, dump, encode_image_to_base64, decode_base64_to_image_file,
                         get_intermediate_file_path, get_logger, get_pred_file_format, get_pred_file_path, istype,
                         listinstr, load, load_env, localize_df, md5, mmqa_display, parse_file, process_punctuation,
                         read_ok, splitlen, toliststr, version_cmp, cn_string, extract_json_objects)
from vlmeval.smp import file, misc
from vlmeval.smp.file import (INFER_FAIL_MSG, RUN_STATUS_NAME, LMUDataRoot, _prediction_table, fetch_aux_files,
                              file_size, get_file_extension)
from vlmeval.smp.status_report import is_number, to_number
from vlmeval.smp.vlm import read_ok as image_ok
from vlmeval.tools import LOCALIZE
from vlmeval.utils import can_infer
from vlmeval.utils.matching_util import can_infer_option, can_infer_text
from vlmeval.utils.mp_util import cpu_count, track_progress_rich


def plain(value):
    return value if value else None


def matching():
    abc = {'A': 'a red thing', 'B': 'a blue thing', 'C': 'something else'}
    texts = ['B', '(B)', 'The answer is B.', 'Answer: C', 'It is a blue thing', 'B or C',
             'The answer is A or the answer is B', '(b)']
    return [plain(can_infer(text, abc)) for text in texts]


def double(x):
    return 2 * x


def tables():
    with tempfile.TemporaryDirectory() as folder:
        kept = {}
        for name in ['t.json', 't.tsv', 't.csv', 't.xlsx']:
            path = osp.join(folder, name)
            frame = d2df({'Overall': 0.5, 'red': 1.0})
            dump(frame.to_dict('records') if name.endswith('json') else frame, path)
            back = load(path)
            kept[name] = len(back)
        return kept


if __name__ == '__main__':
    print(json.dumps({
        'matching': matching(),
        'listinstr': [listinstr(['MM', 'Toy'], 'ToyColour'), listinstr(['MM'], 'ToyColour')],
        'toliststr': [toliststr('one'), toliststr("['one', 'two']"), toliststr(['a', 'b'])],
        'istype': [istype("['a']", list), istype('a', list)],
        'cn_string': [cn_string('颜色'), cn_string('colour')],
        'splitlen': splitlen('a/b/c', '/'),
        'extension': get_file_extension('x/y.z.tsv'),
        'intermediate': osp.basename(get_intermediate_file_path('out/m_d.xlsx', '_acc', 'csv')),
        'json_objects': list(extract_json_objects('so {"a": 1} and {"b": [2]}')),
        'md5': md5('toy'),
        'yes_no': [YOrN_Extraction(text) for text in ['Yes', 'no.', 'Yes and no', 'perhaps']],
        'levenshtein': levenshtein_distance('kitten', 'sitting'),
        'doubled': track_progress_rich(double, [1, 2, 3], nproc=2),
        'is_number': [is_number('1.5'), is_number('x')],
        'tables': tables(),
    }))
