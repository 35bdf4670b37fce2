"""MMTrustEval's tasks: a data set, a method, a model and chains of evaluators in one file."""
