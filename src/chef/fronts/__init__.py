"""The names that files written for ChEF, MMTrustEval and VLMEvalKit import, with chef underneath.

After ``import chef.fronts`` a script may import by their module names (``from mmte.datasets.base
import BaseDataset``, ``from vlmeval.smp import load``, ``from ChEF.models.test_base import
TestBase``) where these packages are not installed; an installed one comes first. A plugin needs no
such line. ``tables/`` has every name, and where it is in chef.

>>> import chef.fronts
>>> from vlmeval.smp import toliststr
>>> toliststr('["a", "b"]')
['a', 'b']
"""

from chef.common.front_modules import install

install(every=True)
