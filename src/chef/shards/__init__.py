"""Runs past one machine: shards of samples, their mergeable statistics, and where parts are kept.

The ids of a run are cut by a hash (`settings`). One worker asks, journals and scores a shard and
makes an immutable part of it (`asking`), which an object store holds (`store`). Who drives a run
sees the statistics of a shard (`statistics`), and no sample.
"""
