"""Figures of whole benchmarks, worked out by hand after sections 6.4 and 8 of the reference.

Every case is a table of rows and the figures that it must give, as counted by hand: `upstream` by
VLMEvalKit's rules, `corrected` by chef's where the reference says that they differ.
"""

Y, N, U = "Yes", "No", "perhaps"  # answers of a model; U is Unknown

NAMES = (
    "OCR",
    "artwork",
    "celebrity",
    "color",
    "count",
    "existence",
    "landmark",
    "position",
    "posters",
    "scene",
    "code_reasoning",
    "commonsense_reasoning",
    "numerical_calculation",
    "text_translation",
)
# (category, image, reference, answer); the sums need all fourteen subtasks
MME = {
    "one category, both right": (
        [("OCR", "a.jpg", Y, Y), ("OCR", "a.jpg", N, N)],
        {"OCR": (100.0, 100.0)},
    ),
    "one of two": ([("OCR", "a.jpg", Y, Y), ("OCR", "a.jpg", N, Y)], {"OCR": (50.0, 0.0)}),
    "two images": (
        [
            ("color", "a.jpg", Y, Y),
            ("color", "a.jpg", N, N),
            ("color", "b.jpg", Y, N),
            ("color", "b.jpg", N, N),
        ],
        {"color": (75.0, 50.0)},
    ),
    "unknown is wrong": (
        [("count", "a.jpg", Y, U), ("count", "a.jpg", N, U)],
        {"count": (0.0, 0.0)},
    ),
    "rows of an image apart": (
        [
            ("scene", "a.jpg", Y, Y),
            ("scene", "b.jpg", Y, Y),
            ("scene", "a.jpg", N, N),
            ("scene", "b.jpg", N, Y),
        ],
        {"scene": (75.0, 50.0)},
    ),
    "three subtasks": (
        [
            ("landmark", "a.jpg", Y, Y),
            ("landmark", "a.jpg", N, N),
            ("code_reasoning", "b.jpg", Y, Y),
            ("code_reasoning", "b.jpg", N, N),
            ("text_translation", "c.jpg", Y, N),
            ("text_translation", "c.jpg", N, N),
        ],
        {
            "landmark": (100.0, 100.0),
            "code_reasoning": (100.0, 100.0),
            "text_translation": (50.0, 0.0),
        },
    ),
    "all fourteen": (
        [(name, f"{name}.jpg", reference, reference) for name in NAMES for reference in (Y, N)],
        {"perception": 2000.0, "reasoning": 800.0},
    ),
    # One of ten: 50 + 0; one of four: 0 + 0.
    "two of fourteen wrong": (
        [
            (name, f"{name}.jpg", reference, {"OCR": Y, "code_reasoning": U}.get(name, reference))
            for name in NAMES
            for reference in (Y, N)
        ],
        {
            "OCR": (50.0, 0.0),
            "code_reasoning": (0.0, 0.0),
            "perception": 1850.0,
            "reasoning": 600.0,
        },
    ),
}

# (index, l2-category, category, reference, answer); the index: set, figure and question are the
# fields 3, 4 and 5 from zero, when it is split at '_'.
HALLUSION = {
    "all right": (
        [
            ("0_VD_illusion_0_0_0", "illusion", "VD", Y, Y),
            ("1_VD_illusion_0_1_0", "illusion", "VD", N, N),
        ],
        (100.0, 100.0, 100.0),
    ),
    # figures 0 (both right), 1 (one of two); questions 0 (both right), 1 (one of two)
    "one of four": (
        [
            ("0_VD_illusion_0_0_0", "illusion", "VD", Y, Y),
            ("1_VD_illusion_0_0_1", "illusion", "VD", Y, Y),
            ("2_VD_illusion_0_1_0", "illusion", "VD", N, N),
            ("3_VD_illusion_0_1_1", "illusion", "VD", N, Y),
        ],
        (75.0, 50.0, 50.0),
    ),
    # figures 0: 1 of 1; 1: right, wrong -> fAcc 1/2; questions 0: right, right; 1: wrong -> qAcc
    # 1/2; rows 2/3
    "unequal": (
        [
            ("0_VD_illusion_0_0_0", "illusion", "VD", Y, Y),
            ("1_VD_illusion_0_1_0", "illusion", "VD", N, N),
            ("2_VD_illusion_0_1_1", "illusion", "VD", N, U),
        ],
        (200 / 3, 50.0, 50.0),
    ),
    # the same set, figure and question in two l2-categories are two figures and two questions
    "two l2-categories": (
        [
            ("0_VD_illusion_0_0_0", "illusion", "VD", Y, Y),
            ("1_VS_chart_0_0_0", "chart", "VS", Y, N),
        ],
        (50.0, 50.0, 50.0),
    ),
    # figures (0,0) right, (0,1) wrong, (1,0) right -> 2/3; questions (0,0) one of two wrong, (1,0)
    # right -> 1/2
    "two sets": (
        [
            ("0_VD_illusion_0_0_0", "illusion", "VD", Y, Y),
            ("1_VD_illusion_0_1_0", "illusion", "VD", Y, N),
            ("2_VD_illusion_1_0_0", "illusion", "VD", N, N),
        ],
        (200 / 3, 200 / 3, 50.0),
    ),
}

# (category, reference, answer) -> {split: (F1, acc, precision, recall)}
POPE = {
    "one split": (
        [("random", Y, Y), ("random", Y, N), ("random", N, N), ("random", N, Y)],
        {"Overall": (50.0, 50.0, 50.0, 50.0), "random": (50.0, 50.0, 50.0, 50.0)},
        None,
    ),
    # tp 2, fn 1, fp 0, tn 1: precision 1, recall 2/3, F1 4/5
    "uneven": (
        [("random", Y, Y), ("random", Y, Y), ("random", Y, N), ("random", N, N)],
        {"Overall": (80.0, 75.0, 100.0, 200 / 3)},
        None,
    ),
    # Unknown is a predicted No: tp 1, fn 1, fp 0, tn 1 -> F1 2/3; but it is not right: acc 2/4
    "unknown": (
        [("random", Y, Y), ("random", Y, U), ("random", N, U), ("random", N, N)],
        {"Overall": (200 / 3, 50.0, 100.0, 50.0)},
        None,
    ),
    "two splits": (
        [("random", Y, Y), ("random", N, N), ("popular", Y, N), ("popular", N, Y)],
        {"Overall": (50.0, 50.0, 50.0, 50.0), "random": (100.0,) * 4, "popular": (0.0,) * 4},
        None,
    ),
    # The first row is in three splits, so upstream counts it three times: tp 3, fn 0, fp 1, tn 0 ->
    # acc 3/4, precision 3/4, recall 1, F1 6/7. Each row once: tp 1, fp 1 -> acc 1/2, precision 1/2,
    # recall 1, F1 2/3.
    "several splits a row": (
        [("adversarial,popular,random", Y, Y), ("random", N, Y)],
        {
            "Overall": (600 / 7, 75.0, 75.0, 100.0),
            "adversarial": (100.0,) * 4,
            "popular": (100.0,) * 4,
            "random": (200 / 3, 50.0, 50.0, 100.0),
        },
        {
            "Overall": (200 / 3, 50.0, 50.0, 100.0),
            "adversarial": (100.0,) * 4,
            "popular": (100.0,) * 4,
            "random": (200 / 3, 50.0, 50.0, 100.0),
        },
    ),
    # exploded: tp 2, fn 1, tn 3 -> acc 5/6, precision 1, recall 2/3, F1 4/5; unique: tp 1, fn 1, tn
    # 1
    "several splits, two ways": (
        [("random,popular", Y, Y), ("random", Y, N), ("random,popular,adversarial", N, N)],
        {"Overall": (80.0, 500 / 6, 100.0, 200 / 3)},
        {"Overall": (200 / 3, 200 / 3, 100.0, 50.0)},
    ),
}

# (category, reference, answer) -> accuracy of the three dimensions and their mean
AMBER = {
    # Attribute: 3 of 4; Existence: 1 of 1; Relation: 0 of 1 -> mean (75 + 100 + 0) / 3; mean of the
    # rows: 4 of 6
    "three dimensions": (
        [
            ("discriminative-attribute-state", Y, Y),
            ("discriminative-attribute-state", N, N),
            ("discriminative-attribute-state", N, Y),
            ("discriminative-attribute-state", N, N),
            ("discriminative-hallucination", N, N),
            ("discriminative-relation", Y, N),
        ],
        {"Attribute": 75.0, "Existence": 100.0, "Relation": 0.0, "Avg ACC": 175 / 3},
    ),
    "the attributes are one": (
        [
            ("discriminative-attribute-state", Y, Y),
            ("discriminative-attribute-number", N, Y),
            ("discriminative-hallucination", N, N),
            ("discriminative-relation", Y, U),
        ],
        {"Attribute": 50.0, "Existence": 100.0, "Relation": 0.0, "Avg ACC": 50.0},
    ),
}

# (category, reference, answer) -> precision, recall, acc (x100), F1 (0..1 upstream, x100 corrected)
VSR = {
    "tp 2 fp 1 fn 1 tn 1": (
        [("at", Y, Y), ("at", Y, Y), ("on", N, Y), ("on", Y, N), ("in", N, N)],
        {"precision": 200 / 3, "recall": 200 / 3, "acc": 60.0, "f1": 2 / 3},
    ),
    "all right": (
        [("at", Y, Y), ("on", N, N)],
        {"precision": 100.0, "recall": 100.0, "acc": 100.0, "f1": 1.0},
    ),
}

# Multiple choice: (split, l2-category, category, hit) -> {split: {column: value}}, values in 0..1.
SCORES = {
    "two splits": (
        [
            ("dev", "L1", "c1", 1),
            ("dev", "L1", "c2", 0),
            ("dev", "L2", "c3", 1),
            ("test", "L1", "c1", 0),
            ("test", "L2", "c3", 1),
            ("test", "L2", "c3", 1),
        ],
        {
            "dev": {"Overall": 2 / 3, "L1": 0.5, "L2": 1.0, "c1": 1.0, "c2": 0.0, "c3": 1.0},
            "test": {"Overall": 2 / 3, "L1": 0.0, "L2": 1.0, "c1": 0.0, "c3": 1.0},
        },
    ),
    "no split": (
        [(None, "L1", "c1", 1), (None, "L1", "c2", 0)],
        {"none": {"Overall": 0.5, "L1": 0.5, "c1": 1.0, "c2": 0.0}},
    ),
    # A plain mean of hits, not a mean of means.
    "plain means": (
        [
            ("dev", "L1", "c1", 1),
            ("dev", "L1", "c1", 1),
            ("dev", "L1", "c1", 1),
            ("dev", "L1", "c2", 0),
        ],
        {"dev": {"Overall": 0.75, "L1": 0.75, "c1": 1.0, "c2": 0.0}},
    ),
    # MMBench's six l2-categories have short names.
    "abbreviations": (
        [
            ("dev", "coarse_perception", "image_style", 1),
            ("dev", "finegrained_perception (instance-level)", "ocr", 0),
            ("dev", "finegrained_perception (cross-instance)", "action_recognition", 1),
            ("dev", "logic_reasoning", "future_prediction", 0),
            ("dev", "relation_reasoning", "social_relation", 1),
            ("dev", "attribute_reasoning", "physical_property_reasoning", 0),
        ],
        {
            "dev": {
                "Overall": 0.5,
                "CP": 1.0,
                "FP-S": 0.0,
                "FP-C": 1.0,
                "LR": 0.0,
                "RR": 1.0,
                "AR": 0.0,
            }
        },
    ),
}
# The l2-category and the category have one name: upstream the second written one stays, corrected
# both are there.
SAME_NAME = [("dev", "logic", "logic", 1), ("dev", "logic", "other", 0), ("dev", "more", "more", 1)]

# MMT-Bench: row ALL over all splits; an l2-category is the mean of its categories there, whatever
# their sizes.
MMT = (
    [
        ("VAL", "L1", "c1", 1),
        ("VAL", "L1", "c1", 1),
        ("VAL", "L1", "c1", 1),
        ("VAL", "L1", "c2", 0),
        ("TEST", "L2", "c3", 1),
        ("TEST", "L2", "c3", 0),
    ],
    {"c1": 1.0, "c2": 0.0, "c3": 0.5, "L1": 0.5, "L2": 0.5},
)

# MMVP: the rows 1 and 2, 3 and 4, ... are pairs: (index, hit) -> the share of the pairs with both
# right.
MMVP = {
    "one of two": ([(1, 1), (2, 1), (3, 1), (4, 0)], 0.5),
    "none": ([(1, 1), (2, 0), (3, 0), (4, 1)], 0.0),
    "order": ([(4, 1), (1, 1), (3, 1), (2, 0)], 0.5),
}

# MMSci: (setting, hit) -> the mean of each setting.
MMSCI = (
    [
        ("Fig2Cap", 1),
        ("Fig2Cap", 0),
        ("SubFig2Cap", 1),
        ("SubCap2Fig", 0),
        ("SubCap2Fig", 1),
        ("SubCap2Fig", 1),
    ],
    {"Fig2Cap": 0.5, "SubFig2Cap": 1.0, "SubCap2Fig": 2 / 3},
)

# NaturalBench: a group is two images and two questions, answered in the order (q0,i0), (q0,i1),
# (q1,i0), (q1,i1). Hits of the groups -> Q_Acc (a question on both images), I_Acc (both questions
# on an image), G_Acc (all four), Acc.
NATURAL = {
    "all right": ([(1, 1, 1, 1)], (100.0, 100.0, 100.0, 100.0)),
    "one wrong": ([(1, 1, 1, 0)], (50.0, 50.0, 0.0, 75.0)),
    "a question right": ([(1, 1, 0, 0)], (50.0, 0.0, 0.0, 50.0)),
    "an image right": ([(1, 0, 1, 0)], (0.0, 50.0, 0.0, 50.0)),
    "crosswise": ([(1, 0, 0, 1)], (0.0, 0.0, 0.0, 50.0)),
    "two groups": ([(1, 1, 1, 1), (1, 1, 0, 0)], (75.0, 50.0, 50.0, 75.0)),
    "three groups": ([(1, 1, 1, 1), (0, 1, 0, 1), (0, 0, 0, 0)], (100 / 3, 50.0, 100 / 3, 50.0)),
}
