"""Answers to yes/no questions, read by hand after section 8 of the reference.

The second column is the reading by VLMEvalKit's rules: lower case, the punctuation rules of the VQA
evaluation, then exactly one of the words yes and no. The third is chef's own reading where the
reference says what is correct (the first verdict after the markup is taken off). None: Unknown;
`-`: the reference does not say.
"""

YES_NO: list[tuple[str, str | None, str | None]] = [
    ("Yes", "Yes", "Yes"),
    ("no", "No", "No"),
    ("YES", "Yes", "Yes"),
    ("Yes.", "Yes", "Yes"),
    ("No!", "No", "No"),
    ("yes?", "Yes", "-"),
    (" yes \n", "Yes", "Yes"),
    ("(yes)", "Yes", "Yes"),
    ('"Yes"', "Yes", "Yes"),
    ("'Yes'", None, "Yes"),  # the apostrophe is not among the marks
    ("<yes>", "Yes", "-"),
    ("[No]", "No", "No"),
    ("{no}", "No", "-"),
    ("`no`", "No", "No"),
    ("_no_", "No", "No"),
    ("**Yes**", None, "Yes"),
    ("*no*", None, "No"),
    ("Answer:yes", None, "Yes"),
    ("Answer: yes", "Yes", "Yes"),
    ("Yes: it is", None, "Yes"),
    ("yes;", "Yes", "Yes"),
    ("True", None, "-"),
    ("y", None, "-"),
    ("Yes, there is a cat", "Yes", "Yes"),
    ("Yes, there is no cat", None, "Yes"),
    ("No, there is no cat", "No", "No"),
    ("Yes\nNo", None, "-"),  # chef reads no verdict out of two whole ones
    ("yes yes", "Yes", "Yes"),
    ("yes no", None, "-"),
    ("yes/no", None, None),
    ("yes,no", None, "-"),
    ("no-one", "No", "-"),
    ("no-brainer", "No", "-"),
    ("no- brainer", "No", "-"),
    ("a-no - b", None, "-"),  # a dash beside a space takes all dashes out: 'ano  b'
    ("not", None, "-"),
    ("nope", None, "-"),
    ("yesterday", None, None),
    ("none", None, "-"),
    ("know", None, None),
    ("", None, None),
    ("...", None, None),
    ("Yes.No", None, "-"),  # 'yesno'
    ("Yes. No.", None, "-"),
    ("yes.5", None, "-"),  # the full stop before a digit stays
    ("yes, it is 3,400", "Yes", "Yes"),
    ("yes,it is 3,400", None, "Yes"),  # with a number such as 3,400 all marks are deleted: 'yesit'
    ("yes,it is", "Yes", "Yes"),
    ("yes" + "." * 32, "Yes", "Yes"),
    ("yes" + "." * 33, None, "Yes"),  # at most 32 full stops are taken out
    ("The answer is yes", "Yes", "Yes"),
    ("The answer is no, it is not there", "No", "No"),
    ("I think so, yes", "Yes", "Yes"),
    ("\uff59\uff45\uff53", None, "-"),  # full-width yes
    ("Yes\u3002", None, "-"),
]
