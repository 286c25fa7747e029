"""Tasks with known answers: a qualification before real work, and controls hidden among it."""
