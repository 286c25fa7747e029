"""Evidence for annotators: search in a knowledge source or in the references of a response, and precedents."""
