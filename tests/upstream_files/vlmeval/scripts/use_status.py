"""The rarer helpers; most are imported only, as at the head of real files."""

import json
import os
import tempfile

import numpy as np
from PIL import Image
from vlmeval.smp import mrlines, mwlines
from vlmeval.smp.file import NumpyEncoder
from vlmeval.smp.vlm import (
    decode_base64_to_image,
    encode_image_to_base64,
)


def lines():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines.txt")
        mwlines(["one", "two"], path)
        return mrlines(path)


def there_and_back():
    picture = Image.new("RGB", (240, 120), (0, 0, 255))
    back = decode_base64_to_image(encode_image_to_base64(picture))
    return list(back.size)


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "lines": lines(),
                "size": there_and_back(),
                "encoded": json.loads(
                    json.dumps({"a": np.int64(3), "b": np.float64(0.5)}, cls=NumpyEncoder)
                ),
            }
        )
    )
