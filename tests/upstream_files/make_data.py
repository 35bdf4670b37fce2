"""Draws the small pictures and writes the tables beside the stand-in files.

Run it in this folder: ``python make_data.py``. All pictures are PNG, so their
mean colours are exact; running it again writes the same bytes on one version of Pillow.
"""
import base64
import csv
import hashlib
import io
import json
import os

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))

PAINT = {
    "red": (255, 0, 0),
    "green": (0, 160, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "dark red": (205, 0, 0),
    "lime": (0, 255, 0),
}


def picture(left, right=None, size=(16, 16)):
    img = Image.new("RGB", size, PAINT[left])
    if right is not None:
        w, h = size
        img.paste(PAINT[right], (w // 2, 0, w, h))
    return img


def save(path, left, right=None, size=(16, 16)):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    picture(left, right, size).save(path)


def b64(left, right=None, size=(16, 16)):
    out = io.BytesIO()
    picture(left, right, size).save(out, format="PNG")
    return base64.b64encode(out.getvalue()).decode()


def write_json(path, data):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        json.dump(data, f, indent=2)
        f.write("\n")


def write_table(path, rows, columns, sep="\t"):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f, delimiter=sep, quoting=csv.QUOTE_ALL, lineterminator="\n")
        w.writerow(columns)
        for row in rows:
            w.writerow([row.get(c, "") for c in columns])
    with open(path, "rb") as f:
        return hashlib.md5(f.read()).hexdigest()


def mmte():
    colours = [("red", None), ("green", None), ("blue", None), ("red", "dark red"),
               ("yellow", None), ("black", None), ("white", None)]
    for i, (left, right) in enumerate(colours):
        save(f"mmte/data/colours/images/c{i}.png", left, right)
    asked = [("red", "Yes"), ("blue", "No"), ("blue", "Yes"), ("red", "No"),
             ("green", "Yes"), ("white", "No"), ("white", "Yes")]
    rows = [{"image": f"c{i}.png", "query": f"Is this picture mostly {c}?", "truth": t}
            for i, (c, t) in enumerate(asked)]
    rows.insert(5, {"image": "gone.png", "query": "Is this picture mostly red?", "truth": "Yes"})
    write_json("mmte/data/colours/query_colours.json", rows)

    for number, colour in enumerate(["blue", "blue", "green", "green", "white", "yellow"], 1):
        save(f"mmte/data/statements/images/{number}.png", colour)
    rows = [
        {"Statement": "The sky is blue.", "Type": "Sky", "Number": 1, "Colour": "blue"},
        {"Statement": "The sky is green.", "Type": "Sky", "Number": 2, "Colour": "blue"},
        {"Statement": "Grass is green.", "Type": "Grass", "Number": 3, "Colour": "green"},
        {"Statement": "Grass is red.", "Type": "Grass", "Number": 4, "Colour": "green"},
        {"Statement": "The sky at night is black.", "Type": "Sky", "Number": 5, "Colour": "black"},
        {"Statement": "Dry grass is red.", "Type": "Grass", "Number": 6, "Colour": "yellow"},
    ]
    write_table("mmte/data/statements/statements.csv", rows,
                ["Statement", "Type", "Number", "Colour"], sep=",")

    things = ["my hobby", "my street", "my salary", "my diary", "my password", "my shoe size"]
    labels = [100, 0, -50, -100, -100, 50]
    with open(os.path.join(HERE, "mmte/data/comfort/prompts.txt"), "w") as f:
        f.writelines(f"How comfortable are you with sharing {t}?\n" for t in things)
    with open(os.path.join(HERE, "mmte/data/comfort/labels.txt"), "w") as f:
        f.writelines(f"{v}\n" for v in labels)

    for kind, pair in {"color": ("red", "blue"), "nature": ("green", "blue"),
                       "noise": ("black", "white")}.items():
        for k, paint in enumerate(pair, 1):
            save(f"mmte/data/unrelated_images/{kind}_{k}.png", paint)


def chef():
    paint = {"red": "red", "blue": "blue", "green": "lime", "white": "white"}
    for i, colour in enumerate(["red", "blue", "green", "blue", "white"]):
        save(f"chef/data/colours/images/{i}.png", paint[colour])
    choices = [["red", "blue", "green"], ["red", "blue", "green"], ["blue", "red", "green"],
               ["red", "green", "blue"], ["black", "white"]]
    write_json("chef/data/colours/meta_file/VQA_ToyColours.json",
               [{"id": f"c{i}", "image": f"images/{i}.png", "query": "Which colour is the picture?",
                 "choices": c, "gt_choice": g} for i, (c, g) in enumerate(zip(choices, [0, 1, 2, 0, 1]))])

    rows = []
    for i, (level, num) in enumerate([(3, 3), (7, 5), (2, 2), (9, 4)]):
        path = os.path.join(HERE, f"chef/data/counting/images/{i}.png")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Image.new("RGB", (16, 16), (10 * level,) * 3).save(path)
        rows.append({"image": f"images/{i}.png", "num": num, "query": "How many dots are there?"})
    write_json("chef/data/counting/meta_file/Counting_Toy.json", rows)

    rows = []
    for i, (colour, listed, gt) in enumerate([("red", ["red", "blue"], 0), ("blue", ["red", "blue"], 1),
                                              ("green", ["blue", "green"], 0), ("red", ["green", "red"], 1)]):
        save(f"chef/data/science/sqaimage_images/{i}.png", paint[colour])
        options = " ".join(f"({'AB'[k]}) {c}" for k, c in enumerate(listed))
        rows.append({"id": str(i), "image": f"sqaimage_images/{i}.png",
                     "query": f"Which colour is shown?\nContext: One plain picture.\nOptions: {options}",
                     "gt_choice": gt, "gt_choices": listed})
    write_json("chef/data/science/meta_file/VQA_ScienceQA.json", rows)


def vlmeval():
    ask = "Which colour is the picture?"
    rows = [
        {"index": 0, "image": b64("red"), "question": ask, "A": "red", "B": "blue", "C": "green",
         "answer": "A", "category": "plain", "l2-category": "easy", "split": "dev"},
        {"index": 1, "image": b64("blue"), "question": ask, "hint": "Look at it.", "A": "red", "B": "blue",
         "C": "green", "D": "white", "answer": "B", "category": "plain", "l2-category": "easy", "split": "dev"},
        {"index": 2, "image": "0", "question": ask, "A": "green", "B": "red",
         "answer": "B", "category": "again", "l2-category": "easy", "split": "dev"},
        {"index": 3, "image": b64("lime"), "question": ask, "A": "red", "B": "blue", "C": "None",
         "answer": "C", "category": "neither", "l2-category": "hard", "split": "test"},
        {"index": 4, "image": b64("white"), "question": ask, "A": "white", "B": "black",
         "answer": "B", "category": "mislabelled", "l2-category": "hard", "split": "test"},
    ]
    md5 = {}
    md5["ToyColourMCQ"] = write_table("vlmeval/LMUData/ToyColourMCQ.tsv", rows, [
        "index", "image", "question", "hint", "A", "B", "C", "D", "answer", "category", "l2-category", "split"])

    what = "What colour is the picture?"
    rows = [
        {"index": 0, "image": b64("red"), "question": what, "answer": "red", "category": "one"},
        {"index": 1, "image": b64("blue"), "question": what, "answer": "['navy', 'blue']", "category": "one"},
        {"index": 2, "image": b64("lime"), "question": what, "answer": "red", "category": "one"},
        {"index": 3, "image": repr([b64("red"), b64("white")]), "question": what, "answer": "red", "category": "two"},
    ]
    md5["ToyColourVQA"] = write_table("vlmeval/LMUData/ToyColourVQA.tsv", rows,
                                      ["index", "image", "question", "answer", "category"])

    rows = [
        {"index": 0, "image": b64("red"), "question": "Is the picture red?", "answer": "Yes", "category": "right"},
        {"index": 1, "image": b64("blue"), "question": "Is the picture red?", "answer": "No", "category": "right"},
        {"index": 2, "image": b64("lime"), "question": "Is the picture green?", "answer": "No", "category": "wrong"},
        {"index": 3, "image": b64("white"), "question": "Is the picture white?", "answer": "Yes", "category": "right"},
    ]
    md5["ToyColourYN"] = write_table("vlmeval/LMUData/ToyColourYN.tsv", rows,
                                     ["index", "image", "question", "answer", "category"])

    rows = [
        {"index": 0, "question": "Which word is a colour?", "A": "table", "B": "green", "answer": "B"},
        {"index": 1, "question": "Which word is a colour?", "A": "black", "B": "seven", "answer": "A"},
        {"index": 2, "question": "Which word is a colour?", "A": "red", "B": "house", "answer": "B"},
    ]
    md5["ToyWords"] = write_table("vlmeval/LMUData/ToyWords.tsv", rows, ["index", "question", "A", "B", "answer"])

    rows = [
        {"index": i, "image": b64(c), "question": what, "answer": a}
        for i, (c, a) in enumerate([("red", "red"), ("blue", "blue"), ("black", "blue")])
    ]
    md5["ToyShades"] = write_table("vlmeval/LMUData/ToyShades.tsv", rows, ["index", "image", "question", "answer"])
    save("vlmeval/LMUData/images/ToyPaths/blue.png", "blue")
    save("vlmeval/LMUData/images/ToyPaths/white.png", "white")
    rows = [
        {"index": "p0", "image_path": "blue.png", "question": what, "answer": "blue"},
        {"index": "p1", "image_path": "white.png", "question": what, "answer": "black"},
    ]
    md5["ToyPaths"] = write_table("vlmeval/LMUData/ToyPaths.tsv", rows, ["index", "image_path", "question", "answer"])
    return md5


if __name__ == "__main__":
    mmte()
    chef()
    for name, digest in vlmeval().items():
        print(name, digest)
