"""What annotators judge by: documents of a knowledge source, what came with a response, and earlier decisions."""
