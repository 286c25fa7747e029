"""The registry of evaluation methods: one line a method (docs/methods.md, Adding one)."""

from evaluators.methods import (
    always_not_supported,
    always_supported,
    factscore_no_context,
    factscore_np,
    factscore_retrieve,
    factscore_retrieve_np,
    factscore_self_check,
    felm,
    lexical,
    random_draw,
)
from evaluators.methods.base import Method
from evaluators.methods.outside import outside_methods

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        always_supported.METHOD,
        always_not_supported.METHOD,
        random_draw.METHOD,
        lexical.METHOD,
        *felm.METHODS,
        factscore_no_context.METHOD,
        factscore_self_check.METHOD,
        factscore_retrieve.METHOD,
        factscore_np.METHOD,
        factscore_retrieve_np.METHOD,
    )
}
METHODS |= {method.name: method for method in outside_methods(METHODS)}
