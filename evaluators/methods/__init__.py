"""The registries of methods, evaluators and editors: one line a method (docs/methods.md, Adding one)."""

from evaluators.methods import (
    always_not_supported,
    always_supported,
    edit_baselines,
    edit_no_context,
    edit_retrieve,
    entailment,
    factool,
    factscore_no_context,
    factscore_np,
    factscore_retrieve,
    factscore_retrieve_np,
    factscore_self_check,
    fastfact,
    felm,
    lexical,
    panel,
    random_draw,
    rubric,
    safe,
    selfcheck,
    selfcheck_ngram,
    selfcheck_prompt,
    veriscore,
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
        *entailment.METHODS,
        selfcheck.METHOD,
        selfcheck_ngram.METHOD,
        selfcheck_prompt.METHOD,
        panel.METHOD,
        rubric.METHOD,
        *felm.METHODS,
        factscore_no_context.METHOD,
        factscore_self_check.METHOD,
        factscore_retrieve.METHOD,
        factscore_np.METHOD,
        factscore_retrieve_np.METHOD,
        safe.METHOD,
        factool.METHOD,
        veriscore.METHOD,
        fastfact.METHOD,
    )
}
EDITORS: dict[str, Method] = {
    method.name: method for method in (*edit_baselines.METHODS, edit_no_context.METHOD, edit_retrieve.METHOD)
}
_OUTSIDE = outside_methods({*METHODS, *EDITORS})
for outside in _OUTSIDE.methods.values():
    (EDITORS if outside.edits else METHODS)[outside.name] = outside
FAULTS = _OUTSIDE.faults  # why plug-ins are not registered, by the names of their entry points
