"""Units read once more by somebody who has not judged them; what contradicts gold is settled by an adjudicator."""
