"""Presets of video benchmarks, as tables of frames and rates; loading this file asks nothing."""

from functools import partial

from vlmeval.dataset import (
    MVBench,
    TempCompass,
    VideoMME,
)

toy_video_presets = {
    "MVBench_8frame": partial(MVBench, dataset="MVBench", nframe=8),
    "Video-MME_1fps": partial(VideoMME, dataset="Video-MME", fps=1.0),
    "TempCompass_8frame": partial(TempCompass, dataset="TempCompass", nframe=8),
}
