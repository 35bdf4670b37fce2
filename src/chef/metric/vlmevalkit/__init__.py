"""Metrics by VLMEvalKit's own rules (``compat: vlmevalkit``), named in ``METRICS``.

They read written answers by `chef.reading.rules`, without removing a chain of
thought. Options that were chosen by their likelihood, which VLMEvalKit does not do, are taken by
their indices. No judge is asked: an answer that the rules cannot read is wrong, as with its
``exact_matching``.
"""
