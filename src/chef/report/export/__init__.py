"""The samples of runs as tables: csv, xlsx, parquet, and the result files of VLMEvalKit."""
