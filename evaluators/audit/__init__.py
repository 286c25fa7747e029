"""Gold audits: units that several good evaluators contradict, sent to a second look among controls."""
