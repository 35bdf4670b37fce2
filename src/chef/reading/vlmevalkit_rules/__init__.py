"""VLMEvalKit's own rules for reading answers, kept so that published results can be compared.

Each function is one rule of VLMEvalKit, defects included; `chef.metric.vlmevalkit` says which
metric uses which. The corrected rules are in the other modules of `chef.reading`.
"""
