"""Answers to multiple-choice questions with the label that they stand for, worked out by hand.

The third column is the label by VLMEvalKit's rules (section 6.2 of the reference: the option rule,
then the text rule), the fourth the label by chef's own rules, where the reference says what is
correct. None: no label is read; `-`: the reference does not say.
"""

OPTIONS = {
    "animals": {
        "A": "cat",
        "B": "dog",
        "C": "bird",
        "D": "horse",
    },  # 15 characters: the text rule reads up to 30
    "yesno": {"A": "Yes", "B": "No"},  # 5 characters: up to 10
    "numbers": {"A": "1", "B": "11", "C": "2", "D": "21"},
    "colours": {"A": "red", "B": "green", "C": "blue", "D": "light blue"},
    "two": {"A": "left", "B": "right"},  # 9 characters: up to 18
    "five": {"A": "north", "B": "south", "C": "east", "D": "west", "E": "none of these"},
    "ten": dict(
        zip(
            "ABCDEFGHIJ",
            ["oak", "elm", "ash", "fir", "yew", "lime", "pine", "rowan", "cedar", "birch"],
            strict=True,
        )
    ),
    "six": dict(zip("ABCDEF", ["oak", "elm", "ash", "fir", "yew", "lime"], strict=True)),
    "gaps": {"A": "cat", "C": "bird"},
    "with_z": dict(zip("XYZ", ["first", "second", "third"], strict=True)),
    "upper": {"A": "New York", "B": "Los Angeles"},
    "same": {"A": "cat", "B": "cat"},
    "letters": {"A": "A and B", "B": "only B"},
}

LETTERS: list[tuple[str, str, str | None, str | None]] = [
    # one label, alone or in marks that become spaces
    ("A", "animals", "A", "A"),
    ("D", "animals", "D", "D"),
    (" B ", "animals", "B", "B"),
    ("B\n", "animals", "B", "B"),
    ("B.", "animals", "B", "B"),
    ("(B)", "animals", "B", "B"),
    ("[C]", "animals", "C", "C"),
    ("{D}", "animals", "D", "D"),
    ("B)", "animals", "B", "B"),
    ("B,", "animals", "B", "B"),
    ("B:", "animals", "B", "B"),
    ("B;", "animals", "B", "B"),
    ("B!", "animals", "B", "B"),
    ("*B*", "animals", "B", "B"),
    ("**B**", "animals", "B", "B"),
    ("**(B)**", "animals", "B", "B"),
    ("#B", "animals", "B", "B"),
    ("### B", "animals", "B", "B"),
    ("\\boxed{B}", "animals", "B", "B"),
    ("$\\boxed{B}$", "animals", "B", "B"),  # the label stands between braces, dollars or not
    ("Answer: B", "animals", "B", "B"),
    ("Answer:B", "animals", "B", "B"),
    ("answer:(C)", "animals", "C", "C"),
    ("<think>A</think> B", "animals", "B", "B"),
    ("The answer is B.", "animals", "B", "B"),
    ("The correct answer is (C).", "animals", "C", "C"),
    ("Final Answer: **D**", "animals", "D", "D"),
    ("B. dog", "animals", "B", "B"),
    ("(B) dog", "animals", "B", "B"),
    ("C: bird", "animals", "C", "C"),
    # marks that do not become spaces keep the label inside a longer token
    ("(b)", "animals", None, "B"),
    ("b", "animals", None, "B"),
    ("b.", "animals", None, "B"),
    ('"B"', "animals", None, "B"),
    ("'B'", "animals", None, "B"),
    ("$B$", "animals", None, "B"),
    ("`B`", "animals", None, "B"),
    ("<answer>B</answer>", "animals", None, "B"),
    ("\uff22", "animals", None, "B"),  # full-width B
    ("\uff08B\uff09", "animals", None, "B"),  # full-width brackets
    ("B\u3002", "animals", None, "B"),  # Chinese full stop
    ("B\uff0c", "animals", None, "-"),
    ("B?", "animals", None, "-"),
    ("B-", "animals", None, "-"),
    ("B/", "animals", None, "-"),
    ("_B_", "animals", None, "B"),
    ("B=dog", "animals", "B", "-"),  # by its text: dog is in it
    ("AB", "animals", None, "-"),
    ("BB", "animals", None, "-"),
    ("B1", "animals", None, "-"),
    # a letter that is no option of this question
    ("E", "animals", None, None),
    ("E", "five", "E", "E"),
    ("F", "five", None, None),
    ("F", "six", "F", "F"),
    ("B", "gaps", None, None),
    ("C", "gaps", "C", "C"),
    ("J", "ten", "J", "J"),
    ("C", "two", None, None),
    # among the last four tokens, or not
    ("A big red cat", "animals", "A", "A"),  # both ways: by the article upstream, by the text here
    ("A cat", "animals", "A", "A"),
    ("A dog", "animals", "A", "B"),
    ("A big brown dog", "animals", "A", "B"),
    ("A very big brown dog", "animals", "B", "B"),  # five tokens: the text rule reads the dog
    ("B one two three", "animals", "B", "-"),
    ("B one two three four", "animals", None, "-"),
    ("zero B one two three", "animals", "B", "-"),
    ("zero B one two three four", "animals", None, "-"),
    ("B one two three.", "animals", "B", "-"),
    ("B one two three . four", "animals", None, "-"),
    ("B ( one ) two three", "animals", "B", "-"),  # marks are no tokens
    ("B one, two, three, four", "animals", None, "-"),
    (
        "B one two three B",
        "animals",
        None,
        "-",
    ),  # the first of two occurrences is the fifth from the end
    ("B one two B", "animals", "B", "-"),
    ("one two three four five B", "animals", "B", "-"),
    ("one two three four five B six seven eight", "animals", "B", "-"),
    ("one two three four five B six seven eight nine", "animals", None, "-"),
    ("B\n\nThe picture shows it lying on a mat.", "animals", None, "B"),
    ("B\n\nThis is clearly a dog.", "animals", "B", "B"),
    ("B.\nIt has four legs and it barks.", "animals", None, "B"),
    ("B is what I would choose", "animals", None, "-"),
    ("B is my answer", "animals", "B", "B"),
    ("My answer is B because it barks", "animals", "B", "B"),  # fourth from the end
    ("My answer is B because it barks loudly", "animals", "B", "B"),  # by the regular expression
    ("My choice is B because it barks loudly", "animals", None, "-"),
    # several labels
    ("B or C", "animals", None, None),
    ("A and B", "animals", None, None),
    ("A, B", "animals", None, None),
    ("A B C D", "animals", None, None),
    ("Either A or D", "animals", None, None),
    ("B B", "animals", "B", "B"),
    ("B, B, B", "animals", "B", "B"),
    ("B (B)", "animals", "B", "B"),
    ("A or E", "animals", "A", "-"),  # E is no option here, so only one label is there
    ("A or E", "five", None, None),
    ("Not A but B", "animals", None, "-"),
    ("Not A: the answer is B", "animals", "B", "B"),
    ("The answer is A or the answer is B", "animals", "A", "-"),
    ("Both A and B, but the answer is C", "animals", "C", "C"),
    ("A is wrong. The correct answer is B.", "animals", "B", "B"),
    ("B is wrong. Answer: C", "animals", None, "C"),
    ("A dog: B", "animals", "B", "B"),  # A and B are two labels; 'dog' is then read as text
    ("A cat, so B", "animals", "A", "B"),
    # the regular expression: no word boundary, four letters only, either case of its words
    ("ANSWER IS B and not C", "animals", "B", "-"),
    ("The Correct Answer is D, not A", "animals", "D", "-"),
    ("the answer is **C** and never A or B", "animals", "C", "C"),
    ("answer is A or B", "animals", "A", "-"),
    ("The answer is  B or C", "animals", "B", "-"),  # any white space
    ("The answer is: B or C", "animals", None, "-"),
    ("The answer is (B) or (C)", "animals", None, "-"),
    ("The answers are B and C", "animals", None, None),
    (
        "The answer is Beagle, as everyone can see",
        "animals",
        "B",
        "-",
    ),  # no word boundary after the letter
    ("The answer is Dalmatian, as everyone can see", "animals", "D", "-"),
    ("The answer is D or A", "two", "A", "-"),  # one label, within the last four
    (
        "The answer is E and certainly not A at all, none",
        "five",
        None,
        "-",
    ),  # E is not in the expression
    ("The answer is D, although C came close to it", "gaps", None, "-"),  # D is no option here
    ("The answer is C, although A came close to it", "gaps", "C", "-"),
    ("My final answer is C: it sings and it flies away", "animals", "C", "C"),
    ("So the correct answer is A, because of its whiskers and its tail", "animals", "A", "A"),
    ("Thus the answer would be A, because of its whiskers and its tail", "animals", None, "-"),
    # Z
    ("Z", "animals", "Z", "-"),
    ("(Z)", "animals", "Z", "-"),
    ("Z one two three four five six", "animals", "Z", "-"),  # wherever it stands
    ("None fits, so Z.", "animals", "Z", "-"),
    ("Z or B", "animals", "B", "-"),  # one label: it comes first
    ("B or Z", "animals", "B", "-"),
    ("Z dog", "animals", "Z", "-"),  # before the text rule
    ("Z, not A or B", "animals", None, "-"),  # two labels
    ("z", "animals", None, None),
    ("Z", "with_z", "Z", "Z"),
    ("Y", "with_z", "Y", "Y"),
    ("X or Z", "with_z", None, None),
    (
        "B Z one two three four",
        "animals",
        None,
        "-",
    ),  # one label, too early; Z counts only without labels
    ("The answer is A Z or B", "animals", "A", "-"),
    # first person
    ("I am not sure", "ten", "I", None),
    ("I cannot see", "ten", "I", None),
    ("So I guess birch", "ten", "I", "J"),
    ("I think it is birch", "ten", "J", "J"),
    ("I", "ten", "I", "I"),
    ("I am not sure", "animals", None, None),
    ("I would say rowan", "ten", "I", "H"),
    ("I choose H", "ten", None, "H"),  # I and H: two labels
    ("That is what I see", "ten", "I", None),
    # text
    ("dog", "animals", "B", "B"),
    ("Dog", "animals", "B", "B"),
    ("DOG!", "animals", "B", "B"),
    ("a dog", "animals", "B", "B"),
    ("it is the dog", "animals", "B", "B"),
    ("dogs", "animals", "B", "-"),
    ("category", "animals", "A", None),
    ("cat and dog", "animals", None, None),
    ("seahorse", "animals", "D", None),
    ("the animal in here: a nice dog", "animals", "B", "B"),  # 30 characters: still read
    ("the animal in here: a nicer dog", "animals", None, "B"),  # 31 characters: given up
    ("I see that this picture shows one dog", "animals", None, "B"),
    ("nothing", "yesno", "B", None),
    ("know", "yesno", "B", None),
    ("Yes", "yesno", "A", "A"),
    ("no", "yesno", "B", "B"),
    ("Yes.", "yesno", "A", "A"),
    ("yes or no", "yesno", None, None),
    ("eyes", "yesno", "A", None),
    ("No, it is", "yesno", "B", "B"),
    ("No, it isn't", "yesno", None, "B"),  # 12 characters, 10 are read
    ("not at all", "yesno", "B", "-"),  # 10 characters; 'no' is inside 'not'
    ("not at all!", "yesno", None, "-"),
    ("11", "numbers", None, "B"),
    ("1", "numbers", "A", "A"),
    ("2", "numbers", "C", "C"),
    ("21", "numbers", None, "D"),
    ("12", "numbers", None, None),
    ("3", "numbers", None, None),
    ("it is a 1", "numbers", "A", "A"),
    ("it is a one 1", "numbers", None, "A"),  # 13 characters, 12 are read
    ("blue", "colours", "C", "C"),
    ("light blue", "colours", None, "D"),
    ("Light Blue.", "colours", None, "D"),
    ("bluegreen", "colours", None, None),
    ("bored", "colours", "A", None),
    ("tired", "colours", "A", None),
    ("red", "colours", "A", "A"),
    ("left", "two", "A", "A"),
    ("bright", "two", "B", None),
    ("right, not left", "two", None, "-"),
    ("to the very right", "two", "B", "B"),  # 17 characters of 18
    ("to the right side.", "two", "B", "B"),  # 18 of 18
    ("to the right side..", "two", None, "B"),  # 19
    ("new york", "upper", "A", "A"),
    ("NEW YORK", "upper", "A", "A"),
    ("york", "upper", None, "-"),
    ("Newark", "upper", None, None),
    ("new  york", "upper", None, "-"),  # two spaces: not the same string
    ("cat", "same", None, None),
    ("A", "same", "A", "A"),
    ("none of these", "five", "E", "E"),
    ("northeast", "five", None, None),  # north and east are both in it
    ("northern", "five", "A", "A"),  # the adjective of the only option
    ("", "animals", None, None),
    ("   ", "animals", None, None),
    ("\n", "animals", None, None),
    ("fish", "animals", None, None),
    (".", "animals", None, None),
    # long answers
    (
        "Let me think. The tail wags and the ears hang. Therefore the answer is B.",
        "animals",
        "B",
        "B",
    ),
    ("Let me think. The tail wags and the ears hang. So it must be (B)", "animals", "B", "-"),
    ("A: it has no whiskers. B: it barks. I pick B", "animals", None, "-"),
    ("<think>It could be A or C.</think>\nB", "animals", None, "B"),  # three labels
    ("<think>It could be A or C .</think> B", "animals", None, "B"),
    ("<think>The answer is A?</think>The answer is B", "animals", "B", "B"),
    ("Step 1: compare. Step 2: decide.\n\\boxed{C}", "animals", "C", "C"),
    ("A is the tail. \\boxed{C}", "animals", None, "C"),
    ("Failed to obtain answer via API. B", "animals", None, "-"),
    ("Failed to obtain answer via API", "animals", None, "-"),
]

# V01: options whose texts are those of a missing value vanish (33 rows of SEEDBench_IMG): answer,
# texts, the label that is correct, the label that is read upstream and by chef's own rules.
VANISHED: list[tuple[str, list[str], str, str | None, str]] = [
    ("D", ["one", "two", "three", "None"], "D", None, "D"),
    ("None", ["one", "two", "three", "None"], "D", None, "D"),  # the answer vanishes, too
    ("It is None", ["one", "two", "three", "None"], "D", "A", "D"),  # "one" is in it
    ("(D) None", ["red", "two", "three", "None"], "D", None, "D"),
    ("A", ["one", "two", "three", "None"], "A", "A", "A"),
    ("A or D", ["one", "two", "three", "None"], "A", "A", "-"),  # one label is left
    ("C", ["NA", "null", "x1", "x2"], "C", "C", "C"),  # its place is still the third
    ("x2", ["NA", "null", "x1", "x2"], "D", "D", "D"),
    ("B", ["x1", "N/A"], "B", None, "B"),
    ("B", ["x1", "nan"], "B", None, "B"),
    ("B", ["x1", "none"], "B", "B", "B"),  # only these spellings
    ("B", ["x1", "None of them"], "B", "B", "B"),
]
