"""Second looks: units judged again by annotators who have not seen them, and the decisions that follow."""
