"""Tasks with known answers: done before real work as a qualification, served hidden among it as a control."""
