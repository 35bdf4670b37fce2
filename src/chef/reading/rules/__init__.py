"""The rules of ChEF, VLMEvalKit and MMTrustEval for reading answers, defects included.

They are kept so that published figures can be reproduced (``compat: upstream`` and ``compat:
vlmevalkit``). Each function is one rule; the readers by chef's own rules are the other modules of
`chef.reading`.
"""
