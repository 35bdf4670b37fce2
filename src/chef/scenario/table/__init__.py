"""Any table of data as a benchmark: text files, JSON, Parquet, Arrow, or a data set of the hub."""
