"""The benchmarks of VLMEvalKit by name: `table.yaml`, their files, and how they are asked."""
