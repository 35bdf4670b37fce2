"""ChEF's own rules for reading answers, kept so that its results can be reproduced.

Each function is one rule of ChEF, defects included; `chef.metric.upstream` says which metric uses
which. The corrected rules are in the other modules of `chef.reading`.
"""
