"""Presets of video benchmarks, as tables of frames and rates; loading this file asks nothing."""
from functools import partial

from vlmeval.dataset import MMMUDataset
from vlmeval.dataset import (
    AVSpeakerBench, CGAVCounting, CGBench_MCQ_Grounding, CGBench_MCQ_Grounding_Mini,
    CGBench_OpenEnded, CGBench_OpenEnded_Mini, DREAM, DSRBench, EgoExoBench_MCQ, LongVideoBench,
    MEGABench, MLVU, MMBenchVideo, MMSIVideoBench, MVBench, MVBench_MP4, MVTamperBench, MVUEval,
    MovieChat1k, OMTGBench, QBench_Video, ReVSI, STIBench, SiteBenchVideo, TempCompass, V2PBench,
    VCRBench, VDC, VideoMME, VideoMMEv2, VideoMMMU, VideoTT, Video_Holmes, Video_MMLU_CAP,
    Video_MMLU_QA, VsiBench, VsiSuperCount, VsiSuperRecall, WorldSense,
)

toy_video_presets = {
    'MVBench_8frame': partial(MVBench, dataset='MVBench', nframe=8),
    'Video-MME_1fps': partial(VideoMME, dataset='Video-MME', fps=1.0),
    'TempCompass_8frame': partial(TempCompass, dataset='TempCompass', nframe=8),
}
