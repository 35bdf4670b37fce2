from ..smp import *
from ..smp.file import LMUDataRoot, get_intermediate_file_path, load, dump, file_size, get_file_extension
from ..smp.log import get_logger
from ..utils.mp_util import track_progress_rich
from .image_base import ImageBaseDataset
from .toy_metrics import same_colour, same_letters


class ToyShades(ImageBaseDataset):
    """Takes what it needs (osp, pd, np, json) from the star import, as many files do, and two scores from a neighbour."""

    TYPE = 'VQA'

    @classmethod
    def supported_datasets(cls):
        return ['ToyShades', 'ToyPaths']

    def load_data(self, dataset):
        data_path = osp.join(LMUDataRoot(), f'{dataset}.tsv')
        assert osp.exists(data_path), f'{data_path} is missing'
        return load(data_path)

    def post_build(self, dataset):
        self.asked = dataset

    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
        rows = [data.iloc[i] for i in range(len(data))]
        tasks = [dict(prediction=str(row['prediction']), reference=str(row['answer'])) for row in rows]
        scores = track_progress_rich(same_colour, tasks, nproc=2)
        data['same_colour'] = scores
        data['same_letters'] = [same_letters(**task) for task in tasks]
        result = {
            'same_colour': float(np.mean(data['same_colour'])),
            'same_letters': float(np.mean(data['same_letters'])),
        }
        score_file = get_intermediate_file_path(eval_file, '_score', 'json')
        dump(result, score_file)
        with open(score_file, encoding='utf-8') as f:
            assert set(json.load(f)) == set(result)
        return pd.DataFrame([result])
