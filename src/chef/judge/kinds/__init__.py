"""The kinds of judgements that come with chef; `chef.metric.judge_kind` names them."""
