"""How far annotators agree: their independent labels, read and described."""
