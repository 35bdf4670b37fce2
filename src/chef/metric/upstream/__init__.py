"""ChEF's own rules, for ``compat: upstream``: what ``metric/rules.yaml`` names of them."""
