"""The corpus and the experts' work: import, tasks, labels, agreement, adjudication, gold and releases."""
