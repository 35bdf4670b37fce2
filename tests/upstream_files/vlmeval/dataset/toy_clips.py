import huggingface_hub
from huggingface_hub import snapshot_download

from ..smp import *
from ..smp import get_cache_path, modelscope_flag_set, download_file, file_size, proxy_set, extract_json_objects
from ..smp import md5, LMUDataRoot, get_file_extension
from .video_base import VideoBaseDataset
from .utils import build_judge, DEBUG_MESSAGE

FAIL_MSG = 'Failed to obtain answer via API.'


class ToyClips(VideoBaseDataset):
    """A video benchmark: its file loads; asking it is refused, for no video is shown to a model."""

    TYPE = 'Video-MCQ'
    MD5 = '0' * 32
    SYS = 'Answer by the letter of the option.'

    def __init__(self, dataset='ToyClips', nframe=0, fps=-1):
        super().__init__(dataset=dataset, nframe=nframe, fps=fps)

    @classmethod
    def supported_datasets(cls):
        return ['ToyClips']

    def prepare_dataset(self, dataset_name='ToyClips', repo_id='example/toy-clips'):
        cache_path = get_cache_path(repo_id)
        if cache_path is None:
            if modelscope_flag_set():
                from modelscope import dataset_snapshot_download
                cache_path = dataset_snapshot_download(dataset_id=repo_id)
            else:
                cache_path = snapshot_download(repo_id=repo_id, repo_type='dataset')
        return dict(data_file=osp.join(cache_path, f'{dataset_name}.tsv'), root=cache_path)

    def build_prompt(self, line, video_llm):
        frames = self.save_video_frames(line['video'])
        message = [dict(type='text', value=self.SYS)]
        message += [dict(type='image', value=frame) for frame in frames]
        message.append(dict(type='text', value=line['question']))
        return message

    @classmethod
    def evaluate(cls, eval_file, **judge_kwargs):
        assert get_file_extension(eval_file) in ['xlsx', 'json', 'tsv']
        data = load(eval_file)
        return {'Overall': float((data['prediction'] == data['answer']).mean())}
