"""What is true: the annotators' judgements compared, disagreements settled by a person, agreement accepted by one."""
