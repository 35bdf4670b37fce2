"""Results of calculations, ranges, totals and shares, in the words around them."""

import pytest

from chef.reading.numbers import extract_number

MEDALS = "How many more gold medals did Norway win than Sweden?"
CHILDREN = "How many boys and girls are in the class photo altogether?"
SHARE = "What is 3/4 of the total of 120 shown in the figure?"
OHMS = "What is the value of the resistor in ohms?"
METERS = "What is the distance in meters?"
VOTES = "How many people voted?"
REVENUE = "What was the revenue in 2021 in million dollars?"


@pytest.mark.parametrize(
    ("question", "answer", "number"),
    [
        (MEDALS, "12 - 7 = 5", 5),
        # The result is no repetition of the operand that it equals.
        (MEDALS, "16 - 8 = 8", 8),
        (MEDALS, "16-8=8", 8),
        (MEDALS, "16 − 8 = **8**", 8),
        ("How many dogs are there?", "thirteen (13)", 13),
        (CHILDREN, "There are 11 boys and 13 girls. Altogether there are 24 children.", 24),
        (CHILDREN, "11 boys, 13 girls. Altogether there are 24 children plus the teacher.", 24),
        ("How many girls are there?", "There are 11 boys and 13 girls, 24 in all.", 13),
        ("How many cars are there?", "4 red and 5 blue cars. Total: 9", 9),
        (SHARE, "360 / 4 = 90. So three quarters of the total are 90.", 90),
        (SHARE, "3/4 of the total is 90.", 90),
        ("What is half of the total?", "Half of the total is 45.", 45),
        ("What fraction of the pie is eaten?", "Half of the pie is eaten.", 0.5),
        (OHMS, "It's a 4.7 kΩ resistor (4700 Ω), tolerance ±5 %.", 4700),
        (METERS, "It is 1.2 km (1200 m).", 1200),
        (METERS, "It is 1.2 km.", 1.2),
        (VOTES, r"\boxed{12{,}500}", 12500),
        ("Quanto custa o café, em reais?", r"\boxed{6{,}50}", 6.5),
        (REVENUE, "The bar lies between the gridlines 300 and 400, and is labelled 342.6.", 342.6),
        (REVENUE, "The bar for 2021 lies between 300 and 400.", None),
        # Two words name what is counted; the last one is its noun, whatever order a set has.
        (
            "How many species are at least endangered according to the table?",
            "- Endangered: 11\n- Critically endangered: 6\n- Extinct in the wild: 1\n\n"
            "*Vulnerable* (14) doesn't count as it ranks below *endangered*.\n\n"
            r"$$11 + 6 + 1 = \mathbf{18}$$ I hope this helps.",
            18,
        ),
    ],
)  # fmt: skip
def test_results_are_told_from_what_leads_to_them(question, answer, number):
    assert extract_number(answer, question).value == number
