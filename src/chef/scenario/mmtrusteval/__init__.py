"""MMTrustEval's data sets: a table of their ids, and how the files of each family are read."""
