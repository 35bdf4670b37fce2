"""MMTrustEval's score sheet: the scores of its tasks, their sub-aspects, aspects and the total."""
